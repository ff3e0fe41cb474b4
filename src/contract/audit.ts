import type { Caller } from './caller.ts';
import { mayEdit } from './capabilities.ts';
import type { ResourceFamily } from './families/resourceFamilies.ts';

export const AUDIT_ACTIONS = [
  'create',
  'update',
  'delete',
  'test',
  'tool_list',
  'model_list',
  'start',
  'stop',
  'log_read',
  'upload',
  'clone',
  'retry',
  'import',
  'export',
  'token_refresh',
  'call',
  'run',
  'execute_tool',
  'index',
  'approve',
  'reject',
  'cancel',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** `unknown`: the outcome could not be written. */
export const AUDIT_OUTCOMES = ['success', 'fail', 'unknown'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Origin of the request; `worker` is a process of the app. */
export const AUDIT_WAYS = ['rest', 'search', 'worker'] as const;
export type AuditWay = (typeof AUDIT_WAYS)[number];

/** Default index for events of the audit trail. */
export const AUDIT_INDEX = '_audit';

export const AUDIT_SOURCETYPE = 'ml_extension:audit';

/** The app's search commands send this header with `search`. It is informational and grants nothing. */
export const VIA_HEADER = 'X-ML-Via';

/** The user of work that no request started. */
export const SYSTEM_USER = 'splunk-system-user';

/** Path of a value in a call, such as `params.name`, `body.model` or `new.id`; `reply` is the record of a reply that succeeded. */
export type ValuePath = `${'params' | 'query' | 'body' | 'new' | 'caller' | 'reply'}.${string}`;

/** How calls of an endpoint are audited. */
export interface AuditedRow {
  /** `save`: a create or an update, depending on the record. */
  readonly action: AuditAction | 'save';
  /** Paths of the parts of the name, joined with `/`. */
  readonly name: readonly ValuePath[];
  /** Default: the family of the endpoint. */
  readonly family?: ResourceFamily;
  /** A field whose value selects another action. */
  readonly otherAction?: { readonly at: ValuePath; readonly actions: Readonly<Record<string, AuditAction>> };
  /** A call with another value of this field is audited only if the object at `orHas` has entries. */
  readonly onlyIf?: { readonly at: ValuePath; readonly is: string; readonly orHas?: ValuePath };
  /** Path of the run that is started or decided. */
  readonly run?: ValuePath;
  /** A call that has this value is audited by its handler, entry by entry; one that is refused, as any other. */
  readonly byHandler?: ValuePath;
  /** A call without a name is a list and is not audited. */
  readonly onlyNamed?: true;
}

export interface AuditedWork {
  action: AuditAction;
  family: ResourceFamily;
  name: string;
}

/** The user who does something. */
export interface AuditedUser {
  user: string;
  /** The user again, where the number of the user's entries is limited. */
  bounded_user?: string;
}

/** The entries of users who may change nothing of others are limited, so that they push out nobody's. */
export const auditedUser = ({ user, capabilities }: Pick<Caller, 'user' | 'capabilities'>): AuditedUser =>
  mayEdit(capabilities) ? { user } : { user, bounded_user: user };

export interface AuditedCall extends AuditedWork, AuditedUser {
  run_id?: string | undefined;
  request_id: string;
  via: AuditWay;
}

/** Work of a user that is one entry with others like it: `name` is the connection of a tool, the tool of a run's step, or a store. */
export interface CountedWork extends AuditedCall {
  action: 'call' | 'execute_tool' | 'index' | 'delete';
  /** The tool that is called. */
  tool?: string;
  /** The search that calls a tool, as the request says. */
  sid?: string | undefined;
  /** Whether the platform knows that search. Its id is the caller's text otherwise, and is not recorded. */
  isKnownSearch?(sid: string): Promise<boolean>;
}

export interface AuditEnd {
  outcome: AuditOutcome;
  error_code?: string | undefined;
  /** The call was turned away before its work began. */
  isRefusal?: boolean;
}

/** An audit entry, written before the work begins and again when it has ended. */
export interface AuditEntry {
  /** Replaces the name (and action) once they are known. */
  name(name: string, action?: AuditAction): void;
  versions(before: number | undefined, after: number | undefined): void;
  /** The run that was started. */
  run(runId: string): void;
  /** Must succeed before the work begins. @throws Fault `store_unavailable` */
  begin(): Promise<void>;
  /** @returns false when the outcome could not be written: the entry stays `unknown` */
  end(end: AuditEnd): Promise<boolean>;
}

/** With these codes it is unknown what was written, since the store's answer may be lost. */
const UNCLEAR = ['store_unavailable', 'internal_error'];

export function endOf(error: unknown): AuditEnd {
  const code = codeOf(error);
  return { outcome: UNCLEAR.includes(code) ? 'unknown' : 'fail', error_code: code };
}

/** Outbound errors have a code, engine failures a reason. */
function codeOf(error: unknown): string {
  const { code, reason = code } = (error ?? {}) as { code?: unknown; reason?: unknown };
  return error instanceof Error && typeof reason === 'string' && /^[a-z0-9_]+$/.test(reason)
    ? reason
    : 'internal_error';
}

import type { ResourceFamily } from './families/resourceFamilies.ts';

/** What the trail says was done. */
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
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** `unknown`: begun, and nobody could write down how it ended. */
export const AUDIT_OUTCOMES = ['success', 'fail', 'unknown'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** How the request came: over REST, from a search command, or from a process of the app's own. */
export const AUDIT_WAYS = ['rest', 'search', 'worker'] as const;
export type AuditWay = (typeof AUDIT_WAYS)[number];

/** Where each entry is also sent as an event, unless an administrator has chosen another index. */
export const AUDIT_INDEX = '_audit';

/** Of the events that are sent to the platform's index. */
export const AUDIT_SOURCETYPE = 'ml_extension:audit';

/** The app's own search commands send this header with `search`. It is a note, not a right: whoever sends it gains nothing. */
export const VIA_HEADER = 'X-ML-Via';

/** The user under whose name the app works without a request of anybody. */
export const SYSTEM_USER = 'splunk-system-user';

/** Where a value stands in a call: `params.name`, `query.model`, `body.model`, `new.id`, `caller.user`. */
export type ValuePath = `${'params' | 'query' | 'body' | 'new' | 'caller'}.${string}`;

/** How a row's work is recorded. */
export interface AuditedRow {
  /** `save`: a create or an update, which only the record tells. */
  readonly action: AuditAction | 'save';
  /** Where what it is about is named; several parts are joined with `/`. */
  readonly name: readonly ValuePath[];
  /** The row's own family unless this says otherwise. */
  readonly family?: ResourceFamily;
  /** A field of the body whose value says that something else is done. */
  readonly otherAction?: { readonly at: ValuePath; readonly actions: Readonly<Record<string, AuditAction>> };
  /** Any other value of this field means that nothing is done, which is not recorded. */
  readonly onlyIf?: { readonly at: ValuePath; readonly is: string };
  /** Without a name the call is a plain list, which is not recorded. */
  readonly onlyNamed?: true;
}

/** What is known before the work begins. */
export interface AuditedWork {
  action: AuditAction;
  family: ResourceFamily;
  name: string;
}

export interface AuditedCall extends AuditedWork {
  user: string;
  request_id: string;
  via: AuditWay;
}

/** How the work has ended. */
export interface AuditEnd {
  outcome: AuditOutcome;
  error_code?: string | undefined;
}

/** One thing that is done: written before it begins, and again when it has ended. */
export interface AuditEntry {
  /** Says better what it is about, once that is known. */
  name(name: string, action?: AuditAction): void;
  versions(before: number | undefined, after: number | undefined): void;
  /** Before the work: without it nothing may be done. @throws Fault `store_unavailable` */
  begin(): Promise<void>;
  /** @returns false when the end could not be written: the entry says `unknown` for ever */
  end(end: AuditEnd): Promise<boolean>;
}

/** After these nobody knows what was written: the answer of a store may have been lost. */
const UNCLEAR = ['store_unavailable', 'internal_error'];

/** How work has ended that threw this. */
export function endOf(error: unknown): AuditEnd {
  const code = codeOf(error);
  return { outcome: UNCLEAR.includes(code) ? 'unknown' : 'fail', error_code: code };
}

/** Failures of servers have a code, those of engines a reason. */
function codeOf(error: unknown): string {
  const { code, reason = code } = (error ?? {}) as { code?: unknown; reason?: unknown };
  return error instanceof Error && typeof reason === 'string' && /^[a-z0-9_]+$/.test(reason)
    ? reason
    : 'internal_error';
}

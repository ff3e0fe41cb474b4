import type { ResourceFamily } from './resourceFamilies.ts';

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

/** Of the events that are sent to the platform's index. */
export const AUDIT_SOURCETYPE = 'ml_extension:audit';

/** The app's own search commands send this header with `search`. It is a note, not a right: whoever sends it gains nothing. */
export const VIA_HEADER = 'X-ML-Via';

/** The user under whose name the app works without a request of anybody. */
export const SYSTEM_USER = 'splunk-system-user';

/** Where a value stands in a call: `params.name`, `query.model`, `body.model`, `reply.experiment_id`, `caller.user`. */
export type Place = `${'params' | 'query' | 'body' | 'reply' | 'caller'}.${string}`;

/** How a row's work is recorded. */
export interface AuditedRow {
  /** `save`: a create or an update, which only the record tells. */
  readonly action: AuditAction | 'save';
  /** Where what it is about is named; several parts are joined with `/`. */
  readonly name: readonly Place[];
  /** The row's own family unless this says otherwise. */
  readonly family?: ResourceFamily;
  /** A field of the body whose value says that something else is done. */
  readonly other?: { readonly at: Place; readonly actions: Readonly<Record<string, AuditAction>> };
  /** Without a name the call is a plain list, which is not recorded. */
  readonly onlyNamed?: true;
}

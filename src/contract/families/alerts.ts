/** The alert action of the app; the name of its stanza, its launcher and its page. */
export const ALERT_ACTION = 'ml_agent';

/** Rows of one alert that can start runs; splunkd starts an action for at most so many results of one search. */
export const MAX_ALERT_ROWS = 500;

/** The parameters of the action, as texts, each with its default; an empty one is its default. */
export const ALERT_PARAM_DEFAULTS = {
  agent: '',
  model: '',
  input: '',
  per: 'alert',
  max_rows: '20',
  max_runs: '20',
  key: '',
  suppress: '1h',
  index: '',
  sourcetype: 'ml_extension:answer',
  on_approval: 'wait',
} as const;

export type AlertParam = keyof typeof ALERT_PARAM_DEFAULTS;

/** Outcomes of a row that an alert handed over. */
export const ALERT_OUTCOMES = ['started', 'claimed', 'suppressed', 'max_runs', 'refused'] as const;

export type AlertOutcome = (typeof ALERT_OUTCOMES)[number];

/** Events of what was not started, in the index of usage. */
export const ALERT_SOURCETYPE = 'ml_extension:alert';

/** Why a row was not started. */
export const ALERT_REASONS = [
  'suppressed',
  'max_runs',
  'max_rows',
  'limit_exceeded',
  'missing_capability',
  'system_user',
  'validation_failed',
  'payload_too_large',
  'invalid_state',
  'too_many_runs',
  'feature_disabled',
  'unknown_reference',
  'busy',
  'too_many_requests',
  'store_unavailable',
  'internal_error',
] as const;

export type AlertReason = (typeof ALERT_REASONS)[number];

/** Reasons that may pass by themselves: the caller asks once more. */
export const PASSING_ALERT_REASONS: readonly string[] = [
  'busy',
  'too_many_requests',
  'store_unavailable',
  'internal_error',
] satisfies AlertReason[];

/** Default of the indexes to which runs may write their answers. */
export const RESULT_INDEX = 'summary';

/** Whether an alert starts a run for each row, by its parameter `per` as it came; else one for all. */
export const isPerRow = (per: unknown): boolean => typeof per === 'string' && per.trim() === 'row';

const HIDDEN = /^(?:_(?:bkt|cd|kv|serial|si|indextime|subsecond|sourcetype|confstr)|__mv_.*)$/;

/** A row without the fields that splunkd adds for itself, which say nothing about the result. */
export const withoutHidden = <Cell>(row: Readonly<Record<string, Cell>>): Record<string, Cell> =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !HIDDEN.test(field)));

/** The alert that started a run. */
export interface AlertSource {
  kind: 'alert';
  /** Empty for a search that nobody saved. */
  search_name: string;
  sid: string;
  result_id?: string;
  app: string;
}

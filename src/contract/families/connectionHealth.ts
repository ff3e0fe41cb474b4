/** Terms about the health of connections that the endpoint rows, the search command and the saved searches share. */
import { RESOURCE_FAMILIES, type ResourceFamily } from './resourceFamilies.ts';

const [mcp, llm, containers, stores, models] = RESOURCE_FAMILIES;
/** Families of connections, in the order of lists. */
export const CONNECTION_FAMILIES = [mcp, llm, containers, stores, models] as const satisfies readonly ResourceFamily[];
export type ConnectionFamily = (typeof CONNECTION_FAMILIES)[number];

/** The most pressing state first: a connection that is in several at once is in the first of them. */
export const HEALTH_STATES = ['reauth_required', 'failing', 'expiring', 'untested', 'ok'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** From so many days before its end on, a credential makes its connection `expiring`. */
export const EXPIRING_DAYS = 14;

/** A check leaves connections alone that were tested in the last so many seconds. */
export const MAX_AGE_S = { default: 300, most: 31_536_000 };

/** Fields of the rows of the search command `mlhealth` beside `_time`: one value each, so that a search can compare them. */
export const HEALTH_FIELDS = [
  'family',
  'name',
  'type',
  'state',
  'reason',
  'error_code',
  'remedy',
  'last_test_status',
  'last_test_error_code',
  'tested_at',
  'response_time_ms',
  'expires_at',
  'expires_in_days',
  'drift_added',
  'drift_removed',
  'drift_changed',
  'used_by',
  'checked',
] as const;

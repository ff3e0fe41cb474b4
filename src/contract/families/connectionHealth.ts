import type { ResourceFamily } from './resourceFamilies.ts';

export const CONNECTION_FAMILIES = [
  'mcp-connections',
  'llm-providers',
  'container-connections',
  'vector-stores',
  'model-registrations',
  'model_aliases',
  'usage_limits',
  'search_tools',
] as const satisfies readonly ResourceFamily[];
export type ConnectionFamily = (typeof CONNECTION_FAMILIES)[number];

/** Most urgent first: a connection in several states is reported in the first of them. */
export const HEALTH_STATES = ['reauth_required', 'failing', 'expiring', 'untested', 'ok'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** Days before a credential's expiry from which the connection is `expiring`. */
export const EXPIRING_DAYS = 14;

/** A check skips connections tested within this time, in seconds. */
export const MAX_AGE_S = { default: 300, most: 31_536_000 };

/** Fields of the search command `mlhealth` besides `_time`. */
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
  'unaccepted',
  'used_by',
  'checked',
] as const;

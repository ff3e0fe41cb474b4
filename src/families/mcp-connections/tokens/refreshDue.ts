import type { McpRecord } from '../definition.ts';
import type { McpStored } from '../records.ts';

/** For tokens without a known lifetime. */
const UNKNOWN_LIFE_S = 20 * 60;

/**
 * Whether an access token should be refreshed before use: it is missing, or 80 % of its lifetime have passed, or 20 minutes if
 * that is unknown.
 * @param now epoch seconds
 */
export function isRefreshDue(
  record: Pick<McpStored, 'details' | 'secret_fields' | 'token_obtained_at' | 'token_expires_at'>,
  now: number,
): boolean {
  if (!canRefresh(record)) return false;
  if (!record.secret_fields.includes('details/token')) return true;
  const obtained = record.token_obtained_at ?? 0;
  const expires = record.token_expires_at;
  return now >= (expires === undefined ? obtained + UNKNOWN_LIFE_S : obtained + 0.8 * (expires - obtained));
}

export function canRefresh(record: Pick<McpStored, 'details' | 'secret_fields'>): boolean {
  return record.details.is_auto_refresh_enabled === true && record.secret_fields.includes('details/refresh_token');
}

export const AUTH_STATE_FIELDS = [
  'auth_state',
  'details',
  'secret_fields',
  'token_obtained_at',
  'token_expires_at',
] as const satisfies readonly (keyof McpStored)[];

export const currentAuthState = (
  record: Pick<McpStored, (typeof AUTH_STATE_FIELDS)[number]>,
  now: number,
): McpRecord['auth_state'] =>
  record.auth_state === 'ok' && isRefreshDue(record, now) ? 'refresh_due' : record.auth_state;

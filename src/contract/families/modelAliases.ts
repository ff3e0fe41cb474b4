export const STRATEGIES = ['first', 'spread'] as const;

/** Codes of a failed call that can make an alias ask its next target. */
export const FALLBACK_CODES = [
  'rate_limited',
  'quota_exceeded',
  'timeout',
  'upstream_error',
  'connection_refused',
  'connection_reset',
  'dns_failed',
  'model_not_found',
] as const;
export type FallbackCode = (typeof FALLBACK_CODES)[number];

export const ALIAS_DEFAULTS = {
  strategy: 'first',
  fallback_on: FALLBACK_CODES.filter((code) => code !== 'model_not_found'),
} as const satisfies { strategy: (typeof STRATEGIES)[number]; fallback_on: readonly FallbackCode[] };

/** The calendar, in UTC, by which a limit resets. */
export const LIMIT_WINDOWS = ['minute', 'hour', 'day', 'month'] as const;
export type LimitWindow = (typeof LIMIT_WINDOWS)[number];

/** Quantities that a limit can count. */
export const LIMIT_QUANTITIES = ['requests', 'tokens', 'cost'] as const;
export type LimitQuantity = (typeof LIMIT_QUANTITIES)[number];

/** Whether each user has the amount, or all together. */
export const LIMIT_SUBJECTS = ['user', 'all'] as const;
export type LimitSubject = (typeof LIMIT_SUBJECTS)[number];

export const LIMIT_ACTIONS = ['refuse', 'warn'] as const;
export type LimitAction = (typeof LIMIT_ACTIONS)[number];

/** Values of a new limit. */
export const LIMIT_DEFAULTS = { per: 'user', action: 'refuse', is_enabled: true } as const;

/** The part of a limit from which on health and messages show it. */
export const NEARLY_USED = 0.8;

/** Indexes of the counters: the end of a chain, what a limit has counted, the newest document, what is past. */
export const COUNTER_INDEXES = [
  ['counter', 'kind', 'position', 'size'],
  ['limit', 'kind', 'ends'],
  ['kind', 'at', 'process'],
  ['ends'],
] as const;

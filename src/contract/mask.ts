/** What replies show for a stored secret, and what a write sends to keep it. Equality is exact. */
export const MASK = '***MASKED***';

/** A JSON object: neither null nor a list. */
export type Json = Record<string, unknown>;

export function isObject<T extends object = Json>(value: unknown): value is T {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What replies show for a stored secret, and what a write sends to keep it. Equality is exact. */
export const MASK = '***MASKED***';

/** `1 model`, `2 models`, `0 entries`: a number with its noun in the right form. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** A page of a list ends here, also one of `count=0`; a single larger entry is shown all the same. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** Entries of a page unless the caller asks for another number. */
export const DEFAULT_COUNT = 30;

/** Roles of each list of an ACL. */
export const MAX_ROLES = 32;
/** Lists of records of 0.1.0 may be longer; sending one back unchanged changes nothing. */
export const MAX_STORED_ROLES = 256;
export const TOO_MANY_ROLES = `must be a list of at most ${MAX_ROLES} roles`;
/** The right that no access list stops. */
export const ADMIN_CAPABILITY = 'admin_all_objects';

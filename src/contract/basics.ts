/** A JSON object: neither null nor a list. */
export type Json = Record<string, unknown>;

export function isObject<T extends object = Json>(value: unknown): value is T {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Stands for a stored secret in replies; a write that sends it keeps the secret. */
export const MASK = '***MASKED***';

/** Like `push(...items)`, which overflows the stack with about 100,000 items. */
export function append<T>(target: T[], items: Iterable<T>): void {
  for (const item of items) target.push(item);
}

/** `1 model`, `2 models`, `0 entries`. */
export function counted(count: number, noun: string, plural = pluralOf(noun)): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return noun.endsWith('s') ? `${noun}es` : `${noun}s`;
}

/** The class of what was thrown, for log lines: a message may have content of a request. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Maximum size of a page, also with `count=0`; a larger single entry is still returned. */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** Levels of JSON from callers, models and servers (contract 15). */
export const MAX_JSON_LEVELS = 100;
/** Maximum size of a schema that values are checked against, as JSON text. */
export const MAX_SCHEMA_BYTES = 256 * 1024;
/** Longer arguments of tools are not checked. */
export const MAX_ARGUMENTS_BYTES = 64 * 1024;

export const DEFAULT_COUNT = 30;

export const MAX_ROLES = 32;
/** Records of 0.1.0 may have more roles; sending them back unchanged is accepted. */
export const MAX_STORED_ROLES = 256;
export const TOO_MANY_ROLES = `must be a list of at most ${MAX_ROLES} roles`;
/** Bypasses all access lists. */
export const ADMIN_CAPABILITY = 'admin_all_objects';

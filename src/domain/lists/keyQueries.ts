import type { Query } from '../../ports/stores/recordStore.ts';

/** Records that one query finds by their keys, at most. */
export const KEYS_A_QUERY = 100;

/** The query for records by their keys. */
export const withKeys = (keys: readonly string[]): Query => ({ $or: keys.map((_key) => ({ _key })) });

/** Keys, as many at a time as one query takes. */
export function* batchKeys(keys: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < keys.length; at += KEYS_A_QUERY) yield keys.slice(at, at + KEYS_A_QUERY);
}

import type { Query } from '../../ports/stores/recordStore.ts';

export const KEYS_A_QUERY = 100;

export const withKeys = (keys: readonly string[]): Query => ({ $or: keys.map((_key) => ({ _key })) });

export function* batchKeys(keys: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < keys.length; at += KEYS_A_QUERY) yield keys.slice(at, at + KEYS_A_QUERY);
}

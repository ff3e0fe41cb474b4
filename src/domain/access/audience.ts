import type { Caller } from '../../contract/caller.ts';
import type { Acl } from '../../contract/schemas/common.ts';
import type { Query } from '../../ports/stores/recordStore.ts';
import { isAdmin } from './acl.ts';

const EVERYONE = '*';

/**
 * Fields by which the store filters readable records. A query for equality matches an element of an array, so the
 * query grows only with the caller's roles.
 */
export interface Reach {
  owner: string;
  /** Roles that may read, besides the owner; `['*']` = everyone. */
  audience: string[];
}

export function reachOf({ owner, sharing, perms }: Acl): Reach {
  if (sharing === 'user') return { owner, audience: [] };
  const roles = [...new Set([...perms.read, ...perms.write])].sort();
  return { owner, audience: roles.includes(EVERYONE) ? [EVERYONE] : roles };
}

/** The query for all records the caller may read, by the rules of `mayRead`; undefined = no restriction. */
export function readableQuery(caller: Caller): Query | undefined {
  if (isAdmin(caller)) return undefined;
  const audiences = [EVERYONE, ...caller.roles.filter((role) => role !== EVERYONE)];
  return { $or: [{ owner: caller.user }, ...audiences.map((audience) => ({ audience }))] };
}

export function andQuery(...queries: readonly (Query | undefined)[]): Query {
  const conditions = queries.filter((query) => query !== undefined && Object.keys(query).length > 0);
  const [only] = conditions;
  if (conditions.length <= 1) return only ?? {};
  return { $and: conditions };
}

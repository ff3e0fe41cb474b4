import type { Caller } from '../../contract/caller.ts';
import type { Acl } from '../../contract/schemas/common.ts';
import type { Query } from '../../ports/stores/recordStore.ts';
import { isAdmin } from './acl.ts';

const EVERYONE = '*';

/**
 * The fields of a record by which the store itself can tell who may read it. A query that asks for equality with one text
 * finds records whose array has it, so a reader's query grows with their own roles and with nothing that others write.
 */
export interface Reach {
  owner: string;
  /** Roles that may read, beside the owner; `*` alone = everyone, none = nobody else. */
  audience: string[];
}

/** The reach of an ACL, to be stored with the record. */
export function reachOf({ owner, sharing, perms }: Acl): Reach {
  if (sharing === 'user') return { owner, audience: [] };
  const roles = [...new Set([...perms.read, ...perms.write])].sort();
  return { owner, audience: roles.includes(EVERYONE) ? [EVERYONE] : roles };
}

/**
 * The query for all records that a caller may read, by the same rules as `mayRead`; undefined = no limit.
 */
export function readableQuery(caller: Caller): Query | undefined {
  if (isAdmin(caller)) return undefined;
  const audiences = [EVERYONE, ...caller.roles.filter((role) => role !== EVERYONE)];
  return { $or: [{ owner: caller.user }, ...audiences.map((audience) => ({ audience }))] };
}

/** All conditions together. */
export function andQuery(...queries: readonly (Query | undefined)[]): Query {
  const given = queries.filter((query) => query !== undefined && Object.keys(query).length > 0);
  const [only] = given;
  if (given.length <= 1) return only ?? {};
  return { $and: given };
}

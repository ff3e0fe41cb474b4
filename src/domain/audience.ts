import { createHash } from 'node:crypto';
import type { Caller } from '../contract/caller.ts';
import type { Acl } from '../contract/common.ts';
import type { Doc, Query, RecordStore } from '../ports/recordStore.ts';
import { isAdmin } from './acl.ts';

const COLLECTION = 'ml_audiences';
const NOBODY_ELSE = '-';
const EVERYONE = '*';

/** A set of roles that some record lets read. Few of them exist, however many records there are. */
interface Audience extends Doc {
  roles: string[];
}

/** The fields of a record by which the store itself can tell who may read it. */
export interface Reach {
  owner: string;
  audience: string;
}

/** Who beside the owner reads a record: one text for each set of roles, so that a query can ask for equality. */
function rolesOf({ sharing, perms }: Acl): string[] | typeof NOBODY_ELSE | typeof EVERYONE {
  if (sharing === 'user') return NOBODY_ELSE;
  const roles = [...new Set([...perms.read, ...perms.write])].sort();
  if (roles.includes('*')) return EVERYONE;
  return roles.length > 0 ? roles : NOBODY_ELSE;
}

/**
 * The reach of an ACL, to be stored with the record. Its set of roles is made known before the record is written: a set
 * that no record uses costs a line, a record whose set is unknown would be missing from lists.
 */
export async function reachOf(records: RecordStore, acl: Acl): Promise<Reach> {
  const roles = rolesOf(acl);
  if (typeof roles === 'string') return { owner: acl.owner, audience: roles };
  const audience = createHash('sha256').update(JSON.stringify(roles)).digest('hex').slice(0, 24);
  await records.insert<Audience>(COLLECTION, { _key: audience, roles });
  return { owner: acl.owner, audience };
}

/** The query for all records that a caller may read, by the same rules as `mayRead`; undefined = no limit. */
export async function readableBy(records: RecordStore, caller: Caller): Promise<Query | undefined> {
  if (isAdmin(caller)) return undefined;
  const known = await records.find<Audience>(COLLECTION);
  const mine = known.filter(({ roles }) => roles.some((role) => caller.roles.includes(role)));
  return {
    $or: [{ owner: caller.user }, ...[EVERYONE, ...mine.map(({ _key }) => _key)].map((audience) => ({ audience }))],
  };
}

/** All conditions together. */
export function allOf(...queries: readonly (Query | undefined)[]): Query {
  const given = queries.filter((query) => query !== undefined && Object.keys(query).length > 0);
  const [only] = given;
  if (given.length <= 1) return only ?? {};
  return { $and: given };
}

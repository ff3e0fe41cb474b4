import type { Caller } from '../contract/caller.ts';
import type { Acl } from '../contract/common.ts';
import type { Query } from '../ports/recordStore.ts';
import { reachOf, readableBy } from './audience.ts';

/** How the names of such fields begin, in all versions of the app. */
export const LIST_FIELDS = 'list_';

/**
 * What a record holds only so that the store can put lists of it in order, and leave out of them what a caller may not read. Every
 * write works them out anew: see docs/adr/0011-lists.md.
 */
export interface ListFields {
  /** The name, in lower case. */
  list_name?: string;
  /** Of records with an access list: its owner, and the roles that may read, as in `Reach`. */
  list_owner?: string;
  list_audience?: string[];
  /**
   * Of connections: when anything was written last, epoch seconds by the clock of its host. Also what leaves version and times
   * alone: how a connection is changes with its tests.
   */
  list_changed_at?: number;
}

/** How the records of one kind are listed. */
export interface Listed {
  /** The field that names a record. */
  name: string;
  /** Sort keys of which the store's order is the list's: numbers, and words whose order does not depend on case. */
  sorts: readonly string[];
  /** Names that differ only in case are one name. Otherwise the key decides between two of one name. */
  isUnique: boolean;
  /** What else lists are filtered by. */
  filters?: readonly string[];
  /** Sort keys that change while version and time of the last change stay. */
  learned?: readonly string[];
}

/** The list fields of a record as it is. */
export function listFieldsOf({ name }: Pick<Listed, 'name'>, record: object): ListFields {
  const { acl, [name]: named } = record as { acl?: Acl } & Record<string, unknown>;
  const list_name = String(named ?? '').toLowerCase();
  if (!acl) return { list_name };
  const { owner, audience } = reachOf(acl);
  return { list_name, list_owner: owner, list_audience: audience };
}

/** A record with its list fields, if lists of its kind go by them. @param now epoch seconds */
export const withListFields = <R extends object>(
  { listed, isConnection }: { listed?: Listed; isConnection?: boolean },
  record: R,
  now: number,
): R => ({
  ...record,
  ...(listed && listFieldsOf(listed, record)),
  ...(isConnection && { list_changed_at: now }),
});

/** The query for all records with an access list that a caller may read; undefined = no limit. */
export const listedFor = (caller: Caller): Query | undefined =>
  readableBy(caller, [], { owner: 'list_owner', audience: 'list_audience' });

/** One index for each way to sort, with everything that lists are filtered by: page and total need no document. */
export function listIndexes({ sorts, filters = [] }: Listed, hasAcl: boolean): string[][] {
  const filtered = [...(hasAcl ? ['list_owner', 'list_audience'] : []), ...filters, 'form'];
  const indexOf = (field: string): string[] => {
    // By this one rows are brought up to date.
    const more = field === 'last_updated_at' ? ['version'] : [];
    return [...new Set([field, 'list_name', ...filtered, ...more])];
  };
  return [...['list_name', ...sorts].map(indexOf), ['form']];
}

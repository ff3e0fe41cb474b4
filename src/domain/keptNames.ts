import type { Caller } from '../contract/caller.ts';
import type { Doc } from '../ports/recordStore.ts';
import { mayRead, type WithAcl } from './acl.ts';
import { type ConnectionName, orderOf } from './connectionHealth.ts';
import type { RowStores, Slim } from './slimRows.ts';

type KeptName = ConnectionName & WithAcl & { order: string };

/** Name and type of connections that have these fields, and an access list. */
export const slimNames = <R extends Doc & WithAcl & Omit<ConnectionName, 'key'>>(
  collection: string,
): Slim<R, KeptName> => ({
  collection,
  fields: ['name', 'type', 'acl'],
  shape: ({ _key: key, name, type, acl }) => ({ key, name, type, acl, order: orderOf({ key, name }) }),
  compare: (a, b) => (a.order < b.order ? -1 : 1),
});

/** Those that the caller may read, in the order of their names. Undefined where the process keeps nothing. */
export async function keptNames<R extends Doc>(
  stores: RowStores,
  slim: Slim<R, KeptName>,
  caller: Caller,
): Promise<ConnectionName[] | undefined> {
  const all = await stores.rows?.of(stores, slim);
  return all?.filter((one) => mayRead(caller, one));
}

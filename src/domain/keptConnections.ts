import type { Caller } from '../contract/caller.ts';
import type { Doc } from '../ports/recordStore.ts';
import { mayRead, type WithAcl } from './acl.ts';
import { type Condition, type ConnectionName, orderOf } from './connectionHealth.ts';
import { type Changes, WRITTEN } from './documentChanges.ts';
import type { RowStores, Slim } from './slimRows.ts';

interface KeptConnection<C> extends WithAcl {
  /** Absent where the record is no connection. */
  connection?: C;
  order: string;
}

/** Name and type of connections that have these fields, and an access list. */
export const slimNames = <R extends Doc & WithAcl & Omit<ConnectionName, 'key'>>(collection: string) =>
  slim(collection, ['name', 'type', 'acl'], ({ _key: key, name, type }: R): ConnectionName => ({ key, name, type }));

/** How connections are that have an access list, as far as their records say it. */
export const slimConditions = <R extends Doc & WithAcl>(
  collection: string,
  fields: readonly string[],
  conditionOf: (record: R) => Condition,
) => slim(collection, fields, conditionOf, WRITTEN);

function slim<R extends Doc & WithAcl, C extends ConnectionName>(
  collection: string,
  fields: readonly string[],
  connectionOf: (record: R) => C,
  changes?: Changes,
): Slim<R, KeptConnection<C>> {
  return {
    collection,
    fields,
    ...(changes && { changes }),
    shape(record) {
      try {
        const connection = connectionOf(record);
        return { acl: record.acl, connection, order: orderOf(connection) };
      } catch {
        // What no app has written does not take their list from those who may not read it; for those who may, all are read.
        return { acl: record.acl, order: '' };
      }
    },
    compare: (a, b) => (a.order < b.order ? -1 : 1),
  };
}

/** Those that the caller may read, in the order of their names. Undefined where the process keeps nothing. */
export async function keptConnections<R extends Doc, C>(
  stores: RowStores,
  slim: Slim<R, KeptConnection<C>>,
  caller: Caller,
): Promise<C[] | undefined> {
  const all = await stores.rows?.ifKept(stores, slim);
  const connections = all?.filter((one) => mayRead(caller, one)).map(({ connection }) => connection);
  return connections?.every((one) => one !== undefined) ? connections : undefined;
}

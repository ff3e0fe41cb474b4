import type { Caller } from '../contract/caller.ts';
import type { Doc } from '../ports/recordStore.ts';
import { mayRead, type WithAcl } from './acl.ts';
import { type Condition, orderOf } from './connectionHealth.ts';
import { type RowStores, type Slim, WRITTEN } from './slimRows.ts';

type KeptCondition = WithAcl & { condition: Condition; order: string };

/** How connections are that have an access list, as far as their records say it. */
export const slimConditions = <R extends Doc & WithAcl>(
  collection: string,
  fields: readonly string[],
  conditionOf: (record: R) => Condition,
): Slim<R, KeptCondition> => ({
  collection,
  fields,
  changes: WRITTEN,
  shape(record) {
    const condition = conditionOf(record);
    return { acl: record.acl, condition, order: orderOf(condition) };
  },
  compare: (a, b) => (a.order < b.order ? -1 : 1),
});

/** Those that the caller may read, in the order of their names. Undefined where the process keeps nothing. */
export async function keptConditions<R extends Doc>(
  stores: RowStores,
  slim: Slim<R, KeptCondition>,
  caller: Caller,
): Promise<Condition[] | undefined> {
  const all = await stores.rows?.ifKept(stores, slim);
  return all?.filter((one) => mayRead(caller, one)).map(({ condition }) => condition);
}

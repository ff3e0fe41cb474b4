import type { Caller } from '../contract/caller.ts';
import type { Doc } from '../ports/recordStore.ts';
import { mayRead, type WithAcl } from './acl.ts';
import type { Condition } from './connectionHealth.ts';
import { type RowStores, type Slim, WRITTEN } from './slimRows.ts';

type KeptCondition = WithAcl & { condition: Condition };

/** How connections are that have an access list, as far as their records say it. */
export const slimConditions = <R extends Doc & WithAcl>(
  collection: string,
  fields: readonly string[],
  conditionOf: (record: R) => Condition,
): Slim<R, KeptCondition> => ({
  collection,
  fields,
  changes: WRITTEN,
  shape: (record) => ({ acl: record.acl, condition: conditionOf(record) }),
  compare: (a, b) => (a.condition.key < b.condition.key ? -1 : 1),
});

/** Those that the caller may read. Undefined where the process keeps nothing. */
export async function keptConditions<R extends Doc>(
  stores: RowStores,
  slim: Slim<R, KeptCondition>,
  caller: Caller,
): Promise<Condition[] | undefined> {
  const all = await stores.rows?.ifKept(stores, slim);
  return all?.filter((one) => mayRead(caller, one)).map(({ condition }) => condition);
}

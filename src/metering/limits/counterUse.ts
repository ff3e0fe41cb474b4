import type { LimitQuantity } from '../../contract/families/usageLimits.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { withoutFolded } from '../usage/sums.ts';
import {
  type CounterId,
  counterOf,
  readEnd,
  readShards,
  type ShardDoc,
  USAGE_COUNTERS,
  unclaimed,
} from './counterDocs.ts';

export type Consumption = Record<LimitQuantity, number>;

const NOTHING: Consumption = { requests: 0, tokens: 0, cost: 0 };

/** Reads what is used of a counter, at most 2 s late. @param countsRequests whether its limit counts requests exactly */
export async function readUse(records: RecordStore, id: CounterId, countsRequests: boolean): Promise<Consumption> {
  const counter = counterOf(id);
  const shards = await readShards(records, counter);
  const sums = shards.reduce<Consumption>(plus, NOTHING);
  if (!countsRequests) return sums;
  const end = await readEnd(records, counter);
  const returned = shards.flatMap((shard) => shard.returned);
  const free = await unclaimed(records, counter, returned, Number.POSITIVE_INFINITY);
  const held = shards.reduce((sum, shard) => sum + shard.held, 0);
  // A killed process may have spent more than it could write.
  return { ...sums, requests: Math.max(0, end - free.length - held) };
}

/** Reads what each user has used of a limit in a window. */
export async function readUses(
  records: RecordStore,
  { limit, ends }: Pick<CounterId, 'limit' | 'ends'>,
): Promise<Map<string, Consumption>> {
  const shards = await records.find<ShardDoc>(USAGE_COUNTERS, { query: { limit, kind: 'shard', ends } });
  const users = new Map<string, Consumption>();
  for (const shard of withoutFolded(shards)) {
    if (shard.user !== undefined) users.set(shard.user, plus(users.get(shard.user) ?? NOTHING, shard));
  }
  return users;
}

/**
 * Reads what was used in all windows that have not ended, with one call.
 * @param now epoch seconds
 * @returns what each user, or all together, used of a limit in the window that ends then
 */
export async function readAllUses(
  records: RecordStore,
  now: number,
): Promise<(limit: string, ends: number) => readonly Consumption[]> {
  const query = { kind: 'shard', ends: { $gt: now } };
  const uses = new Map<string, Map<string, Consumption>>();
  for (const shard of withoutFolded(await records.find<ShardDoc>(USAGE_COUNTERS, { query }))) {
    const key = `${shard.limit} ${shard.ends}`;
    const counters = uses.get(key) ?? new Map<string, Consumption>();
    uses.set(key, counters.set(shard.counter, plus(counters.get(shard.counter) ?? NOTHING, shard)));
  }
  return (limit, ends) => [...(uses.get(`${limit} ${ends}`)?.values() ?? [])];
}

const plus = (a: Consumption, b: Consumption): Consumption => ({
  requests: a.requests + b.requests,
  tokens: a.tokens + b.tokens,
  cost: a.cost + b.cost,
});

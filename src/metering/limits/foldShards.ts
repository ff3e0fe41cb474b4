import { Leases, WRITE_LEASE_MS } from '../../domain/locks/leases.ts';
import { withoutFolded } from '../usage/sums.ts';
import { type LimitStores, type ShardDoc, USAGE_COUNTERS } from './counterDocs.ts';

/** Fold only above this many closed documents. */
export const MANY_CLOSED = 20;
/** Members of a cluster see the document that contains others by then. */
const SEEN_AFTER_S = 60;

/**
 * Puts the documents of processes that have ended into one, which names them: a reader skips those that it names, so a crash
 * neither loses nor doubles anything. Removes them once every member has seen it.
 */
export async function foldShards({ records, clock, newId }: LimitStores, counter: string): Promise<void> {
  const lease = await new Leases(records, clock, newId).tryAcquire(`fold.${counter}`, WRITE_LEASE_MS);
  if (!lease) return;
  try {
    const now = clock.now() / 1000;
    const docs = await records.find<ShardDoc>(USAGE_COUNTERS, { query: { counter, kind: 'shard' } });
    const stored = new Set(docs.map(({ _key }) => _key));
    const shards = withoutFolded(docs);
    for (const { at, sources = [] } of shards) {
      if (at > now - SEEN_AFTER_S) continue;
      for (const key of sources) if (stored.has(key)) await records.remove(USAGE_COUNTERS, key);
    }
    const closed = shards.filter((shard) => shard.closed);
    const [first] = closed;
    if (!first || closed.length <= MANY_CLOSED) return;
    lease.assertHeld();
    await records.insert(USAGE_COUNTERS, foldedOf(first, closed, { now, member: clock.member }));
  } finally {
    await lease.release();
  }
}

function foldedOf(
  first: ShardDoc,
  closed: readonly ShardDoc[],
  { now, member }: { now: number; member: string },
): ShardDoc {
  const sum = (of: 'requests' | 'tokens' | 'cost') => closed.reduce((total, shard) => total + shard[of], 0);
  const foldings = closed.flatMap(({ folding }) => folding ?? []);
  // The key can be inserted once, also by two processes that fold at once, or after a lost answer.
  const folding = Math.max(0, ...foldings) + 1;
  const process = `folded-${folding}`;
  return {
    ...first,
    _key: `${first.counter}.s${process}`,
    process,
    member,
    at: now,
    folding,
    requests: sum('requests'),
    tokens: sum('tokens'),
    cost: sum('cost'),
    held: 0,
    open: [],
    returned: closed.flatMap(({ returned }) => returned),
    sources: closed.map(({ _key }) => _key),
  };
}

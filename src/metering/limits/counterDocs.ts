import { createHash } from 'node:crypto';
import type { LimitWindow } from '../../contract/families/usageLimits.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { type Doc, type RecordStore, UnreadableDoc } from '../../ports/stores/recordStore.ts';
import { withoutFolded } from '../usage/sums.ts';

export const USAGE_COUNTERS = 'ml_usage_counters';

export type LimitStores = Pick<Stores, 'records' | 'clock' | 'newId' | 'log'>;

/** Identifies what one limit counts of one user, or of all, in one window. */
export interface CounterId {
  /** The limit's immutable id. */
  limit: string;
  window: LimitWindow;
  /** End of the window, epoch seconds. */
  ends: number;
  /** Undefined = all users together. */
  user: string | undefined;
}

/** A hash, since the names of users have any length. */
const subjectOf = (user: string | undefined): string =>
  user === undefined ? 'all' : `u${createHash('sha256').update(user).digest('hex').slice(0, 32)}`;

export const counterOf = ({ limit, window, ends, user }: CounterId): string =>
  `${ends}.${window}.${limit}.${subjectOf(user)}`;

interface CounterDoc extends Doc {
  counter: string;
  /** End of the window, epoch seconds. */
  ends: number;
  process: string;
}

/** Positions of the largest block. */
export const MAX_BLOCK = 200;

/** A block of a chain: the requests `position … position + size - 1`. Inserted once, never changed. */
export interface BlockDoc extends CounterDoc {
  kind: 'block';
  position: number;
  size: number;
}

/** A request of the chain; each return raises its generation. */
export interface Position {
  at: number;
  generation: number;
}

/** Positions that their owner gave back, for anybody to claim. */
export interface ReturnedRange {
  from: number;
  to: number;
  generation: number;
}

/** Takes a position that was given back. Inserted once, never changed. */
export interface ClaimDoc extends CounterDoc {
  kind: 'claim';
}

export interface Reservation {
  tokens: number;
  /** US dollars. */
  cost: number;
  /** Epoch seconds: it does not count from then on. */
  until: number;
}

/** One process's use of a counter. Only this process writes it. */
export interface ShardDoc extends CounterDoc {
  kind: 'shard';
  limit: string;
  user?: string;
  /** The member of the cluster that wrote it. */
  member: string;
  /** Time of the write, epoch seconds. */
  at: number;
  requests: number;
  tokens: number;
  cost: number;
  /** Positions of its blocks that it has not spent. */
  held: number;
  open: Reservation[];
  returned: ReturnedRange[];
  /** Its process has ended, so that it is not written again. */
  closed?: true;
  /** How often documents of the counter were folded; only in a document that contains others. */
  folding?: number;
  /** Documents whose sums this one contains: who reads both skips those. */
  sources?: string[];
}

export const blockKey = (counter: string, position: number): string =>
  `${counter}.b${String(position).padStart(12, '0')}`;
export const claimKey = (counter: string, { at, generation }: Position): string => `${counter}.c${at}-${generation}`;

/** The shards of a counter, without those that another contains. */
export async function readShards(records: RecordStore, counter: string): Promise<ShardDoc[]> {
  return withoutFolded(await records.find<ShardDoc>(USAGE_COUNTERS, { query: { counter, kind: 'shard' } }));
}

/** The last position of a chain that is taken. @param least the chain is at least as long */
export async function readEnd(records: RecordStore, counter: string, least = 0): Promise<number> {
  // Behind damaged blocks there may be sound ones.
  for (let skip = 0; ; skip += 1) {
    const [last] = await records.find<BlockDoc>(USAGE_COUNTERS, {
      query: { counter, kind: 'block', position: { $gt: least } },
      fields: ['kind', 'position', 'size'],
      sort: 'position:-1',
      limit: 1,
      keepsUnreadable: true,
      ...(skip > 0 ? { skip } : {}),
    });
    if (!last) return least;
    if (!(last instanceof UnreadableDoc)) return last.position + last.size - 1;
  }
}

/** Positions of these, up to `last`, that nobody has claimed, in their order. */
export async function unclaimed(
  records: RecordStore,
  counter: string,
  returned: readonly ReturnedRange[],
  last: number,
): Promise<Position[]> {
  // A longer range is damaged: a block has no more positions.
  const ranges = returned.filter(({ from, to }) => to - from < MAX_BLOCK);
  const positions = ranges.flatMap(({ from, to, generation }) =>
    Array.from({ length: Math.max(0, Math.min(to, last) - from + 1) }, (_, index) => ({
      at: from + index,
      generation,
    })),
  );
  if (positions.length === 0) return [];
  const claims = await records.find<ClaimDoc>(USAGE_COUNTERS, {
    query: { counter, kind: 'claim' },
    fields: ['kind', 'counter'],
  });
  const taken = new Set(claims.map(({ _key }) => _key));
  return positions.filter((position) => !taken.has(claimKey(counter, position))).sort((a, b) => a.at - b.at);
}

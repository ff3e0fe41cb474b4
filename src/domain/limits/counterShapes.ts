import type { CollectionShape, ShapeOf } from '../records/shape.ts';
import * as is from '../records/shape.ts';
import {
  type BlockDoc,
  type ClaimDoc,
  MAX_BLOCK,
  type Reservation,
  type Returned,
  type ShardDoc,
  USAGE_COUNTERS,
} from './counterDocs.ts';

const natural: is.Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const amount: is.Check = (value) => Number.isFinite(value) && (value as number) >= 0;

const counted = { counter: is.text, ends: is.number, process: is.text };

const block: ShapeOf<BlockDoc> = {
  ...counted,
  kind: is.text,
  position: natural,
  size: (value) => natural(value) && (value as number) <= MAX_BLOCK,
};

const claim: ShapeOf<ClaimDoc> = { ...counted, kind: is.text };

/** Each position of a range becomes a value, so a range is no longer than the largest block. */
const isRange: is.Check = (value) => {
  const isNumbers = is.fields<Returned>({ from: natural, to: natural, generation: natural })(value);
  const { from, to } = (value ?? {}) as Returned;
  return isNumbers && to - from < MAX_BLOCK;
};

const shard: ShapeOf<ShardDoc> = {
  ...counted,
  kind: is.text,
  limit: is.text,
  user: is.optional(is.text),
  member: is.text,
  at: is.number,
  // Uses that were given back elsewhere make the sum of a process negative.
  requests: is.number,
  tokens: amount,
  cost: amount,
  held: natural,
  open: is.arrayOf(is.fields<Reservation>({ tokens: amount, cost: amount, until: is.number })),
  returned: is.arrayOf(isRange),
  closed: is.optional(is.flag),
  folding: is.optional(natural),
  sources: is.optional(is.texts),
};

/** A counter goes on without a document that cannot be read. Documents of other kinds are those of messages and predictions. */
export const counterShapes: Record<string, CollectionShape> = {
  [USAGE_COUNTERS]: {
    family: 'usage_limits',
    shape: { kind: is.text, ends: is.number },
    kinds: { block, claim, shard },
    replaceable: true,
  },
};

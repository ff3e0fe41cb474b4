import { Type } from 'typebox';
import { StringList } from '../../contract/schemas/stored.ts';
import { MAX_BLOCK } from '../../metering/limits/counterDocs.ts';

const Natural = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Amount = Type.Number({ minimum: 0, maximum: Number.MAX_VALUE });
const counted = { counter: Type.String(), ends: Type.Number(), process: Type.String() };

export const StoredCounter = Type.Object({ kind: Type.String(), ends: Type.Number() });

/** Further fields of documents of a kind; documents of messages and predictions have none. */
export const STORED_COUNTER_KINDS = {
  block: Type.Object({ ...counted, position: Natural, size: Type.Integer({ minimum: 0, maximum: MAX_BLOCK }) }),
  claim: Type.Object(counted),
  shard: Type.Object({
    ...counted,
    limit: Type.String(),
    user: Type.Optional(Type.String()),
    member: Type.String(),
    at: Type.Number(),
    // Uses that were given back elsewhere make the sum of a process negative.
    requests: Type.Number(),
    tokens: Amount,
    cost: Amount,
    held: Natural,
    open: Type.Array(Type.Object({ tokens: Amount, cost: Amount, until: Type.Number() })),
    returned: Type.Array(Type.Object({ from: Natural, to: Natural, generation: Natural })),
    closed: Type.Optional(Type.Boolean()),
    folding: Type.Optional(Natural),
    sources: Type.Optional(StringList),
  }),
};

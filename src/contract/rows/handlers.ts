import type { Caller } from '../caller.ts';
import type { CallOf, Endpoint, ReplyOf } from './endpoint.ts';
import type { InternalCalls, IsPlanned } from './internalCalls.ts';

/** What every handler gets beside the typed parts of its row. */
export interface CallContext {
  caller: Caller;
  /** What the call creates and the server names. The id is a UUIDv4 without dashes; the audit trail knows it before the work begins. */
  created: { readonly id: string };
  /** `If-Match`, `?version=` or `version`: the change is made only while the record has this version. */
  condition: number | undefined;
  /** Messages for the caller that are not a reason to fail. */
  warnings: string[];
  /** Calls of other rows in the caller's name. */
  calls: InternalCalls;
}

/** One handler for each row of a family: a missing or a stray one does not compile. */
export type Handlers<Rows extends Readonly<Record<string, Omit<Endpoint, 'id'>>>> = {
  [Id in keyof Rows]: (call: CallOf<Rows[Id]> & CallContext) => Promise<ReplyOf<Rows[Id]>>;
};

/** Throws `validation_failed` for what is wrong with a body beyond its schema; may take its time. */
type Rules<Body, Query> = (body: Body, query: Query) => unknown;

/** The record that a call would create or change, as it would be. Writes nothing. @throws Fault as the call itself */
type Draft<Call> = (call: Call & { isPlanned: IsPlanned }) => Promise<object>;

/** A handler as the pipeline calls it: the row has checked what the types say. */
export type AnyHandler = ((
  call: CallContext & { params: unknown; query: unknown; body: unknown; file: unknown },
) => Promise<object>) & { rules?: Rules<never, never>; draft?: Draft<never> };

/**
 * A handler whose rules beyond the schema are also applied to a body that fails the schema, so that the caller hears of
 * every problem at once. `rules` throws `validation_failed`; what else it throws on a malformed body is passed over.
 */
export function withValidation<H, Body, Query>(handler: H, rules: Rules<Body, Query>): H {
  return Object.assign(handler as object, { rules }) as H;
}

/** A handler of a create or an update, and what it would make of the record: an import plans with it. */
export function withDraft<Call, Reply>(
  handler: (call: Call) => Promise<Reply>,
  draft: Draft<Call>,
): (call: Call) => Promise<Reply> {
  return Object.assign(handler, { draft });
}

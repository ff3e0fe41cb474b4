import type { Caller } from '../caller.ts';
import type { CallOf, Endpoint, ReplyOf } from './endpoint.ts';
import type { InternalCalls, IsPlanned } from './internalCalls.ts';

/** Context of every call. */
export interface CallContext {
  caller: Caller;
  /** As in the failure and the log. */
  requestId: string;
  /** Id of a record that the call creates: a UUIDv4 without dashes, known to the audit trail before the work begins. */
  created: { readonly id: string };
  /** Required version of the record, from `If-Match`, `?version=` or `version`. */
  condition: number | undefined;
  warnings: string[];
  /** Whether the record comes from a document that is imported. */
  isImport?: boolean | undefined;
  /** Calls other endpoints as the same caller. */
  calls: InternalCalls;
}

/** One handler per endpoint of a family; a missing or extra one does not compile. */
export type Handlers<Rows extends Readonly<Record<string, Omit<Endpoint, 'id'>>>> = {
  [Id in keyof Rows]: (call: CallOf<Rows[Id]> & CallContext) => Promise<ReplyOf<Rows[Id]>>;
};

/** Rules that a schema cannot express. @throws Fault `validation_failed` */
type Rules<Body, Query> = (body: Body, query: Query) => unknown;

/** Returns the record that a call would leave, without writing. @throws Fault as the call */
type DraftHandler<Call> = (call: Call & { isPlanned: IsPlanned }) => Promise<object>;

/** Called for each call that fails, whether the handler was reached or not. Must not reject. */
type RefusalHandler = (call: RefusedCall, error: unknown) => Promise<void>;

/** A call that has failed. */
export interface RefusedCall {
  caller: Caller;
  /** As it came: perhaps it was refused before it was checked. Undefined if it is no JSON, or too large to be read. */
  body: unknown;
}

/** A handler as the pipeline calls it, after validation. */
export type AnyHandler = ((
  call: CallContext & { params: unknown; query: unknown; body: unknown; file: unknown; rawBody: unknown },
) => Promise<object>) & { rules?: Rules<never, never>; draft?: DraftHandler<never>; refused?: RefusalHandler };

/**
 * Applies `rules` also to a body that fails the schema, so that the caller gets all problems at once. Errors of `rules` other
 * than `validation_failed` are ignored for such a body.
 */
export function withValidation<H, Body, Query>(handler: H, rules: Rules<Body, Query>): H {
  return Object.assign(handler as object, { rules }) as H;
}

/** Adds a draft to the handler of a create or update; an import plans with it. */
export function withDraft<Call, Reply>(
  handler: (call: Call) => Promise<Reply>,
  draft: DraftHandler<Call>,
): (call: Call) => Promise<Reply> {
  return Object.assign(handler, { draft });
}

/** Adds a function that is called for each call that fails. */
export function withRefusals<Call, Reply>(
  handler: (call: Call) => Promise<Reply>,
  refused: RefusalHandler,
): (call: Call) => Promise<Reply> {
  return Object.assign(handler, { refused });
}

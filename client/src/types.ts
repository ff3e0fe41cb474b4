import type { Operations } from './operations.ts';

export type OperationId = keyof Operations;

/** Input of an operation. */
export type Input<Id extends OperationId> = Omit<Operations[Id], 'reply'>;
export type Reply<Id extends OperationId> = Operations[Id]['reply'];

type KeysOf<Value> = string extends keyof Value ? never : keyof Value;
/** The operations that answer a list in pages. */
export type ListingId = { [Id in OperationId]: 'pagination' extends KeysOf<Reply<Id>> ? Id : never }[OperationId];
/** An entry of a list. */
export type Item<Id extends ListingId> = Reply<Id> extends { result?: Array<infer Entry> } ? Entry : never;

type QueryOf<Id extends ListingId> = Input<Id> extends { query?: infer Query } ? Query : never;
/** Query of a list. Its pages are the iterator's business; `name` would answer one record, not a list. */
export type ListingInput<Id extends ListingId> = Omit<Input<Id>, 'query'> & {
  query?: Omit<NonNullable<QueryOf<Id>>, 'count' | 'offset' | 'name'>;
};

export interface CallOptions {
  /** Ends the call: it then rejects with the signal's own reason. */
  signal?: AbortSignal;
  /** Milliseconds for this call with all its tries, in place of those of the client; `Infinity` = no end. */
  timeoutMs?: number;
  /** How many times this call may be repeated, in place of the number that the client has. */
  retries?: number;
}

export interface ListingOptions extends CallOptions {
  /** Entries that one call asks for, 100 unless given. `timeoutMs` and `retries` apply to each call. */
  pageSize?: number;
}

/** The arguments behind the id: the input may be left out where nothing in it is required. */
export type CallArguments<Id extends OperationId> =
  Record<string, never> extends Input<Id>
    ? [input?: Input<Id>, options?: CallOptions]
    : [input: Input<Id>, options?: CallOptions];
export type ListingArguments<Id extends ListingId> =
  Record<string, never> extends ListingInput<Id>
    ? [input?: ListingInput<Id>, options?: ListingOptions]
    : [input: ListingInput<Id>, options?: ListingOptions];

/** An input whose operation is not known at compile time. */
export interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  ifMatch?: number;
  body?: unknown;
}

import type { SearchModels } from '../ports/onnx/onnxRuntime.ts';
import type { Clock } from '../ports/platform/clock.ts';
import type { AgentsApi, ApiAnswer, GatewayApi, HealthApi, RunsApi, UsageApi } from '../ports/platform/ownApi.ts';
import type { CsvTable } from './csvTable.ts';
import type { Row } from './rows.ts';

/** Ends the search with this message. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}

/** The part of `searchinfo` for commands. Contains the user's session: never log it. */
export interface SearchInfo {
  sessionKey: string;
  serverUri: string;
  /** Id of the search; empty where the platform names none. */
  sid: string;
  maxRows: number;
}

/** Dependencies of commands; each API is loaded on first use. */
export interface CommandParts {
  agents(info: SearchInfo): Promise<AgentsApi>;
  health(info: SearchInfo): Promise<HealthApi>;
  usage(info: SearchInfo): Promise<UsageApi>;
  gateway(info: SearchInfo): Promise<GatewayApi>;
  models(info: SearchInfo): Promise<SearchModels>;
  runs(info: SearchInfo): Promise<RunsApi>;
  clock: Clock;
}

/** One argument of a command, `name=value`. */
export interface Argument<T> {
  /** The value's syntax in help texts. */
  syntax: string;
  help: string;
  /** @throws SearchError */
  read(text: string, name: string): T;
}
export interface RequiredArgument<T> extends Argument<T> {
  isRequired: true;
}
export type Arguments = Readonly<Record<string, Argument<unknown> & { isRequired?: true }>>;
type ValueOf<T> = T extends Argument<infer V> ? V : never;
type RequiredNames<A> = { [K in keyof A]: A[K] extends RequiredArgument<unknown> ? K : never }[keyof A];
export type Values<A extends Arguments> = { readonly [K in RequiredNames<A>]: ValueOf<A[K]> } & {
  readonly [K in Exclude<keyof A, RequiredNames<A>>]?: ValueOf<A[K]>;
};

interface CommandRow<A extends Arguments> {
  /** The platform accepts only lowercase letters and digits. */
  name: string;
  arguments: A;
  /** Describes arguments with other names, if the command takes any. */
  others?: { syntax: string; help: string };
  /** Fields of generated rows, or fields that a streaming command adds. */
  fields: readonly string[];
  /** The platform warns before it runs such a command from a link: it sends data elsewhere. */
  isRisky?: true;
  help: {
    summary: string;
    description: string;
    examples: readonly { search: string; comment: string }[];
    tags: string;
  };
}

export interface Output {
  rows: readonly Row[];
  messages?: readonly (readonly ['ERROR' | 'WARN' | 'INFO', string])[];
  last?: boolean;
}

/** The first command of a search: yields one output for each chunk that the platform requests. */
export interface GeneratingCommand<A extends Arguments = Arguments> extends CommandRow<A> {
  kind: 'generating';
  /** The fields of the rows with these arguments; default: `fields`. */
  columns?(values: Values<A>): readonly string[];
  /** Only checks the arguments: the platform also sends getinfo without running the search. @throws SearchError */
  prepare(values: Values<A>): (info: SearchInfo, parts: CommandParts) => AsyncGenerator<Output>;
}

/** Transforms one chunk of rows. `signal` aborts when the search is cancelled. */
export type Transform = (
  rows: readonly Row[],
  chunk: { isLast: boolean; signal: AbortSignal },
) => Output | Promise<Output>;

/** How rows are generated. */
export interface Generation {
  fields: readonly string[];
  start(info: SearchInfo, parts: CommandParts): AsyncGenerator<Output>;
}

/** Follows other commands. Chunks arrive one at a time and in order; a chunk may be empty. */
export interface StreamingCommand<A extends Arguments = Arguments> extends CommandRow<A> {
  kind: 'streaming';
  /** `reporting` replaces all rows by a result. Default: always `stateful`, which runs on the search head. */
  type?(values: Values<A>): 'stateful' | 'reporting';
  /**
   * Makes the command the first of a search with these arguments: it generates rows then.
   * @throws SearchError
   */
  generates?(values: Values<A>): Generation | undefined;
  /**
   * Only checks the arguments: the platform also sends getinfo without running the search.
   * @param others arguments that are not in the table
   * @throws SearchError
   */
  prepare(values: Values<A>, others: ReadonlyMap<string, string>): (info: SearchInfo, parts: CommandParts) => Transform;
}

/** The columns of a chunk that a command adds. */
export interface AddedColumns {
  columns: ReadonlyMap<string, readonly string[]>;
  messages?: Output['messages'];
}

/** Adds columns to one chunk of rows after the other. */
export interface ColumnStep {
  /** Called before the rows of a chunk are read, which takes a while: starts what they will need. */
  prepare(): void;
  /** Chunks arrive one at a time and in order. `signal` aborts when the search is cancelled. */
  add(table: CsvTable, chunk: { isLast: boolean; signal: AbortSignal }): Promise<AddedColumns>;
  /** Called once after the last chunk, a failure, or the end of a cancelled search. */
  end(): Promise<void>;
}

/** Follows other commands and adds columns to their rows, which it reads by column: for many rows. */
export interface ColumnCommand<A extends Arguments = Arguments> extends CommandRow<A> {
  kind: 'columns';
  /** Only checks the arguments: the platform also sends getinfo without running the search. @throws SearchError */
  prepare(values: Values<A>): (info: SearchInfo, parts: CommandParts) => ColumnStep;
}

/** @param what plural noun for the message, such as `agents` @throws SearchError */
export function expectBody(what: string, { status, body }: ApiAnswer): ApiAnswer['body'] {
  if (status === 200) return body;
  throw new SearchError(`The ${what} cannot be read (${status}): ${String(body.message ?? 'no reason given')}`);
}

export type Command = GeneratingCommand | StreamingCommand | ColumnCommand;

export const generating = <A extends Arguments>(row: Omit<GeneratingCommand<A>, 'kind'>): GeneratingCommand<A> => ({
  kind: 'generating',
  ...row,
});

export const streaming = <A extends Arguments>(row: Omit<StreamingCommand<A>, 'kind'>): StreamingCommand<A> => ({
  kind: 'streaming',
  ...row,
});

export const adding = <A extends Arguments>(row: Omit<ColumnCommand<A>, 'kind'>): ColumnCommand<A> => ({
  kind: 'columns',
  ...row,
});

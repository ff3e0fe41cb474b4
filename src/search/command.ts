import type { SearchModels } from '../ports/onnx/onnxRuntime.ts';
import type { Clock } from '../ports/platform/clock.ts';
import type {
  AgentsApi,
  ApiAnswer,
  CatalogueApi,
  GatewayApi,
  HealthApi,
  RunsApi,
  UsageApi,
} from '../ports/platform/ownApi.ts';
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
  catalogue(info: SearchInfo): Promise<CatalogueApi>;
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

/** Messages of a reply, with their severity. */
export type Messages = readonly (readonly ['ERROR' | 'WARN' | 'INFO', string])[];

/** Rows of a reply. */
export interface Output {
  rows: readonly Row[];
  messages?: Messages;
  /** Whether a generator has no more rows. */
  last?: boolean;
}

/** Columns that a reply adds to the rows of its chunk. */
export interface AddedColumns {
  columns: ReadonlyMap<string, readonly string[]>;
  messages?: Messages;
}

/** Makes the rows of a search, as its first command. */
export interface RowSource {
  fields: readonly string[];
  /** Yields one output for each chunk that the platform requests. */
  generate(info: SearchInfo, parts: CommandParts): AsyncGenerator<Output>;
}

/** Follows other commands and changes their rows. */
export interface RowTransform {
  /** `reporting` replaces all rows by a result. Default: `stateful`, which runs on the search head. */
  type?: 'reporting';
  start(info: SearchInfo, parts: CommandParts): Step;
}

/** Changes one chunk of rows after the other. */
export interface Step {
  /** Called before the rows of a chunk are read, which takes a while: starts what they will need. */
  prepare?(): void;
  /** Chunks arrive one at a time and in order; a chunk may be empty. `signal` aborts when the search is cancelled. */
  next(table: CsvTable, chunk: { isLast: boolean; signal: AbortSignal }): Promise<Output | AddedColumns>;
  /** Called once after the last chunk, a failure, or the end of a cancelled search. */
  end?(): Promise<void>;
}

/** How a command serves a search with its arguments. */
export type Plan = RowSource | RowTransform;

/** A search command: a row of the table. */
export interface Command<A extends Arguments = Arguments, P extends Plan = Plan> {
  /** The platform accepts only lowercase letters and digits. */
  name: string;
  /** Whether it is the first command of a search or follows others, for the documentation. */
  kind: 'generating' | 'streaming';
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
  /**
   * Only checks the arguments: the platform also sends getinfo without running the search.
   * @param others arguments that are not in the table
   * @throws SearchError
   */
  prepare(values: Values<A>, others: ReadonlyMap<string, string>): P;
}

/** Infers the types of the arguments and of the plan. */
export const command = <A extends Arguments, P extends Plan>(row: Command<A, P>): Command<A, P> => row;

/** @param what plural noun for the message, such as `agents` @throws SearchError */
export function expectBody(what: string, { status, body }: ApiAnswer): ApiAnswer['body'] {
  if (status === 200) return body;
  throw refusal(`The ${what} cannot be read`, { status, body });
}

/** @param failure what cannot be done */
export const refusal = (failure: string, { status, body }: ApiAnswer): SearchError =>
  new SearchError(`${failure} (${status}): ${String(body.message ?? 'no reason given')}`);

/** Rows in as many outputs as the platform takes at a time, at least one; the messages go with the first. */
export function* pagesOf(
  rows: readonly Row[],
  { maxRows }: SearchInfo,
  { messages = [], last }: { messages?: Messages; last: boolean },
): Generator<Output> {
  for (let from = 0; from === 0 || from < rows.length; from += maxRows) {
    const page = { rows: rows.slice(from, from + maxRows), last: last && from + maxRows >= rows.length };
    yield from === 0 ? { ...page, messages } : page;
  }
}

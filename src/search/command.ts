import type { Clock } from '../ports/platform/clock.ts';
import type { AgentsApi, HealthApi } from '../ports/platform/ownApi.ts';
import type { Row } from './rows.ts';

/** What the user typed is wrong, or the search cannot be done at all: its text becomes the search's error. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}

/** The part of `searchinfo` that a command may use. Holds the user's session: never log it. */
export interface SearchInfo {
  sessionKey: string;
  serverUri: string;
  maxRows: number;
}

/** What commands work with; each API is loaded when it is first asked for. */
export interface CommandParts {
  agents(info: SearchInfo): Promise<AgentsApi>;
  health(info: SearchInfo): Promise<HealthApi>;
  clock: Clock;
}

/** One argument of a command, `name=value`. */
export interface Argument<T> {
  /** What stands behind the `=` in a description of the syntax. */
  syntax: string;
  help: string;
  /** @throws SearchError */
  read(text: string, name: string): T;
}
export type Arguments = Readonly<Record<string, Argument<unknown>>>;
/** The arguments that a user gave. */
export type Values<A extends Arguments> = { readonly [K in keyof A]?: A[K] extends Argument<infer T> ? T : never };

interface CommandRow<A extends Arguments> {
  /** Lowercase letters and digits only: the platform takes no other name. */
  name: string;
  arguments: A;
  /** Fields of its rows, or those that a streaming command adds to the rows of others. */
  fields: readonly string[];
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
  /** Nothing comes after it. */
  last?: boolean;
}

/** Stands first in a search and makes its rows, one output for each chunk that the platform asks for. */
export interface GeneratingCommand<A extends Arguments = Arguments> extends CommandRow<A> {
  kind: 'generating';
  /** Checks the arguments and does nothing else: getinfo comes without a search, too. @throws SearchError */
  prepare(values: Values<A>): (info: SearchInfo, parts: CommandParts) => AsyncGenerator<Output>;
}

/** Turns one chunk of rows into another. `signal` aborts when the search is cancelled. */
export type Transform = (
  rows: readonly Row[],
  chunk: { isLast: boolean; signal: AbortSignal },
) => Output | Promise<Output>;

/** Stands behind other commands. Chunks come one at a time, in the order of the search; a chunk may be empty. */
export interface StreamingCommand<A extends Arguments = Arguments> extends CommandRow<A> {
  kind: 'streaming';
  /** Checks the arguments and does nothing else: getinfo comes without a search, too. @throws SearchError */
  prepare(values: Values<A>): (info: SearchInfo, parts: CommandParts) => Transform;
}

export type Command = GeneratingCommand | StreamingCommand;

export const generating = <A extends Arguments>(row: Omit<GeneratingCommand<A>, 'kind'>): GeneratingCommand<A> => ({
  kind: 'generating',
  ...row,
});

export const streaming = <A extends Arguments>(row: Omit<StreamingCommand<A>, 'kind'>): StreamingCommand<A> => ({
  kind: 'streaming',
  ...row,
});

import type { PlatformMessage } from '../../http/reply.ts';
import type { PlatformCaller } from '../../http/request.ts';
import type { Batch } from '../results/rows.ts';
import type { EventReader } from './events.ts';
import type { SearchPart } from './spl.ts';
import type { TimeRange } from './times.ts';

/** The rows of a lookup table; text alone, as everything in it is. */
export interface LookupTable {
  columns: string[];
  rows: Record<string, string>[];
  isCaseSensitive: boolean;
  /** Fields whose values in the table are patterns with wildcards. */
  matchesWildcards: readonly string[];
  mostMatches: number;
  /** The value of fields without a match, if the definition has one. */
  defaultMatch: string | undefined;
}

/** The arguments of `sendalert`. */
export interface AlertCall {
  action: string;
  params: Readonly<Record<string, string>>;
  resultsLink: string | undefined;
}

/** The data that the commands of one search may read, all of it as its caller. */
export interface SearchContext {
  caller: PlatformCaller;
  /** Epoch milliseconds of the dispatch. */
  now: number;
  range: TimeRange;
  events: EventReader;
  /** The name of this server in results. */
  serverName: string;
  /** Reads a table for a command; throws ArgumentError where the caller has none of that name. */
  lookup(command: string, name: string): Promise<LookupTable>;
  /** Runs an alert action over rows, to its end; throws ArgumentError where it fails. */
  sendalert(call: AlertCall, results: Batch): Promise<void>;
  message(type: PlatformMessage['type'], text: string): void;
  /** Adds to the counters of the job. */
  counted(scanned: number, events: number): void;
  /** Runs a nested search to its end. @param input the rows before it, if it is not a search of its own */
  run(parts: readonly SearchPart[], input?: Batch): Promise<Batch>;
}

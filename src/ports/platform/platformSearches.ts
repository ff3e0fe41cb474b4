import type { Upstream } from './upstream.ts';

/** A search that is run for its rows. */
export interface PlatformSearch {
  search: string;
  /** Time modifier, ISO 8601 or epoch seconds; so is `latest`. */
  earliest: string;
  latest: string;
  app: string;
  /** Rows that are read. */
  maxRows: number;
  /** After so many seconds the search ends with the rows that it has. */
  timeoutS: number;
  /** Whether automatic lookups run. */
  enableLookups: boolean;
}

export interface PlatformMessage {
  /** FATAL, ERROR, WARN, INFO or DEBUG. */
  type: string;
  text: string;
}

/** Rows in the form of the platform: all values are text or lists of text. */
export interface PlatformRows {
  sid?: string;
  fields: string[];
  rows: Readonly<Record<string, unknown>>[];
  /** All rows, of which some may not have been read. */
  total: number;
  /** There may be more rows than `total`. */
  isPartial: boolean;
  /** ISO 8601, where the rows are of a range of time. */
  earliest?: string;
  latest?: string;
  messages: PlatformMessage[];
}

export interface PlatformMacro {
  definition: string;
  args: string[];
  isEval: boolean;
}

export type LookupKind = 'file' | 'kvstore' | 'geo' | 'external';

/** Lists of the platform that are read without a search. */
export type PlatformList = 'indexes' | 'lookups' | 'data_models' | 'saved_searches';

/** Where names of the platform are looked up: as this user sees them in this app. */
export interface PlatformPlace {
  user: string;
  app: string;
}

export interface ListTerms {
  /** Roles of the caller, with the imported ones: indexes that none of them may search are left out. */
  roles: readonly string[];
  /** Only entries that contain it. */
  text?: string | undefined;
}

/** Searches with the caller's session, so with the caller's rights, index rights and quotas. */
export interface PlatformSearches {
  /**
   * Runs a search until it ends or its time is over; it is cancelled when `upstream` is aborted.
   * @throws Fault `search_failed`, `too_many_searches`, `store_unavailable`; OutboundError `timeout`
   */
  run(user: string, search: PlatformSearch, upstream: Upstream): Promise<PlatformRows>;
  /**
   * Names of the commands of a search, as the platform's parser reads it; those of subsearches are not among them.
   * @returns undefined where the parser cannot be asked
   * @throws Fault `search_failed` with the text of the parser
   */
  commandsOf(place: PlatformPlace, search: string): Promise<string[] | undefined>;
  /** Null where the caller has no such macro. At most a minute old. @throws Fault `store_unavailable` */
  macro(place: PlatformPlace, name: string, args: number): Promise<PlatformMacro | null>;
  /** Kinds of the lookups that the caller sees, by name. At most a minute old. @throws Fault `store_unavailable` */
  lookups(place: PlatformPlace): Promise<ReadonlyMap<string, LookupKind>>;
  /** @throws Fault `search_failed`, `store_unavailable` */
  list(list: PlatformList, place: PlatformPlace, terms: ListTerms): Promise<PlatformRows>;
}

import type { Capability } from '../../../src/contract/capabilities.ts';

/** A reply as a client sees it. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked at as a client sees them, without types.
  json: any;
}

/** The app with its platform, as far as a suite can tell: in memory, or as it is installed. */
export interface World {
  /** @param path with its query, below `/ml`; text goes as it is, anything else as JSON */
  call(
    user: string,
    method: string,
    path: string,
    body?: object | string,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** What one of the app's collections holds. */
  records(collection: string): Promise<Record<string, unknown>[]>;
  /** Puts a document into one of them as if somebody had saved it there. */
  store(collection: string, document: { _key: string } & Record<string, unknown>): Promise<void>;
  /** Takes a document of them away. */
  remove(collection: string, key: string): Promise<void>;
  /** The secrets of the record of this name, by their paths; undefined if it has none. */
  secretsOf(collection: string, name: string): Promise<Record<string, string> | undefined>;
  /** References to all secrets that are stored. */
  secretRefs(): Promise<string[]>;
  /** Where one of these texts, which nothing but the password storage may know, can be read in records or logs. */
  leaks(...texts: string[]): Promise<string[]>;
  /** Seconds, as records carry them. */
  now(): number;
  /** Comes back at a later moment than it was called. */
  later(): Promise<void>;
}

/** What a suite finds before each of its tests. */
export interface Setting {
  /** User -> roles. Those of the app and `admin` can do what they can do; others are made. */
  users: Readonly<Record<string, readonly string[]>>;
  /** What roles of its own are capable of. */
  roles?: Readonly<Record<string, readonly Capability[]>>;
  /** Collections that are emptied. */
  collections: readonly string[];
  /** Whether servers are called over HTTP in memory, too. */
  servers?: boolean;
}

/** Opens a world for the tests of the `describe` that it is called in. */
export type OpenWorld = (setting: Setting) => World;

/** Records are named by one of two fields, as their family says. */
export const isNamed =
  (text: string) =>
  ({ name, connection_name }: Record<string, unknown>): boolean =>
    (name ?? connection_name) === text;

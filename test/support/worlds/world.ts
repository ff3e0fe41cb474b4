import type { Capability } from '../../../src/contract/capabilities.ts';

/** A reply as a client sees it. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked at as a client sees them, without types.
  json: any;
}

/** Lookup files of the platform. A place is the user whom they belong to; `nobody` has those of an app itself. */
export interface Lookups {
  /** As if somebody had saved it there; in our own app unless told otherwise. */
  put(owner: string, name: string, content: string | Uint8Array, app?: string): void;
  /** One of our app. */
  read(owner: string, name: string): Buffer | undefined;
  /** `<place>/<name>` of those of all apps that hold models. */
  models(): string[];
}

/** The app with its platform, as far as a suite can tell: in memory, or as it is installed. */
export interface World {
  /** @param path with its query, below `/ml`; text and bytes go as they are, anything else as JSON */
  call(
    user: string,
    method: string,
    path: string,
    body?: object | string | Buffer,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** What one of the app's collections holds. */
  records(collection: string): Promise<Record<string, unknown>[]>;
  /** Puts a document into one of them as if somebody had saved it there. */
  store(collection: string, document: { _key: string } & Record<string, unknown>): Promise<void>;
  readonly lookups: Lookups;
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
  /** Lets so much time pass, without waiting for it. For a setting that `movesTime`. */
  advance(ms: number): Promise<void>;
}

/** What a suite finds before each of its tests. */
export interface Setting {
  /** User -> roles. Those of the app and `admin` can do what they can do; others are made. */
  users: Readonly<Record<string, readonly string[]>>;
  /** What roles of its own are capable of. */
  roles?: Readonly<Record<string, readonly Capability[]>>;
  /** Which other roles they import, each after those that it names. */
  imports?: Readonly<Record<string, readonly string[]>>;
  /** Collections that are emptied. */
  collections: readonly string[];
  /** The address of an AgentCore for agents. Nothing follows them there: roles of a suite's own cannot search. */
  agentCloud?: () => string;
  /** Whether there is a cloud for registered models, whose endpoints are all in service. In memory there always is. */
  modelEndpoints?: boolean;
  /** The address of what answers for AWS. */
  aws?: () => string;
  /** Whether servers are called over HTTP in memory, too. */
  servers?: boolean;
  movesTime?: boolean;
  /** At most so many processes serve it where it is installed. */
  processes?: number;
}

/** Opens a world for the tests of the `describe` that it is called in. */
export type OpenWorld = (setting: Setting) => World;

/** Records are named by one of three fields, as their family says. */
export const isNamed =
  (text: string) =>
  ({ name, connection_name, model_name }: Record<string, unknown>): boolean =>
    (name ?? connection_name ?? model_name) === text;

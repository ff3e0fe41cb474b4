import type { IncomingHttpHeaders } from 'node:http';

/** The parts of the embedded platform meet in these types; none of them is shared with the driver side. */

export interface Namespace {
  /** Absent under `/services` and where the URL has the wildcard `-`. */
  user?: string;
  app?: string;
}

export interface PlatformCaller {
  user: string;
  realname: string;
  email: string;
  roles: string[];
  /** All capabilities, those inherited through imported roles included. */
  capabilities: Set<string>;
  /** The session key (or token) that further calls can be made with. */
  authtoken: string;
  /** The user `splunk-system-user`: every access rule lets it pass. */
  system: boolean;
}

export interface PlatformRequest {
  method: string;
  /** Path after `/services` or `/servicesNS/{user}/{app}`, leading slash, still percent-encoded as the client sent it. */
  path: string;
  /** The same in decoded segments. */
  segments: string[];
  ns: Namespace;
  /** True under /servicesNS. */
  namespaced: boolean;
  query: [string, string][];
  /** Pairs of an urlencoded body; empty for any other body. */
  form: [string, string][];
  /** First value of a name, form before query: how EAI handlers read arguments. */
  arg(name: string): string | undefined;
  /** All values of a name, form and query together. */
  args(name: string): string[];
  body: Buffer;
  headers: IncomingHttpHeaders;
  /** Wire order and case. */
  headerPairs: [string, string][];
  cookies: [string, string][];
  /** Undefined for a call without credentials; only endpoints that allow it ever see that. */
  caller: PlatformCaller | undefined;
  outputMode: string;
  outputModeExplicit: boolean;
  connection: { src_ip: string; ssl: boolean; listening_port: number; listening_ip: string };
  /** Aborted when the client goes away. */
  signal: AbortSignal;
}

export interface PlatformReply {
  status: number;
  /** Reason phrase, where a driver gives one. */
  reason?: string;
  headers?: [string, string][];
  body?: string | Buffer;
  /** In place of a body: sent as it comes. It is ended, by its `return`, when the client goes away. */
  stream?: AsyncIterable<string>;
}

/** Messages in the platform's form; the server writes them as JSON or XML as the caller asked. */
export interface PlatformMessage {
  type: 'INFO' | 'WARN' | 'ERROR' | 'FATAL' | 'DEBUG';
  text: string;
  code?: string;
}

/** Thrown by any endpoint: the server turns it into the JSON or XML body of that status. */
export class PlatformError extends Error {
  readonly status: number;
  readonly messages: PlatformMessage[];
  readonly headers: [string, string][];
  constructor(status: number, text: string, type: PlatformMessage['type'] = 'ERROR', headers: [string, string][] = []) {
    super(text);
    this.status = status;
    this.messages = [{ type, text }];
    this.headers = headers;
  }
}

/** In place of an answer: the connection is broken off, as the fault switch was told. */
export class ConnectionReset extends Error {}

/** One stanza: key -> raw text. */
export type Stanza = Record<string, string>;
/** One conf file: stanza name -> stanza, in file order. */
export type Conf = Record<string, Stanza>;

/** Access rule of metadata: roles, `*` = everyone. */
export interface AccessRule {
  read: string[];
  write: string[];
}

export interface HostedApp {
  /** Folder name below etc/apps. */
  name: string;
  dir: string;
  /** Merged view (default below local) of one conf file of this app; empty when it has none. Never cached stale. */
  conf(name: string): Conf;
  /** The most specific metadata stanza for an object path such as `collections/x`, `storage/passwords`, `[]` as the last resort. */
  access(objectPath: string): AccessRule;
  /** `export` of the most specific stanza for that path: true when `system`. */
  exported(objectPath: string): boolean;
}

export interface PlatformLog {
  /** One line into $SPLUNK_HOME/var/log/splunk/splunkd.log */
  write(level: 'INFO' | 'WARN' | 'ERROR', component: string, message: string): void;
}

import type { IncomingHttpHeaders } from 'node:http';

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
  /** The roles with all imported ones; access rules name any of them. */
  effectiveRoles: readonly string[];
  /** All capabilities, including those of imported roles. */
  capabilities: Set<string>;
  /** The session key or token, for further calls. */
  authtoken: string;
  /** The user `splunk-system-user`, who passes every access rule. */
  system: boolean;
}

export interface PlatformRequest {
  method: string;
  /** Path after `/services` or `/servicesNS/{user}/{app}`, with a leading slash, still percent-encoded. */
  path: string;
  /** The decoded segments of the path. */
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
  /** Undefined without credentials; only endpoints that allow this see it. */
  caller: PlatformCaller | undefined;
  outputMode: string;
  outputModeExplicit: boolean;
  connection: { src_ip: string; ssl: boolean; listening_port: number; listening_ip: string };
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

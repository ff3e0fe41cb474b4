import type { OutboundError } from '../../contract/codes/outbound.ts';
import type { OAuthTokenClient } from '../oauth/oauthTokenClient.ts';
import type { Deadline } from '../platform/clock.ts';

export type McpTransport = 'streamable_http' | 'sse';

/** URL and credentials of an MCP server. Contains plain-text secrets: never log or store it. */
export interface McpTarget {
  url: string;
  token?: string | undefined;
  /** Further request headers, without `Authorization` and hop-by-hop headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  verifyTls: boolean;
  /** PEM certificates that replace the default authorities. */
  caCertificate?: string | undefined;
  /** The transport that worked last time. */
  transportHint?: McpTransport | undefined;
  /** Greeting of a contact a short time ago: the server is not asked again which revisions it speaks. */
  greeting?: McpGreeting | undefined;
  /** Redacted from messages. */
  secrets: readonly string[];
}

/** How a server introduced itself, for the client that connected to it. */
export interface McpGreeting {
  transport: McpTransport;
  /** Opaque. */
  known: unknown;
}

export interface McpTool {
  name: string;
  title?: string | undefined;
  description: string;
  input_schema?: Record<string, unknown> | undefined;
  output_schema?: Record<string, unknown> | undefined;
  annotations?: Record<string, unknown> | undefined;
}

/** Result of an attempt, successful or not. */
export interface McpContact {
  /** HTTP status of the decisive response; null without one. */
  httpStatus: number | null;
  /** An HTTP answer arrived. */
  reachable: boolean;
  /** An MCP answer arrived without 401 or 403. */
  authenticated: boolean;
  transport: McpTransport | null;
  protocolVersion: string | null;
  serverInfo?: { name: string; version: string; title?: string } | undefined;
  /** From `WWW-Authenticate: Bearer resource_metadata="…"` of a 401, for OAuth discovery. */
  resourceMetadataUrl?: string | undefined;
  /** After a successful attempt. */
  greeting?: McpGreeting | undefined;
  /** Set when the attempt failed. */
  error?: OutboundError | undefined;
  /** The tool call was sent and not refused, so nobody may repeat it. */
  mayHaveRun?: boolean | undefined;
}

export interface McpListing extends McpContact {
  tools: McpTool[];
  /** Why the listing is incomplete: a cap or a repeated cursor. */
  truncated?: string | undefined;
  /** A sentence about each tool that cannot be used, such as one without a name. */
  leftOut?: readonly string[] | undefined;
}

export interface McpToolCall {
  name: string;
  arguments: Record<string, unknown>;
  /** As listed: it may ask for arguments in headers. */
  input_schema?: Record<string, unknown> | undefined;
}

export interface McpToolAnswer extends McpContact {
  /** MCP result: `content`, `structuredContent`, `isError` or an elicitation. Absent after a failure. */
  result?: Record<string, unknown> | undefined;
}

/** Separate limits, so that a slow connection takes no time from the tool. */
export interface McpTimes {
  connectMs: number;
  workMs: number;
}

/** Calls MCP servers. Failures of a server are returned in `error`. */
export interface McpClient {
  /** Connects, negotiates the protocol and disconnects. */
  probe(target: McpTarget, deadline: Deadline): Promise<McpContact>;
  /** All pages of `tools/list`: at most 50 pages, 2,000 tools and 8 MiB of definitions. */
  listTools(target: McpTarget, deadline: Deadline): Promise<McpListing>;
  /** Calls a tool at most once, within `outer`. */
  callTool(target: McpTarget, call: McpToolCall, times: McpTimes, outer?: Deadline): Promise<McpToolAnswer>;
}

export interface McpDependencies {
  client: McpClient;
  /** For servers whose tokens expire. */
  tokens: OAuthTokenClient;
}

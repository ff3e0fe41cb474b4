import type { OutboundError } from '../../contract/codes/outbound.ts';
import type { Deadline } from '../platform/clock.ts';
import type { OAuthTokenClient } from './oauthTokenClient.ts';

export type McpTransport = 'streamable_http' | 'sse';

/** Where and how to reach one MCP server. Holds secrets in the clear: never log it, never store it. */
export interface McpTarget {
  url: string;
  token?: string | undefined;
  /** Further request headers; `Authorization` and hop-by-hop names are refused before they get here. */
  headers?: Readonly<Record<string, string>> | undefined;
  verifyTls: boolean;
  /** One or more PEM certificates that replace the default trust anchors for this server. */
  caCertificate?: string | undefined;
  /** The transport that worked last time. */
  transportHint?: McpTransport | undefined;
  /** What must not appear in anything said about a call. */
  secrets: readonly string[];
}

export interface McpTool {
  name: string;
  title?: string | undefined;
  description: string;
  input_schema?: Record<string, unknown> | undefined;
  annotations?: Record<string, unknown> | undefined;
}

/** What is known after one attempt, successful or not. */
export interface McpContact {
  /** HTTP status of the decisive answer; null when no answer came. */
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
  /** Set when the attempt failed. */
  error?: OutboundError | undefined;
  /** A tool call has left: it must not be made again, whatever came of it. */
  wasCallSent?: boolean | undefined;
}

export interface McpListing extends McpContact {
  tools: McpTool[];
  /** Why the listing is incomplete: a cap or a repeated cursor. */
  truncated?: string | undefined;
}

export interface McpToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

export interface McpToolAnswer extends McpContact {
  /** As the protocol gives it: `content`, `structuredContent`, `isError`, or a demand for input. Absent after a failure. */
  result?: Record<string, unknown> | undefined;
}

/** Connecting and working are bounded apart: a slow connection takes no time from the tool. */
export interface McpTimes {
  connectMs: number;
  workMs: number;
}

/** Calls MCP servers. Never throws for what a server does: a failure is `error` in the answer. */
export interface McpClient {
  /** Connects, negotiates the protocol, and lets go again. */
  probe(target: McpTarget, deadline: Deadline): Promise<McpContact>;
  /** All pages of `tools/list`: at most 50 pages and 2,000 tools. */
  listTools(target: McpTarget, deadline: Deadline): Promise<McpListing>;
  /** Calls a tool at most once. `outer` bounds connecting and working together. */
  callTool(target: McpTarget, call: McpToolCall, times: McpTimes, outer?: Deadline): Promise<McpToolAnswer>;
}

/** What MCP connections need beyond the stores. */
export interface McpDependencies {
  client: McpClient;
  /** For servers whose tokens expire. */
  tokens: OAuthTokenClient;
}

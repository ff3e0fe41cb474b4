import type { Json } from '../../contract/basics.ts';

/** A message as it came. */
export interface McpMessage {
  body: Uint8Array;
  /** @param name in lower case */
  header(name: string): string | undefined;
}

/** A complete reply. */
export interface McpReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Empty for notifications. */
  body: string;
}

export interface ServedTool {
  name: string;
  title?: string | undefined;
  description: string;
  inputSchema: Json;
  outputSchema?: Json | undefined;
  annotations?: Json | undefined;
}

export interface ServedToolPage {
  tools: ServedTool[];
  nextCursor?: string | undefined;
  _meta?: Json | undefined;
}

export interface ServedToolResult {
  content: Json[];
  structuredContent?: unknown;
  isError: boolean;
  _meta?: Json | undefined;
}

export interface ServedCall {
  result: ServedToolResult;
  /** As the tool is listed: older revisions describe structured results other than objects in their own way. */
  outputSchema?: Json | undefined;
}

/** Tools that an MCP server offers. */
export interface ServedTools {
  /** Shown to clients. */
  instructions?: string | undefined;
  /** @throws ToolsFault */
  list(cursor: string | undefined): Promise<ServedToolPage>;
  /** @returns undefined for an unknown tool. @throws ToolsFault */
  call(name: string, args: Json): Promise<ServedCall | undefined>;
}

/** A failure that the client is told as an error of JSON-RPC. */
export class ToolsFault extends Error {
  readonly data: Json;

  constructor(message: string, data: Json) {
    super(message);
    this.data = data;
  }
}

/** The protocol of an MCP server without sessions: one message, one reply. */
export interface McpServer {
  /** @throws what `tools` throws, except a ToolsFault */
  serve(message: McpMessage, tools: ServedTools): Promise<McpReply>;
}

import type { Json } from '../../contract/basics.ts';
import type { ServedTool } from '../../ports/mcp/mcpServer.ts';
import type { ToolResult } from '../operations/tool.ts';

export interface KindListing {
  tools: ServedTool[];
  /** Connections that gave no tools. */
  unavailable?: readonly { connection: string; error_code: string }[];
  /** By the name of their tool. */
  warnings?: ReadonlyMap<string, string>;
}

export interface CalledTool {
  result: ToolResult;
  /** The tool's own. */
  outputSchema?: Json | undefined;
  warnings: readonly string[];
}

/**
 * A kind of tools behind `/ai_gateway/mcp`, with its flag and the caller's rights already applied. Tools of MCP connections are
 * one kind; what other records offer as tools is another, with a prefix of its own before `__`.
 */
export interface ToolKind {
  list(): Promise<KindListing>;
  /** @returns undefined if the name is none of a tool of this kind that the caller may use. @throws Fault; OutboundError */
  call(name: string, args: Json): Promise<CalledTool | undefined>;
}

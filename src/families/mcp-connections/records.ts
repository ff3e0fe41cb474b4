import type { Drift } from '../../domain/records/connectionHealth.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';

export type { AcceptedTool, McpDetails, McpStored } from './definition.ts';

/** Accepted definitions, stored separately because of their size. */
export interface AcceptedBatch extends Doc {
  /** Key and creation of the connection. */
  connection: string;
  created_at: number;
  /** Epoch seconds. */
  written_at: number;
  /** JSON of `[name, definition]` pairs: the store refuses keys such as `$ref`. */
  definitions: string;
}

export interface Print {
  name: string;
  print: string;
}

/** The last complete tool listing of a connection, stored separately because of its size. */
export interface ToolListing extends Doc {
  /** Creation time of the connection: identifies listings of an earlier one with the same name. */
  created_at: number;
  tools: Print[];
  /** Changes since this listing, as last checked. */
  drift?: Drift;
  /** Tools that were new or changed when this acceptance was compared. */
  unaccepted?: UnacceptedTools;
}

export interface UnacceptedTools {
  acceptance: string;
  tools: string[];
}

export const FAMILY = 'mcp-connections';
export const MCP_CONNECTIONS = 'ml_mcp_connections';
export const MCP_LISTINGS = 'ml_mcp_listings';
export const MCP_ACCEPTED = 'ml_mcp_accepted';
export const OPERATIONS = { one: 'McpConnection', many: 'McpConnections' } as const;

import type { Acl, LastTest } from '../../contract/schemas/common.ts';
import type { Sealed } from '../../domain/records/sealedRecord.ts';
import type { McpTransport } from '../../ports/mcp/mcpClient.ts';

export type McpType = 'PLATFORM' | 'ISSUE_TRACKER';
export type AuthState = 'ok' | 'reauth_required' | 'unknown';

/** What is stored of `details`: its secrets live elsewhere. */
export interface McpDetails {
  url: string;
  client_id?: string;
  is_auto_refresh_enabled?: boolean;
  token_url?: string;
  verify_tls: boolean;
  ca_certificate?: string;
}

export interface McpStored extends Sealed {
  name: string;
  type: McpType;
  description: string;
  details: McpDetails;
  tools_allowed?: string[] | undefined;
  acl: Acl;
  auth_state: AuthState;
  transport_detected?: McpTransport | undefined;
  /** Token endpoint that discovery found first; another host is not followed. Stays while any secret for it stays. */
  token_url_detected?: string | undefined;
  /** Where discovery starts instead of `details.url`: the path for which the secrets were given, when it has changed since. */
  discovery_url?: string | undefined;
  last_test?: LastTest;
  /** Epoch seconds; when the access token was stored, and when it ends if the server said so. */
  token_obtained_at?: number;
  token_expires_at?: number | undefined;
}

export const FAMILY = 'mcp-connections';
export const MCP_CONNECTIONS = 'ml_mcp_connections';
export const OPERATIONS = { one: 'McpConnection', many: 'McpConnections' } as const;

/** What a list can be sorted by; the search looks at name and description. */
export const SORT_KEYS = [
  'name',
  'type',
  'description',
  'created_at',
  'created_by',
  'last_updated_at',
  'last_updated_by',
  'auth_state',
  'version',
] as const satisfies readonly (keyof McpStored)[];

import type { Sealed } from '../../domain/records/sealedRecord.ts';
import type { McpRecord } from './schemas.ts';

export type McpDetails = Omit<McpRecord['details'], 'token' | 'client_secret' | 'refresh_token' | 'headers'>;

type StoredFields = Omit<
  McpRecord,
  'details' | 'auth_state' | 'tools_allowed' | 'transport_detected' | 'token_url_detected'
>;

export interface McpStored extends Sealed, StoredFields {
  details: McpDetails;
  /** A due refresh depends on the time, so it is not stored. */
  auth_state: Exclude<McpRecord['auth_state'], 'refresh_due'>;
  tools_allowed?: McpRecord['tools_allowed'] | undefined;
  transport_detected?: McpRecord['transport_detected'] | undefined;
  /** Token endpoint that discovery found first; another host is not followed. Stays while any secret for it stays. */
  token_url_detected?: string | undefined;
  /** Start of discovery instead of `details.url`, which has changed since the secrets were submitted. */
  discovery_url?: string | undefined;
  /** Epoch seconds. */
  token_obtained_at?: number;
  /** Epoch seconds, if the server sent an expiry. */
  token_expires_at?: number | undefined;
}

export const FAMILY = 'mcp-connections';
export const MCP_CONNECTIONS = 'ml_mcp_connections';
export const OPERATIONS = { one: 'McpConnection', many: 'McpConnections' } as const;

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

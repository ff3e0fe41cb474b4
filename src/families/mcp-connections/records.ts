import { METADATA_SORT_KEYS } from '../../contract/schemas/sortKeys.ts';
import type { Drift } from '../../domain/records/connectionHealth.ts';
import type { Sealed } from '../../domain/records/sealedRecord.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';
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
  /** Words of the authorization server that refused the refresh token; they count while `auth_state` is `reauth_required`. */
  refresh_refused?: string | undefined;
  /** Epoch seconds. */
  token_obtained_at?: number;
  /** Epoch seconds, if the server sent an expiry. */
  token_expires_at?: number | undefined;
  /** A new id with each acceptance of tools; absent until the first listing of this host. */
  acceptance?: string | undefined;
  /** The tools that may be used as long as they stay as they are. */
  accepted_tools?: AcceptedTool[] | undefined;
}

export interface AcceptedTool {
  name: string;
  /** `acceptanceFingerprint` of the accepted definition. */
  fingerprint: string;
  /** `titlePrint` of the title at that time, which the fingerprint does not cover. */
  title?: string | undefined;
  /** Key of the batch with the definition. */
  batch: string;
}

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
  /** Of the connection: identifies listings of an earlier one with the same name. */
  created_at: number;
  tools: Print[];
  /** Changes since this listing, as last checked. */
  drift?: Drift;
  /** Tools that were new or changed when this acceptance was compared. */
  unaccepted?: Unaccepted;
}

export interface Unaccepted {
  acceptance: string;
  tools: string[];
}

export const FAMILY = 'mcp-connections';
export const MCP_CONNECTIONS = 'ml_mcp_connections';
export const MCP_LISTINGS = 'ml_mcp_listings';
export const MCP_ACCEPTED = 'ml_mcp_accepted';
export const OPERATIONS = { one: 'McpConnection', many: 'McpConnections' } as const;

export const SORT_KEYS = [
  'name',
  'type',
  'description',
  'auth_state',
  ...METADATA_SORT_KEYS,
] as const satisfies readonly (keyof McpStored)[];

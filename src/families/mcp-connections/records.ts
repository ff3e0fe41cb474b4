import type { Drift } from '../../domain/connections/connectionHealth.ts';
import type { Sealed } from '../../domain/records/sealedRecord.ts';
import {
  ACL,
  arrayOf,
  type CollectionShape,
  fields,
  flag,
  LAST_TEST,
  number,
  optional,
  SEALED,
  type ShapeOf,
  text,
  texts,
} from '../../domain/records/shape.ts';
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
  /** Epoch seconds. */
  token_obtained_at?: number;
  /** Epoch seconds, if the server sent an expiry. */
  token_expires_at?: number | undefined;
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
}

export const FAMILY = 'mcp-connections';
export const MCP_CONNECTIONS = 'ml_mcp_connections';
export const MCP_LISTINGS = 'ml_mcp_listings';
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

const DETAILS = fields<McpDetails>({
  url: text,
  verify_tls: flag,
  client_id: optional(text),
  is_auto_refresh_enabled: optional(flag),
  token_url: optional(text),
  ca_certificate: optional(text),
});

const connection: ShapeOf<McpStored> = {
  ...SEALED,
  name: text,
  type: text,
  description: text,
  details: DETAILS,
  acl: ACL,
  auth_state: text,
  tools_allowed: optional(texts),
  transport_detected: optional(text),
  token_url_detected: optional(text),
  discovery_url: optional(text),
  token_obtained_at: optional(number),
  token_expires_at: optional(number),
  last_test: LAST_TEST,
};

const listing: ShapeOf<ToolListing> = {
  created_at: number,
  tools: arrayOf(fields<Print>({ name: text, print: text })),
  drift: optional(fields<Drift>({ added: texts, removed: texts, changed: texts })),
};

export const mcpShapes: Record<string, CollectionShape> = {
  [MCP_CONNECTIONS]: { family: FAMILY, shape: connection },
  [MCP_LISTINGS]: { family: FAMILY, shape: listing, replaceable: true },
};

import { type Static, Type } from 'typebox';
import { MASK } from '../../contract/basics.ts';
import { POLICY_KINDS, SECRET_KINDS } from '../../contract/families/masking.ts';
import { Clearable, Masked, Name, Secret, TextMap, URL_PATTERN } from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { defineRecord, type RemovableFields, type StoredOf } from '../../resources/record/define.ts';
import {
  accessList,
  defaulted,
  descriptionField,
  internal,
  lastTestField,
  nameField,
  optional,
  required,
  secret,
  shown,
  sorted,
  tested,
} from '../../resources/record/fields.ts';
import { group, requiredGroup } from '../../resources/record/groups.ts';
import { SecretHeaders } from '../../resources/record/headers.ts';

const URL_TEXT = Type.String({
  maxLength: 2048,
  minLength: 1,
  description: 'Address of the MCP server: http or https, without user name and password',
  'x-form': { maxLength: 2048, pattern: URL_PATTERN },
});

export const McpType = named(
  'McpConnectionType',
  Type.Enum(['PLATFORM', 'ISSUE_TRACKER'], {
    description: 'PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on.',
  }),
);

/** A text that null or an empty text unsets. */
const clearable = (about: string, input: string, maxLength = 2048) =>
  optional(Clearable(Type.String({ maxLength, description: input })), { view: Type.String({ description: about }) });

const CLIENT_ID = 'OAuth client id (ISSUE_TRACKER)';
const AUTO_REFRESH = 'Whether the app refreshes the token (ISSUE_TRACKER)';
const TOKEN_URL = 'OAuth token endpoint (ISSUE_TRACKER), http or https; discovered if there is none';
const SCOPE = 'OAuth scopes that each refresh asks for, separated by spaces (ISSUE_TRACKER)';
const UNMASK_KINDS =
  'Kinds of values that the server gets in arguments where the model of an agent wrote their placeholders; the others only if the server brought the value in the same run, secrets never';
const UnmaskKind = named(
  'UnmaskKind',
  Type.Enum(
    POLICY_KINDS.filter((kind) => !SECRET_KINDS.some((secret) => secret === kind)),
    { description: 'Kind of values that masking finds and that is no secret' },
  ),
);
const CA = 'PEM certificates to trust for this server instead of the default ones';
const ABOUT_DETAILS = 'Address, credentials and TLS settings of the MCP server';

const details = group(
  {
    url: required(URL_TEXT, { view: Type.String({ description: 'Address of the MCP server' }) }),
    token: secret(
      Secret({ description: 'Bearer token (PLATFORM) or OAuth access token (ISSUE_TRACKER)' }),
      Masked('Token'),
    ),
    client_id: clearable(CLIENT_ID, `${CLIENT_ID}; null or '' unsets it`),
    client_secret: secret(
      Secret({ description: 'OAuth client secret (ISSUE_TRACKER)' }),
      Masked('OAuth client secret'),
    ),
    refresh_token: secret(
      Secret({ description: 'OAuth refresh token (ISSUE_TRACKER)' }),
      Masked('OAuth refresh token'),
    ),
    is_auto_refresh_enabled: optional(
      Type.Boolean({ description: `${AUTO_REFRESH}; needs client_id and refresh_token` }),
      { view: Type.Boolean({ description: AUTO_REFRESH }) },
    ),
    token_url: clearable(TOKEN_URL, `${TOKEN_URL}. null or '' unsets it.`),
    scope: clearable(SCOPE, `${SCOPE}; null or '' unsets them`),
    verify_tls: defaulted(Type.Boolean({ description: "Whether the server's certificate is verified" }), true),
    ca_certificate: clearable(CA, `${CA}; null or '' unsets them`, 262_144),
    unmask_kinds: optional(
      Clearable(
        Type.Array(UnmaskKind, {
          maxItems: POLICY_KINDS.length,
          description: `${UNMASK_KINDS}. null removes the list.`,
        }),
      ),
      { view: Type.Array(UnmaskKind, { description: UNMASK_KINDS }) },
    ),
    headers: secret(
      Clearable(SecretHeaders),
      narrowed(
        TextMap,
        Type.Record(Type.String(), Type.String(), {
          description: `Names of the further request headers, each with ${MASK} for its value`,
        }),
      ),
    ),
  },
  {
    create: { name: 'McpConnectionDetailsCreate', description: ABOUT_DETAILS },
    update: {
      name: 'McpConnectionDetailsUpdate',
      description: `${ABOUT_DETAILS}. Omitted fields keep the value of the saved connection.`,
    },
    view: { description: ABOUT_DETAILS },
  },
);

export const Transport = named(
  'McpTransport',
  Type.Enum(['streamable_http', 'sse'], {
    description: 'Transport of the last contact: Streamable HTTP, or its predecessor HTTP with SSE',
  }),
);
const AuthState = named(
  'McpAuthState',
  Type.Enum(['ok', 'refresh_due', 'reauth_required', 'unknown'], {
    description:
      'ok: the credentials worked. refresh_due: the next call refreshes the token. reauth_required: the credentials were refused, sign in again. unknown: not tested since they changed.',
  }),
);

const TOOLS_ALLOWED = 'Names of the tools that agents may call; default: all';

const AcceptedTool = Type.Object({
  name: Type.String(),
  /** `acceptanceFingerprint` of the accepted definition. */
  fingerprint: Type.String(),
  /** `titlePrint` of the title at that time, which the fingerprint does not cover. */
  title: Type.Optional(Type.String()),
  /** Key of the batch with the definition. */
  batch: Type.String(),
});

export const mcpConnection = defineRecord(
  'McpConnection',
  {
    name: nameField(Name, 'Name of the connection, as created'),
    type: tested(sorted(required(McpType, { merge: 'fixed' }))),
    description: descriptionField('Purpose of the connection'),
    details: tested(requiredGroup(details)),
    tools_allowed: optional(
      Clearable(
        Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
          maxItems: 2000,
          description: `${TOOLS_ALLOWED}. null removes the list.`,
        }),
      ),
      { merge: 'set', view: Type.Array(Type.String(), { description: TOOLS_ALLOWED }) },
    ),
    transport_detected: shown(Type.Optional(Transport)),
    // Another host is not followed. It stays while any secret for it stays.
    token_url_detected: shown(
      Type.Optional(
        Type.String({
          description: 'Token endpoint that discovery found first; a later one on another host is refused',
        }),
      ),
    ),
    // A due refresh depends on the time, so it is not stored.
    auth_state: sorted(shown(AuthState, { initial: 'unknown' })),
    // Start of discovery instead of `details.url`, which has changed since the secrets were submitted.
    discovery_url: internal(Type.Optional(Type.String())),
    // Words of the authorization server that refused the refresh token; they count while `auth_state` is `reauth_required`.
    refresh_refused: internal(Type.Optional(Type.String())),
    // Epoch seconds.
    token_obtained_at: internal(Type.Optional(Type.Number())),
    // Epoch seconds, if the server sent an expiry.
    token_expires_at: internal(Type.Optional(Type.Number())),
    // A new id with each acceptance of tools; absent until the first listing of this host.
    acceptance: internal(Type.Optional(Type.String())),
    // The tools that may be used as long as they stay as they are.
    accepted_tools: internal(Type.Optional(Type.Array(Type.Unsafe<AcceptedTool>(AcceptedTool)))),
    ...accessList,
    ...lastTestField,
  },
  {
    create: 'A new MCP connection',
    update: 'A change of the MCP connection of this name. Omitted fields stay; the type cannot change.',
    record: 'A connection to an MCP server, whose tools agents may call',
  },
);

export type McpUpdate = Static<typeof mcpConnection.update>;
export type McpRecord = Static<typeof mcpConnection.record>;
type StoredConnection = RemovableFields<StoredOf<typeof mcpConnection>>;
/** A refresh that is due depends on the time: it is not stored. */
export type McpStored = Omit<StoredConnection, 'auth_state'> & {
  auth_state: Exclude<StoredConnection['auth_state'], 'refresh_due'>;
};
export type McpDetails = McpStored['details'];
export type AcceptedTool = RemovableFields<Static<typeof AcceptedTool>>;

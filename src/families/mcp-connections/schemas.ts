import { type Static, Type } from 'typebox';
import { MASK } from '../../contract/basics.ts';
import {
  Acl,
  AclInput,
  Clearable,
  DescriptionInput,
  LastTest,
  Masked,
  Metadata,
  Name,
  NameOf,
  Secret,
  TextMap,
  URL_PATTERN,
  Version,
} from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import {
  HEADER_NAME_PATTERN,
  LONGEST_HEADER_NAME,
  MAX_HEADERS,
  MAX_SECRET_BYTES,
} from '../../domain/net/headerValues.ts';

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

const Headers = named(
  'McpHeaders',
  Type.Record(
    // Names are checked by the rules: a map's keys have no schema of their own.
    Type.String(),
    Secret({ description: 'Value of the header', maxLength: 8192 }),
    {
      description: `Further request headers, such as an API key header; the values are secrets. At most ${MAX_HEADERS}, and all secrets of the record together have at most ${MAX_SECRET_BYTES} bytes. Authorization and headers of the connection itself are refused. null deletes all.`,
      'x-form': {
        maxProperties: MAX_HEADERS,
        propertyNames: { minLength: 1, maxLength: LONGEST_HEADER_NAME, pattern: HEADER_NAME_PATTERN },
      },
    },
  ),
);

const ABOUT_DETAILS = { description: 'Address, credentials and TLS settings of the MCP server' };
const CLIENT_ID = 'OAuth client id (ISSUE_TRACKER)';
const AUTO_REFRESH = 'Whether the app refreshes the token (ISSUE_TRACKER)';
const TOKEN_URL = 'OAuth token endpoint (ISSUE_TRACKER), http or https; discovered if there is none';
const SCOPE = 'OAuth scopes that each refresh asks for, separated by spaces (ISSUE_TRACKER)';
const VERIFY_TLS = "Whether the server's certificate is verified";
const CA = 'PEM certificates to trust for this server instead of the default ones';

const detailsInput = {
  token: Type.Optional(Secret({ description: 'Bearer token (PLATFORM) or OAuth access token (ISSUE_TRACKER)' })),
  client_id: Type.Optional(
    Clearable(Type.String({ maxLength: 2048, description: `${CLIENT_ID}; null or '' unsets it` })),
  ),
  client_secret: Type.Optional(Secret({ description: 'OAuth client secret (ISSUE_TRACKER)' })),
  refresh_token: Type.Optional(Secret({ description: 'OAuth refresh token (ISSUE_TRACKER)' })),
  is_auto_refresh_enabled: Type.Optional(
    Type.Boolean({ description: `${AUTO_REFRESH}; needs client_id and refresh_token` }),
  ),
  token_url: Type.Optional(
    Clearable(Type.String({ maxLength: 2048, description: `${TOKEN_URL}. null or '' unsets it.` })),
  ),
  scope: Type.Optional(Clearable(Type.String({ maxLength: 2048, description: `${SCOPE}; null or '' unsets them` }))),
  verify_tls: Type.Optional(Type.Boolean({ description: VERIFY_TLS })),
  ca_certificate: Type.Optional(
    Clearable(Type.String({ maxLength: 262_144, description: `${CA}; null or '' unsets them` })),
  ),
  headers: Type.Optional(Clearable(Headers)),
};

const DetailsCreate = named(
  'McpConnectionDetailsCreate',
  Type.Object(
    {
      url: URL_TEXT,
      ...detailsInput,
      verify_tls: Type.Optional(Type.Boolean({ default: true, description: VERIFY_TLS })),
    },
    ABOUT_DETAILS,
  ),
);
const DetailsUpdate = named(
  'McpConnectionDetailsUpdate',
  Type.Object(
    { url: Type.Optional(URL_TEXT), ...detailsInput },
    { description: `${ABOUT_DETAILS.description}. Omitted fields keep the value of the saved connection.` },
  ),
);

const DESCRIPTION = 'Purpose of the connection';
const TOOLS_ALLOWED = 'Names of the tools that agents may call; default: all';

const optionalInput = {
  description: DescriptionInput(DESCRIPTION),
  tools_allowed: Type.Optional(
    Clearable(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 2000,
        description: `${TOOLS_ALLOWED}. null removes the list.`,
      }),
    ),
  ),
  acl: Type.Optional(AclInput),
};

export const McpCreate = named(
  'McpConnectionCreate',
  Type.Object(
    { name: Name, type: McpType, details: DetailsCreate, ...optionalInput },
    { description: 'A new MCP connection' },
  ),
);

export const McpUpdate = named(
  'McpConnectionUpdate',
  Type.Object(
    {
      name: Name,
      type: Type.Optional(McpType),
      details: Type.Optional(DetailsUpdate),
      ...optionalInput,
      version: Type.Optional(Version),
    },
    { description: 'A change of the MCP connection of this name. Omitted fields stay; the type cannot change.' },
  ),
);

export const McpTestInput = named(
  'McpConnectionTest',
  Type.Object(
    {
      name: Type.Optional(NameOf('Name of the saved connection')),
      type: Type.Optional(McpType),
      details: Type.Optional(DetailsUpdate),
    },
    {
      description:
        'Server to contact: name alone means the saved connection. Details are tested as submitted; with a name, masked and absent secrets come from the saved connection.',
    },
  ),
);

export const McpAcceptInput = named(
  'McpToolAcceptance',
  Type.Object(
    {
      name: NameOf('Name of the saved connection'),
      tools: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
          minItems: 1,
          maxItems: 2000,
          description: 'Names of the tools to accept; default: all that the server lists',
        }),
      ),
      fingerprints: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          maxItems: 2000,
          description:
            'Fingerprints of the definitions that a person has seen, from the listing. A tool that the server defines otherwise by now is not accepted.',
        }),
      ),
      version: Type.Optional(Version),
    },
    { description: 'Which tools to accept' },
  ),
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

export const McpRecord = named(
  'McpConnection',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the connection, as created' }),
      type: McpType,
      description: Type.String({ description: DESCRIPTION }),
      details: Type.Object(
        {
          url: Type.String({ description: 'Address of the MCP server' }),
          token: Type.Optional(Masked('Token')),
          client_id: Type.Optional(Type.String({ description: CLIENT_ID })),
          client_secret: Type.Optional(Masked('OAuth client secret')),
          refresh_token: Type.Optional(Masked('OAuth refresh token')),
          is_auto_refresh_enabled: Type.Optional(Type.Boolean({ description: AUTO_REFRESH })),
          token_url: Type.Optional(Type.String({ description: TOKEN_URL })),
          scope: Type.Optional(Type.String({ description: SCOPE })),
          verify_tls: Type.Boolean({ description: VERIFY_TLS }),
          ca_certificate: Type.Optional(Type.String({ description: CA })),
          headers: Type.Optional(
            narrowed(
              TextMap,
              Type.Record(Type.String(), Type.String(), {
                description: `Names of the further request headers, each with ${MASK} for its value`,
              }),
            ),
          ),
        },
        ABOUT_DETAILS,
      ),
      tools_allowed: Type.Optional(Type.Array(Type.String(), { description: TOOLS_ALLOWED })),
      acl: Acl,
      ...Metadata,
      transport_detected: Type.Optional(Transport),
      token_url_detected: Type.Optional(
        Type.String({
          description: 'Token endpoint that discovery found first; a later one on another host is refused',
        }),
      ),
      auth_state: AuthState,
      last_test: Type.Optional(LastTest),
    },
    { description: 'A connection to an MCP server, whose tools agents may call' },
  ),
);

export type McpCreate = Static<typeof McpCreate>;
export type McpUpdate = Static<typeof McpUpdate>;
export type McpTestInput = Static<typeof McpTestInput>;
export type McpRecord = Static<typeof McpRecord>;

import { type Static, Type } from 'typebox';
import { Acl, AclInput, Clearable, LastTest, Metadata, Name, Secret, Version } from '../../contract/common.ts';
import { named } from '../../contract/named.ts';

const URL_TEXT = Type.String({
  maxLength: 2048,
  minLength: 1,
  description: 'http(s) address without user name and password',
});

const McpType = named(
  'McpConnectionType',
  Type.Enum(['PLATFORM', 'ISSUE_TRACKER'], {
    description: 'PLATFORM: bearer token. ISSUE_TRACKER: OAuth bearer token, with refresh if that is switched on.',
  }),
);

const Headers = Type.Record(
  Type.String({ minLength: 1, maxLength: 128 }),
  Secret({ description: 'Header value', maxLength: 8192 }),
  {
    description: 'Further request headers, such as an API key header; the values are secrets.',
  },
);

const detailsInput = {
  token: Type.Optional(Secret({ description: 'Bearer or OAuth access token' })),
  client_id: Type.Optional(Clearable(Type.String({ maxLength: 2048 }))),
  client_secret: Type.Optional(Secret({ description: 'OAuth client secret (ISSUE_TRACKER)' })),
  refresh_token: Type.Optional(Secret({ description: 'OAuth refresh token (ISSUE_TRACKER)' })),
  is_auto_refresh_enabled: Type.Optional(
    Type.Boolean({ description: 'Refresh the token before and after it expires (ISSUE_TRACKER)' }),
  ),
  token_url: Type.Optional(
    Clearable(Type.String({ maxLength: 2048, description: 'Token endpoint; discovered when absent' })),
  ),
  verify_tls: Type.Optional(Type.Boolean({ description: 'Default true' })),
  ca_certificate: Type.Optional(
    Clearable(
      Type.String({ maxLength: 262_144, description: 'One or more PEM certificates to trust for this server' }),
    ),
  ),
  headers: Type.Optional(Clearable(Headers)),
};

const DetailsCreate = named('McpConnectionDetailsCreate', Type.Object({ url: URL_TEXT, ...detailsInput }));
const DetailsUpdate = named(
  'McpConnectionDetailsUpdate',
  Type.Object({ url: Type.Optional(URL_TEXT), ...detailsInput }),
);

const optionalInput = {
  description: Type.Optional(Clearable(Type.String({ maxLength: 4096 }))),
  tools_allowed: Type.Optional(
    Clearable(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 2000,
        description: 'Names of the tools that agents may call; absent or null = all',
      }),
    ),
  ),
  acl: Type.Optional(AclInput),
};

export const McpCreate = named(
  'McpConnectionCreate',
  Type.Object({ name: Name, type: McpType, details: DetailsCreate, ...optionalInput }),
);

export const McpUpdate = named(
  'McpConnectionUpdate',
  Type.Object({
    name: Name,
    type: Type.Optional(McpType),
    details: Type.Optional(DetailsUpdate),
    ...optionalInput,
    version: Type.Optional(Version),
  }),
);

/** `{name}` tests the saved record; details (with or without name) test what is given. */
export const McpTestInput = named(
  'McpConnectionTest',
  Type.Object({
    name: Type.Optional(Name),
    type: Type.Optional(McpType),
    details: Type.Optional(DetailsUpdate),
  }),
);

const Transport = named('McpTransport', Type.Enum(['streamable_http', 'sse']));
const AuthState = named('McpAuthState', Type.Enum(['ok', 'refresh_due', 'reauth_required', 'unknown']));

const masked = (description: string) =>
  Type.Optional(Type.String({ description: `${description}: ***MASKED*** when one is stored` }));

/** What a read shows. */
export const McpRecord = named(
  'McpConnection',
  Type.Object({
    name: Type.String(),
    type: McpType,
    description: Type.String(),
    details: Type.Object({
      url: Type.String(),
      token: masked('Token'),
      client_id: Type.Optional(Type.String()),
      client_secret: masked('Client secret'),
      refresh_token: masked('Refresh token'),
      is_auto_refresh_enabled: Type.Optional(Type.Boolean()),
      token_url: Type.Optional(Type.String()),
      verify_tls: Type.Boolean(),
      ca_certificate: Type.Optional(Type.String()),
      headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
    tools_allowed: Type.Optional(Type.Array(Type.String())),
    acl: Acl,
    ...Metadata,
    transport_detected: Type.Optional(Transport),
    token_url_detected: Type.Optional(Type.String()),
    auth_state: AuthState,
    last_test: Type.Optional(LastTest),
  }),
);

const target = {
  mcp_name: Type.Union([Type.String(), Type.Null()]),
  mcp_type: McpType,
  mcp_server_url: Type.String({ description: 'Without user name, password and query' }),
  response_time_ms: Type.Number(),
};

const ServerInfo = named(
  'McpServerInfo',
  Type.Object({ name: Type.String(), version: Type.String(), title: Type.Optional(Type.String()) }),
);

export const McpTestReply = named(
  'McpConnectionTestReply',
  Type.Object({
    success: Type.Boolean(),
    data: Type.Object({
      ...target,
      http_status: Type.Union([Type.Integer(), Type.Null()]),
      authenticated: Type.Boolean({ description: 'An MCP answer arrived without 401 or 403' }),
      reachable: Type.Boolean({ description: 'An HTTP answer arrived' }),
      transport: Type.Union([Transport, Type.Null()]),
      protocol_version: Type.Union([Type.String(), Type.Null()]),
      server_info: Type.Optional(ServerInfo),
    }),
  }),
);

const FreeObject = Type.Record(Type.String(), Type.Unknown());

const McpTool = named(
  'McpTool',
  Type.Object({
    name: Type.String(),
    title: Type.Optional(Type.String()),
    description: Type.String(),
    input_schema: Type.Optional(FreeObject),
    annotations: Type.Optional(FreeObject),
    allowed: Type.Boolean({ description: 'Whether `tools_allowed` lets agents call it' }),
  }),
);

export const McpToolsReply = named(
  'McpToolList',
  Type.Object({
    success: Type.Boolean(),
    data: Type.Object({
      ...target,
      tool_count: Type.Integer(),
      tools: Type.Array(McpTool),
      drift: Type.Object(
        { added: Type.Array(Type.String()), removed: Type.Array(Type.String()), changed: Type.Array(Type.String()) },
        { description: 'Tool names, against the last successful listing of the saved record' },
      ),
      truncated: Type.Optional(Type.Boolean({ description: 'The listing is not complete; see warnings' })),
    }),
  }),
);

export type McpCreate = Static<typeof McpCreate>;
export type McpUpdate = Static<typeof McpUpdate>;
export type McpTestInput = Static<typeof McpTestInput>;
export type McpRecord = Static<typeof McpRecord>;
export type McpTestReply = Static<typeof McpTestReply>;
export type McpToolsReply = Static<typeof McpToolsReply>;

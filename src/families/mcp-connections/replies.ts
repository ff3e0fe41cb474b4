import { Type } from 'typebox';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { ToolDriftOf } from '../../contract/schemas/resourceSchemas.ts';
import { MAX_SHOWN_NAME } from '../../domain/values/texts.ts';
import { McpType, Transport } from './definition.ts';
import { MAX_DEFINITION_BYTES } from './tools/definitions.ts';

const target = {
  mcp_name: Type.Union([Type.String(), Type.Null()], {
    description: 'Name of the saved connection; null for submitted details',
  }),
  mcp_type: McpType,
  mcp_server_url: Type.String({ description: 'Address of the server without user name, password and query' }),
  response_time_ms: Type.Number({ description: 'Duration of the call in milliseconds, token refresh included' }),
};

const ServerInfo = named(
  'McpServerInfo',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the software' }),
      version: Type.String({ description: 'Version of the software' }),
      title: Type.Optional(Type.String({ description: 'Display name of the software' })),
    },
    { description: 'Server information from the MCP handshake' },
  ),
);

export const McpTestReply = named(
  'McpConnectionTestReply',
  Type.Object(
    {
      success: Type.Boolean({ description: 'Whether the MCP server answered correctly' }),
      data: Type.Object(
        {
          ...target,
          http_status: Type.Union([Type.Integer(), Type.Null()], {
            description: 'HTTP status of the decisive answer; null if none arrived',
          }),
          authenticated: Type.Boolean({ description: 'An MCP answer arrived without 401 or 403' }),
          reachable: Type.Boolean({ description: 'An HTTP answer arrived' }),
          transport: Type.Union([Transport, Type.Null()], {
            description: 'Transport of the answer; null without one',
          }),
          protocol_version: Type.Union([Type.String(), Type.Null()], {
            description: 'Negotiated version of the MCP protocol, a date; null without a handshake',
          }),
          server_info: Type.Optional(ServerInfo),
        },
        { description: 'Server and result of the contact' },
      ),
    },
    { description: 'Result of a test of an MCP connection' },
  ),
);

const FreeObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const definition = {
  input_schema: Type.Optional(FreeObject('JSON schema of the arguments')),
  output_schema: Type.Optional(FreeObject('JSON schema of the structured result')),
  annotations: Type.Optional(FreeObject('Unverified hints from the server, such as readOnlyHint')),
};

const definitionOf = (description: string) =>
  Type.Object(
    { description: Type.Optional(Type.String({ description: 'Description from the server' })), ...definition },
    { description },
  );
const ToolDefinition = named('McpToolDefinition', definitionOf('What a model reads of a tool besides its name'));
const Definition = (description: string) => narrowed(ToolDefinition, definitionOf(description));

const McpTool = named(
  'McpTool',
  Type.Object(
    {
      name: Type.String({ description: 'Name by which the tool is called' }),
      title: Type.Optional(Type.String({ description: 'Display name of the tool' })),
      description: Type.String({ description: 'Description from the server' }),
      ...definition,
      allowed: Type.Boolean({ description: 'Whether `tools_allowed` lets agents call it' }),
      accepted: Type.Optional(
        Type.Boolean({
          description: 'Whether this definition of the tool is accepted; only for the saved connection',
        }),
      ),
      fingerprint: Type.Optional(
        Type.String({
          description: 'Hash of name, description, schemas and annotations; only for the saved connection',
        }),
      ),
      change: Type.Optional(
        Type.Object(
          {
            before: Definition('The accepted definition'),
            after: Definition('The definition that the server gives now'),
          },
          { description: 'Change since the tool was accepted; secrets of the connection are masked' },
        ),
      ),
      flags: Type.Optional(
        Type.Array(Type.Enum(['hidden_characters', 'too_large']), {
          description: `Why the first listing does not accept the tool. hidden_characters: its text has characters that are not displayed, such as zero-width ones. too_large: its definition has more than ${MAX_DEFINITION_BYTES} bytes, or its name more than ${MAX_SHOWN_NAME} characters, and it is never accepted.`,
        }),
      ),
    },
    { description: 'A tool that the MCP server offers' },
  ),
);

export const McpToolsReply = named(
  'McpToolList',
  Type.Object(
    {
      success: Type.Boolean({ description: 'Always true: a listing that fails is answered as a failure' }),
      data: Type.Object(
        {
          ...target,
          tool_count: Type.Integer({ description: 'Number of tools' }),
          tools: Type.Array(McpTool, { description: 'All tools of the server, also those that agents may not call' }),
          drift: ToolDriftOf('Changes since the last complete listing of the saved connection; empty without one'),
          truncated: Type.Optional(Type.Boolean({ description: 'The listing is not complete; see warnings' })),
        },
        { description: 'Tools and their server' },
      ),
    },
    { description: 'The tools of an MCP server' },
  ),
);

const Names = (description: string) => Type.Array(Type.String(), { description });

export const McpAcceptReply = named(
  'McpToolAcceptanceReply',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the connection' }),
      accepted: Names('Listed tools that are accepted now, also those that were before'),
      changed: Names('Listed tools that are not: new ones, changed ones and those that are too large'),
    },
    { description: 'The tools of a connection after some were accepted' },
  ),
);

import { Type } from 'typebox';
import { named } from '../../contract/schemas/named.ts';
import { ToolDriftOf } from '../../contract/schemas/resourceSchemas.ts';
import { McpType, Transport } from './schemas.ts';

const target = {
  mcp_name: Type.Union([Type.String(), Type.Null()], {
    description: 'Name of the saved connection; null if details were given',
  }),
  mcp_type: McpType,
  mcp_server_url: Type.String({ description: 'Address of the server without user name, password and query' }),
  response_time_ms: Type.Number({ description: 'Milliseconds that the whole call took, token refresh included' }),
};

const ServerInfo = named(
  'McpServerInfo',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the software' }),
      version: Type.String({ description: 'Version of the software' }),
      title: Type.Optional(Type.String({ description: 'Name of the software for a person, if it has one' })),
    },
    { description: 'What the server says about itself' },
  ),
);

export const McpTestReply = named(
  'McpConnectionTestReply',
  Type.Object(
    {
      success: Type.Boolean({ description: 'Whether the MCP server answered as it should' }),
      data: Type.Object(
        {
          ...target,
          http_status: Type.Union([Type.Integer(), Type.Null()], {
            description: 'HTTP status of the decisive answer; null if none arrived',
          }),
          authenticated: Type.Boolean({ description: 'An MCP answer arrived without 401 or 403' }),
          reachable: Type.Boolean({ description: 'An HTTP answer arrived' }),
          transport: Type.Union([Transport, Type.Null()], {
            description: 'Transport that the server answered on; null if it answered on none',
          }),
          protocol_version: Type.Union([Type.String(), Type.Null()], {
            description: 'Version of the MCP protocol that was agreed on, a date; null if it did not come to that',
          }),
          server_info: Type.Optional(ServerInfo),
        },
        { description: 'What was contacted, and how far that came' },
      ),
    },
    { description: 'What a test of an MCP connection found' },
  ),
);

const FreeObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const McpTool = named(
  'McpTool',
  Type.Object(
    {
      name: Type.String({ description: 'Name by which the tool is called' }),
      title: Type.Optional(Type.String({ description: 'Name of the tool for a person, if the server gives one' })),
      description: Type.String({ description: "What the tool does, in the server's words" }),
      input_schema: Type.Optional(FreeObject('JSON schema of the arguments')),
      annotations: Type.Optional(
        FreeObject("The server's hints about the tool, such as readOnlyHint; nothing vouches for them"),
      ),
      allowed: Type.Boolean({ description: 'Whether `tools_allowed` lets agents call it' }),
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
          tool_count: Type.Integer({ description: 'How many tools were listed' }),
          tools: Type.Array(McpTool, { description: 'All tools of the server, also those that agents may not call' }),
          drift: ToolDriftOf(
            'What has changed since the last complete listing of the saved connection; all empty at the first one, and without a saved connection',
          ),
          truncated: Type.Optional(Type.Boolean({ description: 'The listing is not complete; see warnings' })),
        },
        { description: 'The tools, and where they are from' },
      ),
    },
    { description: 'The tools of an MCP server' },
  ),
);

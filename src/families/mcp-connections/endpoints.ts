import { EDIT_MCP_CONNECTIONS as write } from '../../contract/capabilities.ts';
import { SECRET_FAULTS } from '../../contract/codes/faults.ts';
import { OUTBOUND_CODES } from '../../contract/codes/outbound.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { CONNECTION_WRITES, crudRows } from '../../resources/crud/rows.ts';
import { mcpConnection } from './definition.ts';
import { OPERATIONS } from './records.ts';
import { McpAcceptReply, McpTestReply, McpToolsReply } from './replies.ts';
import { McpAcceptInput, McpTestInput } from './schemas.ts';

export const mcpConnections = endpoints({
  ...crudRows({
    ...OPERATIONS,
    path: '/ml/mcp_connection',
    ...mcpConnection,
    write,
    writes: CONNECTION_WRITES,
    summaries: {
      list: 'MCP connections the caller may read; with name=, one of them.',
      get: 'One MCP connection.',
      create: 'Create an MCP connection.',
      update: 'Change an MCP connection: name and any subset of its fields.',
      delete: 'Delete an MCP connection and its secrets.',
    },
  }),
  testMcpConnection: {
    method: 'POST',
    path: '/ml/mcp_connection/test',
    audit: { action: 'test', name: ['body.name'] },
    summary: 'Connect to the MCP server of a saved or given connection; only last_test is written.',
    ...write,
    body: McpTestInput,
    reply: McpTestReply,
    answersFailure: true,
    faults: ['not_found', 'acl_denied', ...SECRET_FAULTS],
  },
  listMcpTools: {
    method: 'POST',
    path: '/ml/mcp_connection/tools',
    audit: { action: 'tool_list', name: ['body.name'] },
    summary: 'All tools of the MCP server of a saved or given connection.',
    ...write,
    body: McpTestInput,
    reply: McpToolsReply,
    faults: ['not_found', 'acl_denied', ...SECRET_FAULTS, ...OUTBOUND_CODES],
  },
  acceptMcpTools: {
    method: 'POST',
    path: '/ml/mcp_connection/accept_tools',
    audit: { action: 'update', name: ['body.name'] },
    summary: 'Accept the tools of a saved connection as the server lists them now, all or some.',
    ...write,
    body: McpAcceptInput,
    conditional: true,
    reply: McpAcceptReply,
    faults: ['not_found', 'acl_denied', 'version_conflict', 'unknown_reference', ...OUTBOUND_CODES],
    addition: true,
  },
});

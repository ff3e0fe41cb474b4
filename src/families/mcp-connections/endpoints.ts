import { EDIT_MCP_CONNECTIONS as write } from '../../contract/capabilities.ts';
import { SECRET_FAULTS } from '../../contract/codes/faults.ts';
import { OUTBOUND_CODES } from '../../contract/codes/outbound.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import {
  ConfigReply,
  ForceQuery,
  ListQuery,
  ListReply,
  NameParams,
  NameReply,
  OneByName,
  VerifyQuery,
} from '../../contract/schemas/common.ts';
import { SORT_KEYS } from './records.ts';
import { McpTestReply, McpToolsReply } from './replies.ts';
import { McpCreate, McpRecord, McpTestInput, McpUpdate } from './schemas.ts';

export const mcpConnections = endpoints({
  listMcpConnections: {
    method: 'GET',
    path: '/ml/mcp_connection',
    summary: 'MCP connections the caller may read; with name=, one of them.',
    gate: 'session',
    query: ListQuery(SORT_KEYS, { name: OneByName }),
    reply: ListReply(McpRecord),
    faults: ['not_found'],
  },
  getMcpConnection: {
    method: 'GET',
    path: '/ml/mcp_connection/{name}',
    summary: 'One MCP connection.',
    gate: 'session',
    params: NameParams,
    reply: ConfigReply(McpRecord),
    faults: ['not_found'],
    addition: true,
  },
  createMcpConnection: {
    method: 'POST',
    path: '/ml/mcp_connection',
    audit: { action: 'create', name: ['body.name'] },
    summary: 'Create an MCP connection.',
    ...write,
    query: VerifyQuery,
    body: McpCreate,
    reply: ConfigReply(McpRecord),
    faults: ['duplicate_name', 'acl_denied', 'masked_value_without_stored_secret', 'verification_refused'],
  },
  updateMcpConnection: {
    method: 'PUT',
    path: '/ml/mcp_connection',
    audit: { action: 'update', name: ['body.name'] },
    summary: 'Change an MCP connection: name and any subset of its fields.',
    ...write,
    query: VerifyQuery,
    body: McpUpdate,
    conditional: true,
    reply: ConfigReply(McpRecord),
    faults: ['not_found', 'acl_denied', 'version_conflict', 'verification_refused', ...SECRET_FAULTS],
  },
  deleteMcpConnection: {
    method: 'DELETE',
    path: '/ml/mcp_connection/{name}',
    audit: { action: 'delete', name: ['params.name'] },
    summary: 'Delete an MCP connection and its secrets.',
    ...write,
    params: NameParams,
    query: ForceQuery,
    conditional: true,
    reply: NameReply,
    faults: ['not_found', 'acl_denied', 'version_conflict', 'in_use'],
  },
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
});

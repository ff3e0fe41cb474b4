import { recordKey } from '../../domain/values/keys.ts';
import { namedBy, type Portable, pagesOf } from '../../resources/portable.ts';
import { FAMILY, MCP_CONNECTIONS } from './records.ts';

export const portableMcpConnections: Portable = {
  family: 'mcp-connections',
  rank: 0,
  rows: { read: 'getMcpConnection', create: 'createMcpConnection', update: 'updateMcpConnection' },
  collection: MCP_CONNECTIONS,
  keyOf: recordKey,
  marks: FAMILY,
  hasAcl: true,
  ...namedBy('name'),
  all: ({ calls }) => pagesOf(calls, 'listMcpConnections'),
  address: (name) => ({ params: { name } }),
  merges: ['details'],
  unset: { 'details.verify_tls': true, 'details.is_auto_refresh_enabled': false },
};

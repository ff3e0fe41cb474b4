import type { Caller } from '../../contract/caller.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { readableRecord } from '../../resources/access.ts';
import { crudCodec } from '../../resources/crud/codec.ts';
import { listedTools } from './calls/drift.ts';
import { FAMILY, MCP_CONNECTIONS, type McpStored, OPERATIONS } from './records.ts';

export const mcpConnectionCodec = crudCodec(
  OPERATIONS,
  { family: FAMILY, collection: MCP_CONNECTIONS },
  {
    mergedFields: ['details'],
    defaults: { 'details.verify_tls': true, 'details.is_auto_refresh_enabled': false },
  },
);

export function readableConnection(records: RecordStore, caller: Caller, name: string): Promise<McpStored | undefined> {
  return readableRecord<McpStored>(records, caller, MCP_CONNECTIONS, recordKey(name));
}

/** The allowed tools, by default those of the last listing; undefined without one. */
export async function toolsForAgents(records: RecordStore, connection: McpStored): Promise<string[] | undefined> {
  return connection.tools_allowed ?? (await listedTools(records, connection));
}

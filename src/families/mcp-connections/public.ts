import type { Caller } from '../../contract/caller.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { readableRecord } from '../../resources/access.ts';
import { listedTools } from './calls/drift.ts';
import { MCP_CONNECTIONS, type McpStored } from './records.ts';

export { portableMcpConnections } from './portable.ts';

export function readableConnection(records: RecordStore, caller: Caller, name: string): Promise<McpStored | undefined> {
  return readableRecord<McpStored>(records, caller, MCP_CONNECTIONS, recordKey(name));
}

/** The tools that agents may call: those allowed, else those of the last listing. Undefined: it was never listed. */
export async function toolsForAgents(records: RecordStore, connection: McpStored): Promise<string[] | undefined> {
  return connection.tools_allowed ?? (await listedTools(records, connection));
}

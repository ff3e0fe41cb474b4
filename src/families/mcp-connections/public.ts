import type { Caller } from '../../contract/caller.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { readableRecord } from '../../resources/access.ts';
import { crudCodec } from '../../resources/crud/codec.ts';
import { listedTools } from './calls/drift.ts';
import { isAllowed } from './calls/toolCalls.ts';
import { type AcceptedTool, FAMILY, MCP_CONNECTIONS, type McpStored, OPERATIONS } from './records.ts';

export {
  ConnectionTools,
  type OpenConnection,
  type OpenSource,
  type SavedListing,
  type ToolSource,
} from './tools/connectionTools.ts';
export { acceptanceFingerprint } from './tools/definitions.ts';
export { judgeTool, type OnToolChange, readOnToolChange, unaccepted } from './tools/toolUse.ts';

export const mcpConnectionCodec = crudCodec(
  OPERATIONS,
  { family: FAMILY, collection: MCP_CONNECTIONS },
  {
    defaults: { 'details.verify_tls': true, 'details.is_auto_refresh_enabled': false },
  },
);

type ListedConnection = Pick<McpStored, '_key' | 'acl' | 'tools_allowed' | 'created_at'>;

export function readableConnection(
  records: RecordStore,
  caller: Caller,
  name: string,
): Promise<ListedConnection | undefined> {
  const fields = ['acl', 'tools_allowed', 'created_at'] as const;
  return readableRecord<ListedConnection>(records, caller, {
    collection: MCP_CONNECTIONS,
    key: recordKey(name),
    fields,
  });
}

/** The allowed tools, by default those of the last listing; undefined without one. */
export async function toolsForAgents(
  records: RecordStore,
  connection: ListedConnection,
): Promise<string[] | undefined> {
  return connection.tools_allowed ?? (await listedTools(records, connection));
}

export type ToolPrint = Pick<AcceptedTool, 'name' | 'fingerprint'>;

/** The accepted tools that are allowed; undefined before the first listing, and for a connection that the caller may not read. */
export async function acceptedTools(
  records: RecordStore,
  caller: Caller,
  name: string,
): Promise<ToolPrint[] | undefined> {
  const connection = await readableRecord<Pick<McpStored, '_key' | 'acl' | 'tools_allowed' | 'accepted_tools'>>(
    records,
    caller,
    { collection: MCP_CONNECTIONS, key: recordKey(name), fields: ['acl', 'tools_allowed', 'accepted_tools'] },
  );
  return connection?.accepted_tools
    ?.filter((tool) => isAllowed(connection, tool.name))
    .map(({ name: tool, fingerprint }) => ({ name: tool, fingerprint }));
}

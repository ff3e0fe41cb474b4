import { counted } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { Handlers } from '../../contract/rows/handlers.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { McpContact, McpDependencies, McpListing } from '../../ports/mcp/mcpClient.ts';
import { crudHandlers } from '../../resources/crud/handlers.ts';
import { Resources } from '../../resources/resources.ts';
import type { Target } from '../../resources/target.ts';
import { discoveredFields } from './calls/contact.ts';
import { drift, forgetListing, NO_DRIFT } from './calls/drift.ts';
import { describeTarget } from './calls/target.ts';
import { isStillAt, listTools, testServer } from './calls/testing.ts';
import { isAllowed } from './calls/toolCalls.ts';
import { verification } from './calls/verification.ts';
import type { mcpConnections } from './endpoints.ts';
import { type McpConnections, mcpKind } from './kind.ts';
import type { McpFields } from './merge.ts';
import { FAMILY, type McpStored, OPERATIONS } from './records.ts';

export function mcpHandlers(
  stores: Stores,
  deps: McpDependencies,
  secretPaths: Readonly<Record<string, readonly string[]>>,
): Handlers<typeof mcpConnections> {
  const connections: McpConnections = new Resources(mcpKind, stores, secretPaths[FAMILY] ?? []);
  const targetOf = (caller: Caller, body: McpFields) =>
    connections.target(caller, body.name === undefined ? undefined : recordKey(body.name), body);

  return {
    ...crudHandlers(OPERATIONS, connections, {
      created: 'MCP connection created',
      updated: 'MCP connection updated',
      deleted: 'MCP connection deleted',
      verify: verification(connections, deps),
      warningsOf: ({ details }) => adviceOn(details?.url),
      afterDelete: ({ _key }) => forgetListing(stores, _key),
    }),
    async testMcpConnection({ caller, body }) {
      const target = await targetOf(caller, body);
      const { contact, elapsedMs } = await testServer(connections, deps, target);
      const data = {
        ...describeTarget(target, elapsedMs),
        http_status: contact.httpStatus,
        authenticated: contact.authenticated,
        reachable: contact.reachable,
        transport: contact.transport,
        protocol_version: contact.protocolVersion,
        ...(contact.serverInfo ? { server_info: contact.serverInfo } : {}),
      };
      if (!contact.error) return { success: true, message: 'The MCP server answered', data };
      return { status: 'fail', success: false, error_code: contact.error.code, message: contact.error.message, data };
    },
    async listMcpTools({ caller, body, warnings }) {
      const target = await targetOf(caller, body);
      const { contact, elapsedMs } = await listTools(connections, deps, target);
      await rememberContact(connections, target, contact);
      const server = describeTarget(target, elapsedMs);
      if (contact.error) throw Fault.of(contact.error, { success: false, data: server });
      if (contact.truncated) warnings.push(`The listing is not complete: ${contact.truncated}`);
      const changes = await driftOf(connections, target, contact);
      return {
        success: true,
        message: counted(contact.tools.length, 'tool'),
        data: {
          ...server,
          tool_count: contact.tools.length,
          tools: contact.tools.map((tool) => ({
            ...defined(tool),
            allowed: isAllowed(target.saved, tool.name),
          })),
          drift: changes,
          ...(contact.truncated ? { truncated: true } : {}),
        },
      };
    },
  };
}

/** An incomplete listing cannot show removed tools and does not become the next base. */
async function driftOf(connections: McpConnections, target: Target<McpStored>, listing: McpListing) {
  if (!target.saved) return NO_DRIFT;
  const isComplete = listing.truncated === undefined;
  const found = await drift(connections.stores.records, target.saved, listing.tools, isComplete);
  return isComplete ? found : { ...found, removed: [] };
}

/** Writes only if a field changed. */
async function rememberContact(
  connections: McpConnections,
  target: Target<McpStored>,
  contact: McpContact,
): Promise<void> {
  const { saved } = target;
  if (!saved) return;
  const isNews = Object.entries(discoveredFields(saved, contact)).some(
    ([key, value]) => saved[key as keyof McpStored] !== value,
  );
  if (!isNews) return;
  await connections.sealed.amend(saved._key, async (record) =>
    isStillAt(record, target) ? { open: discoveredFields(record, contact) } : undefined,
  );
}

function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function adviceOn(url: string | undefined): string[] {
  if (!url || !URL.canParse(url)) return [];
  const { hostname, pathname } = new URL(url);
  if (hostname !== 'mcp.atlassian.com' || !pathname.endsWith('/sse')) return [];
  return ['deprecated_endpoint: the provider withdraws this address; use https://mcp.atlassian.com/v1/mcp'];
}

import { counted } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { Handlers } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import { redact } from '../../domain/net/redact.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { withoutUndefined } from '../../domain/values/json.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { McpDependencies } from '../../ports/mcp/mcpClient.ts';
import { crudHandlers } from '../../resources/crud/handlers.ts';
import { type References, unusedBy } from '../../resources/references.ts';
import { Resources } from '../../resources/resources.ts';
import { Target } from '../../resources/target.ts';
import { forgetListing } from './calls/drift.ts';
import { rememberContact } from './calls/rememberContact.ts';
import { describeTarget } from './calls/target.ts';
import { listTools, testServer } from './calls/testing.ts';
import { isAllowed } from './calls/toolCalls.ts';
import { verification } from './calls/verification.ts';
import type { mcpConnections } from './endpoints.ts';
import { type McpConnections, mcpKind } from './kind.ts';
import type { McpFields } from './merge.ts';
import { FAMILY, type McpStored, OPERATIONS } from './records.ts';
import { compareListing, marksOf, noteListing } from './tools/acceptance.ts';
import { acceptTools } from './tools/acceptTools.ts';
import { forgetBatches } from './tools/batches.ts';
import { withMaskedTexts } from './tools/definitions.ts';

export function mcpHandlers(
  stores: Stores,
  deps: McpDependencies,
  plans: RecordPlans,
  references: References,
): Handlers<typeof mcpConnections> {
  const kind: typeof mcpKind = { ...mcpKind, assertUnused: unusedBy(references, 'mcp') };
  const connections: McpConnections = new Resources(kind, stores, plans[FAMILY]);
  const targetOf = (caller: Caller, body: McpFields) =>
    connections.target(caller, body.name === undefined ? undefined : recordKey(body.name), body);

  /** @throws Fault with the outbound code of a failed listing */
  const listed = async (read: Target<McpStored>, warnings: string[]) => {
    const { contact, target, elapsedMs } = await listTools(connections, deps, read);
    await rememberContact(connections, target, contact);
    const server = describeTarget(target, elapsedMs);
    if (contact.error) throw Fault.of(contact.error, { success: false, data: server });
    for (const text of contact.leftOut ?? []) warnings.push(redact(text, target.hidden));
    if (contact.truncated) warnings.push(`The listing is not complete: ${contact.truncated}`);
    return { contact, target, server };
  };

  return {
    ...crudHandlers(OPERATIONS, connections, {
      created: 'MCP connection created',
      updated: 'MCP connection updated',
      deleted: 'MCP connection deleted',
      verify: verification(connections, deps),
      warningsOf: ({ details }) => adviceOn(details?.url),
      async afterDelete(record) {
        await forgetListing(stores, record._key);
        await forgetBatches(stores, record);
      },
    }),
    async testMcpConnection({ caller, body }) {
      const { contact, target, elapsedMs } = await testServer(connections, deps, await targetOf(caller, body));
      const data = {
        ...describeTarget(target, elapsedMs),
        http_status: contact.httpStatus,
        authenticated: contact.authenticated,
        reachable: contact.reachable,
        transport: contact.transport,
        protocol_version: contact.protocolVersion,
        ...(contact.serverInfo ? { server_info: withMaskedTexts(contact.serverInfo, target.hidden) } : {}),
      };
      if (!contact.error) return { success: true, message: 'The MCP server answered', data };
      return { status: 'fail', success: false, error_code: contact.error.code, message: contact.error.message, data };
    },
    async listMcpTools({ caller, body, warnings }) {
      const { contact, target, server } = await listed(await targetOf(caller, body), warnings);
      const compared = await compareListing(connections, target, contact);
      const changes = await noteListing(connections, target, contact, compared);
      const marks = await marksOf(connections, target, compared);
      return {
        success: true,
        message: counted(contact.tools.length, 'tool'),
        data: {
          ...server,
          tool_count: contact.tools.length,
          tools: contact.tools.map((tool, index) => ({
            ...withMaskedTexts(defined(tool), target.hidden),
            allowed: isAllowed(target.saved, tool.name),
            ...marks[index],
          })),
          drift: changes,
          ...(contact.truncated ? { truncated: true } : {}),
        },
      };
    },
    async acceptMcpTools({ caller, body, condition, warnings }) {
      const unsealed = await connections.unsealed(caller, recordKey(body.name), 'write');
      const { record } = unsealed;
      connections.sealed.assertVersion(record, condition);
      const { contact, target } = await listed(Target.saved(unsealed), warnings);
      const request = { caller, names: body.tools, fingerprints: body.fingerprints, condition, warnings };
      const { accepted, changed } = await acceptTools(connections, target, record, contact, request);
      return { message: `${counted(accepted.length, 'tool')} accepted`, name: record.name, accepted, changed };
    },
  };
}

function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return withoutUndefined(value) as { [K in keyof T]: Exclude<T[K], undefined> };
}

function adviceOn(url: string | undefined): string[] {
  if (!url || !URL.canParse(url)) return [];
  const { hostname, pathname } = new URL(url);
  if (hostname !== 'mcp.atlassian.com' || !pathname.endsWith('/sse')) return [];
  return ['deprecated_endpoint: the provider withdraws this address; use https://mcp.atlassian.com/v1/mcp'];
}

import { Fault } from '../../contract/faults.ts';
import { type Handlers, withRules } from '../../contract/handlers.ts';
import { recordKey } from '../../domain/keys.ts';
import { lastTest } from '../../domain/lastTest.ts';
import type { Stores } from '../../domain/sealed.ts';
import type { McpContact, McpDependencies, McpListing } from '../../ports/mcpClient.ts';
import { callServer, failedContact, failedListing, learned, type Outcome } from './contact.ts';
import { drift } from './drift.ts';
import type { mcpConnections } from './endpoints.ts';
import { AUTH_STATE_FIELDS, FAMILY, type McpStored, mcpView, shownAuthState } from './records.ts';
import type { McpCreate } from './schemas.ts';
import { McpConnections } from './service.ts';
import { MCP_SORT_KEYS } from './sortKeys.ts';
import { type Aim, aim, shownTarget } from './target.ts';

export function mcpHandlers(
  stores: Stores,
  deps: McpDependencies,
  secretPaths: Readonly<Record<string, readonly string[]>>,
): Handlers<typeof mcpConnections> {
  const connections = new McpConnections(stores, secretPaths[FAMILY] ?? []);
  const view = (record: McpStored) => mcpView(record, connections.now());

  return {
    async listMcpConnections({ caller, query }) {
      if (query.name !== undefined) return { config: view(await connections.get(caller, recordKey(query.name))) };
      const { records, pagination } = await connections.page(caller, query, MCP_SORT_KEYS, {
        fields: AUTH_STATE_FIELDS,
        of: (record) => ({ auth_state: shownAuthState(record, connections.now()) }),
      });
      return { result: records.map(view), pagination, message: `${pagination.total} MCP connections` };
    },
    async getMcpConnection({ caller, params }) {
      return { config: view(await connections.get(caller, recordKey(params.name))) };
    },
    createMcpConnection: withRules(
      async ({ caller, body, warnings }) => {
        warnings.push(...adviceOn(body.details.url));
        return { message: 'MCP connection created', config: view(await connections.create(caller, body)) };
      },
      (body: McpCreate) => void connections.draft(body),
    ),
    async updateMcpConnection({ caller, body, condition, warnings }) {
      warnings.push(...adviceOn(body.details?.url));
      return { message: 'MCP connection updated', config: view(await connections.update(caller, body, condition)) };
    },
    async deleteMcpConnection({ caller, params, query, condition }) {
      const name = await connections.remove(caller, params.name, { force: query.force ?? false, condition });
      return { message: 'MCP connection deleted', name };
    },
    async testMcpConnection({ caller, body }) {
      const target = await aim(connections, caller, body);
      const outcome = await callServer(
        connections,
        deps,
        target,
        (client, at, deadline) => client.probe(at, deadline),
        failedContact,
      );
      await rememberTest(connections, target, outcome);
      const { contact, elapsedMs } = outcome;
      const data = {
        ...shownTarget(target, elapsedMs),
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
      const target = await aim(connections, caller, body);
      const { contact, elapsedMs } = await callServer(
        connections,
        deps,
        target,
        (client, at, deadline) => client.listTools(at, deadline),
        failedListing,
      );
      await rememberContact(connections, target, contact);
      const shown = shownTarget(target, elapsedMs);
      if (contact.error) throw Fault.of(contact.error, { success: false, data: shown });
      if (contact.truncated) warnings.push(`The listing is not whole: ${contact.truncated}`);
      const changes = await driftOf(connections, target, contact);
      return {
        success: true,
        message: `${contact.tools.length} tools`,
        data: {
          ...shown,
          tool_count: contact.tools.length,
          tools: contact.tools.map((tool) => ({
            ...defined(tool),
            allowed: target.saved?.tools_allowed?.includes(tool.name) ?? true,
          })),
          drift: changes,
          ...(contact.truncated ? { truncated: true } : {}),
        },
      };
    },
  };
}

/** A listing that is not whole says nothing about what is gone, and does not become the base of the next. */
async function driftOf(connections: McpConnections, target: Aim, listing: McpListing) {
  const none = { added: [], removed: [], changed: [] };
  if (!target.saved) return none;
  const whole = listing.truncated === undefined;
  const found = await drift(connections.stores.records, target.saved, listing.tools, whole);
  return whole ? found : { ...found, removed: [] };
}

async function rememberTest(
  connections: McpConnections,
  target: Aim,
  { contact, elapsedMs }: Outcome<McpContact>,
): Promise<void> {
  const { saved } = target;
  if (!saved) return;
  const last_test = lastTest(connections.now(), elapsedMs, contact.error);
  await connections.sealed.amend(saved._key, async (record) => ({
    open: { ...(isStillAt(record, saved) ? learned(record, contact) : {}), last_test },
  }));
}

/** Writes only what is new: most listings teach nothing. */
async function rememberContact(connections: McpConnections, target: Aim, contact: McpContact): Promise<void> {
  const { saved } = target;
  if (!saved) return;
  const isNews = Object.entries(learned(saved, contact)).some(
    ([key, value]) => saved[key as keyof McpStored] !== value,
  );
  if (!isNews) return;
  await connections.sealed.amend(saved._key, async (record) =>
    isStillAt(record, saved) ? { open: learned(record, contact) } : undefined,
  );
}

/** What one server taught is not true of another one to which the connection has been moved meanwhile. */
const isStillAt = (record: McpStored, called: McpStored): boolean => record.details.url === called.details.url;

/** Keys whose value is undefined do not exist on the wire. */
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

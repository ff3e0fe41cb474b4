import type { Json } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import type { AgentDefinition } from '../../../families/agents/public.ts';
import { acceptanceFingerprint } from '../../../families/mcp-connections/public.ts';
import { readableStores } from '../../../families/vector-stores/public.ts';
import type { ServedTool } from '../../../ports/mcp/mcpServer.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import { servedTool } from '../../mcp/connectionKind.ts';
import { storeTool } from '../../mcp/storeKind.ts';
import { assertSearchCapabilities, searchToolsOf } from '../../search/searchTools.ts';
import { toolNameOf } from '../../tools/toolNames.ts';
import type { ToolCatalogue, ToolOffer } from '../../tools/usableTools.ts';
import type { ShownTarget, TurnCall, UnavailableConnection } from '../documents/stored.ts';

/** A tool that the model of a run may call. */
export interface RunTool {
  served: ServedTool;
  target: NonNullable<TurnCall['target']>;
  /** Absent for a tool that no MCP server offers. */
  offer?: ToolOffer | undefined;
}

export interface RunTools {
  tools: RunTool[];
  /** Connections that the agent names and whose servers gave no tools. */
  unavailable: UnavailableConnection[];
}

/** Servers of a run are waited for so long. */
const LISTING_MS = 10_000;

/**
 * The tools of an agent, by the names and rules of the MCP gateway, as the caller may use them now.
 * @param anew connections whose servers are asked although they have just been
 * @throws Fault `unknown_reference` for a connection or store that the caller may not read; `missing_capability` for a search tool
 */
export async function toolsOfRun(
  catalogue: ToolCatalogue,
  records: RecordStore,
  caller: Caller,
  { mcps = [], knowledge_bases: stores = [], search_tools: searches = [] }: AgentDefinition,
  anew: readonly UnavailableConnection[] = [],
): Promise<RunTools> {
  assertSearchCapabilities(caller, searches);
  const [connections, readable, usable] = await Promise.all([
    mcps.length > 0 ? catalogue.connections.readable(caller) : [],
    stores.length > 0 ? readableStores(records, caller) : [],
    searches.length > 0 ? searchToolsOf(records, caller) : [],
  ]);
  const named = mcps.map(({ name, tools }) => {
    const source = connections.find((connection) => isSame(connection.name, name));
    if (!source) throw unknownReference(`the MCP connection ${name}`);
    return { source, tools };
  });
  const storeTools = stores.map((name): RunTool => {
    const store = readable.find((candidate) => isSame(candidate.name, name));
    if (!store) throw unknownReference(`the vector store ${name}`);
    return { served: storeTool(store), target: { kind: 'retrieve', store: store.name } };
  });
  // One that is switched off is left out.
  const searchTools = usable.flatMap(({ name, served }): RunTool[] =>
    searches.includes(name) ? [{ served, target: { kind: 'search', tool: name } }] : [],
  );
  // An agent may name a connection and none of its tools.
  const sources = named.filter(({ tools }) => tools?.length !== 0).map(({ source }) => source);
  for (const source of sources) if (anew.some(({ name }) => name === source.name)) catalogue.forget(source);
  const usableTools = await catalogue.usable(caller, sources, catalogue.needsServer(sources) ? LISTING_MS : 0);
  const tools = usableTools.tools.flatMap((listed): RunTool[] => {
    const { connection, tool, offer } = listed;
    const chosen = named.find(({ source }) => source.name === connection)?.tools;
    if (chosen && !chosen.includes(tool.name)) return [];
    const name = toolNameOf({ connection, tool: tool.name });
    return [{ served: servedTool(name, listed), target: { kind: 'tool', connection, tool: tool.name }, offer }];
  });
  const sorted = [...tools, ...storeTools, ...searchTools].sort((a, b) => (a.served.name < b.served.name ? -1 : 1));
  const unavailable = usableTools.unavailable.map(
    ({ connection: name, error_code }): UnavailableConnection => ({ kind: 'mcp_connection', name, error_code }),
  );
  return { tools: sorted, unavailable };
}

/** The target that a person is shown and that the call is made to. */
export const shownTarget = ({ source, tool }: ToolOffer): ShownTarget => ({
  host: new URL(source.details.url).origin,
  fingerprint: acceptanceFingerprint(tool),
});

/** @throws Fault `unknown_reference` */
export const unknownReference = (what: string): Fault =>
  new Fault('unknown_reference', `There is no such record for this run any more, or its user may not read it: ${what}`);

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Whether a person has to approve a call. */
export function needsApproval(
  { approve_tools: rule = 'destructive', approve_tools_named: named = [] }: AgentDefinition,
  { served, target }: RunTool,
): boolean {
  if (named.includes(served.name) || (target.kind !== 'retrieve' && named.includes(target.tool))) return true;
  const { readOnlyHint, destructiveHint } = hintsOf(served);
  if (rule === 'always') return true;
  if (rule === 'writes') return !(readOnlyHint && !destructiveHint);
  return rule === 'destructive' && destructiveHint;
}

/** A call that may be made again after a crash. */
export function isRepeatable({ served }: RunTool): boolean {
  const { readOnlyHint, idempotentHint, destructiveHint } = hintsOf(served);
  return (readOnlyHint && !destructiveHint) || idempotentHint;
}

function hintsOf({ annotations = {} }: ServedTool) {
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations as Json;
  return {
    readOnlyHint: readOnlyHint === true,
    destructiveHint: destructiveHint === true,
    idempotentHint: idempotentHint === true,
  };
}

import type { Json } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import type { LastTest } from '../../../contract/schemas/common.ts';
import { isFlagOnNow } from '../../../contract/settings/flags.ts';
import type { AgentDefinition } from '../../../families/agents/public.ts';
import { acceptanceFingerprint } from '../../../families/mcp-connections/public.ts';
import { readableStores } from '../../../families/vector-stores/public.ts';
import type { ServedTool } from '../../../ports/mcp/mcpServer.ts';
import type { GatewaySite } from '../../context.ts';
import { servedTool } from '../../mcp/connectionKind.ts';
import { storeTool } from '../../mcp/storeKind.ts';
import { assertSearchCapabilities, searchToolsOf } from '../../search/searchTools.ts';
import { toolNameOf } from '../../tools/toolNames.ts';
import type { ToolCatalogue, ToolOffer } from '../../tools/usableTools.ts';
import type { ShownTarget, TurnCall, UnavailableTools } from '../documents/stored.ts';

/** A tool that the model of a run may call. */
export interface RunTool {
  served: ServedTool;
  target: NonNullable<TurnCall['target']>;
  /** Absent for a tool that no MCP server offers. */
  offer?: ToolOffer | undefined;
}

export interface RunTools {
  tools: RunTool[];
  /** Parts of the agent that cannot be used now; its tools are left out. */
  unavailable: UnavailableTools[];
}

type Site = Pick<GatewaySite, 'stores' | 'settings'>;

/** Servers of a run are waited for so long. */
const LISTING_MS = 10_000;

/**
 * The tools of an agent, by the names and rules of the MCP gateway, as the caller may use them now.
 * @param anew whether servers are asked again that have just given no tools
 * @throws Fault `unknown_reference` for a connection or store that the caller may not read; `missing_capability` for a search tool
 */
export async function toolsOfRun(
  catalogue: ToolCatalogue,
  site: Site,
  caller: Caller,
  { mcps = [], knowledge_bases: stores = [], search_tools: searches = [] }: AgentDefinition,
  anew = false,
): Promise<RunTools> {
  assertSearchCapabilities(caller, searches);
  const parts = await Promise.all([
    toolsOfConnections(catalogue, site, caller, mcps, anew),
    toolsOfStores(site, caller, stores),
    toolsOfSearches(site, caller, searches),
  ]);
  const { tools, unavailable } = joined(parts);
  return { tools: tools.sort((a, b) => (a.served.name < b.served.name ? -1 : 1)), unavailable };
}

async function toolsOfConnections(
  catalogue: ToolCatalogue,
  { settings }: Site,
  caller: Caller,
  mcps: AgentDefinition['mcps'],
  anew: boolean,
): Promise<RunTools> {
  const connections = mcps.length > 0 ? await catalogue.connections.readable(caller) : [];
  const named = mcps.map(({ name, tools }) => {
    const source = connections.find((connection) => isSame(connection.name, name));
    if (!source) throw unknownReference(`the MCP connection ${name}`);
    return { source, tools };
  });
  // An agent may name a connection and none of its tools.
  const sources = named.filter(({ tools }) => tools?.length !== 0).map(({ source }) => source);
  if (sources.length === 0) return NO_TOOLS;
  const lack = (name: string, error_code: string): UnavailableTools => ({ kind: 'mcp_connection', name, error_code });
  if (!(await isFlagOnNow('mcp_connections', settings))) {
    return { tools: [], unavailable: sources.map(({ name }) => lack(name, SWITCHED_OFF)) };
  }
  if (anew) for (const source of sources) catalogue.forgetFailed(source);
  const usable = await catalogue.usable(caller, sources, catalogue.needsServer(sources) ? LISTING_MS : 0);
  const tools = usable.tools.flatMap((listed): RunTool[] => {
    const { connection, tool, offer } = listed;
    const chosen = named.find(({ source }) => source.name === connection)?.tools;
    if (chosen && !chosen.includes(tool.name)) return [];
    const name = toolNameOf({ connection, tool: tool.name });
    return [{ served: servedTool(name, listed), target: { kind: 'tool', connection, tool: tool.name }, offer }];
  });
  return { tools, unavailable: usable.unavailable.map(({ connection, error_code }) => lack(connection, error_code)) };
}

/** Stores are not asked: their flag and their last test say whether they can be used. */
async function toolsOfStores({ stores, settings }: Site, caller: Caller, names: readonly string[]): Promise<RunTools> {
  if (names.length === 0) return NO_TOOLS;
  const readable = await readableStores(stores.records, caller);
  const isOn = await isFlagOnNow('vector_stores', settings);
  const parts = names.map((name): RunTools => {
    const store = readable.find((candidate) => isSame(candidate.name, name));
    if (!store) throw unknownReference(`the vector store ${name}`);
    const error_code = isOn ? failureOf(store) : SWITCHED_OFF;
    if (error_code !== undefined) {
      return { tools: [], unavailable: [{ kind: 'vector_store', name: store.name, error_code }] };
    }
    return { tools: [{ served: storeTool(store), target: { kind: 'retrieve', store: store.name } }], unavailable: [] };
  });
  return joined(parts);
}

/** As `toolsOfStores`. A search tool has a switch of its own beside the flag. */
async function toolsOfSearches(
  { stores, settings }: Site,
  caller: Caller,
  names: readonly string[],
): Promise<RunTools> {
  if (names.length === 0) return NO_TOOLS;
  const usable = await searchToolsOf(stores.records, caller);
  const isOn = await isFlagOnNow('search_tools', settings);
  const parts = names.map((name): RunTools => {
    const tool = usable.find((candidate) => candidate.name === name);
    const error_code = isOn && tool ? failureOf(tool) : SWITCHED_OFF;
    if (!tool || error_code !== undefined) {
      return { tools: [], unavailable: [{ kind: 'search_tool', name, error_code: error_code ?? SWITCHED_OFF }] };
    }
    return { tools: [{ served: tool.served, target: { kind: 'search', tool: name } }], unavailable: [] };
  });
  return joined(parts);
}

const NO_TOOLS: RunTools = { tools: [], unavailable: [] };
const SWITCHED_OFF = 'feature_disabled';

const joined = (parts: readonly RunTools[]): RunTools => ({
  tools: parts.flatMap(({ tools }) => tools),
  unavailable: parts.flatMap(({ unavailable }) => unavailable),
});

/** The code of the last test, if that failed. */
function failureOf({ last_test: test }: { last_test?: LastTest | undefined }): string | undefined {
  return test?.status === 'fail' ? (test.error_code ?? 'upstream_error') : undefined;
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

import type { Json } from '../../../contract/basics.ts';
import type { Caller } from '../../../contract/caller.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import type { AgentDefinition } from '../../../families/agents/public.ts';
import type { TurnCall } from '../../../families/runs/public.ts';
import { readableStores } from '../../../families/vector-stores/public.ts';
import type { ServedTool } from '../../../ports/mcp/mcpServer.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import { servedTool } from '../../mcp/connectionKind.ts';
import { storeTool } from '../../mcp/storeKind.ts';
import type { OperationDependencies } from '../../models/operations.ts';
import type { RetrievalDependencies } from '../../retrieval/retrieve.ts';
import type { CallDependencies } from '../../tools/callTool.ts';
import { toolNameOf } from '../../tools/toolNames.ts';
import type { ToolCatalogue } from '../../tools/usableTools.ts';

/** What runs ask models, tools and stores with. */
export type RunDependencies = OperationDependencies & RetrievalDependencies & CallDependencies;

/** A tool that the model of a run may call. */
export interface RunTool {
  served: ServedTool;
  target: NonNullable<TurnCall['target']>;
}

export interface RunTools {
  tools: RunTool[];
  /** Connections whose server gave no tools. */
  unavailable: readonly { connection: string; error_code: string }[];
}

/** Servers of a run are waited for so long. */
const LISTING_MS = 10_000;

/**
 * The tools of an agent, by the names and rules of the MCP gateway, as the caller may use them now.
 * @throws Fault `unknown_reference` for a connection or store that the caller may not read
 */
export async function toolsOfRun(
  catalogue: ToolCatalogue,
  records: RecordStore,
  caller: Caller,
  { mcps = [], knowledge_bases: stores = [] }: AgentDefinition,
): Promise<RunTools> {
  const [connections, readable] = await Promise.all([
    mcps.length > 0 ? catalogue.connections.readable(caller) : [],
    stores.length > 0 ? readableStores(records, caller) : [],
  ]);
  const named = mcps.map(({ name, tools }) => {
    const source = connections.find((one) => isSame(one.name, name));
    if (!source) throw unknownReference(`the MCP connection ${name}`);
    return { source, tools };
  });
  const storeTools = stores.map((name): RunTool => {
    const store = readable.find((one) => isSame(one.name, name));
    if (!store) throw unknownReference(`the vector store ${name}`);
    return { served: storeTool(store), target: { kind: 'retrieve', store: store.name } };
  });
  const sources = named.map(({ source }) => source);
  const found = await catalogue.usable(caller, sources, catalogue.needsServer(sources) ? LISTING_MS : 0);
  const tools = found.tools.flatMap((usable): RunTool[] => {
    const { connection, tool } = usable;
    const chosen = named.find(({ source }) => source.name === connection)?.tools;
    if (chosen && !chosen.includes(tool.name)) return [];
    const name = toolNameOf({ connection, tool: tool.name });
    return [{ served: servedTool(name, usable), target: { kind: 'tool', connection, tool: tool.name } }];
  });
  const all = [...tools, ...storeTools].sort((a, b) => (a.served.name < b.served.name ? -1 : 1));
  return { tools: all, unavailable: found.unavailable };
}

/** @throws Fault `unknown_reference` */
export const unknownReference = (what: string): Fault =>
  new Fault(
    'unknown_reference',
    `There is no such record for this run any more, or its user may not read it: ${what}.`,
  );

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Whether a person has to approve a call. */
export function needsApproval(
  { approve_tools: rule = 'destructive', approve_tools_named: named = [] }: AgentDefinition,
  { served, target }: RunTool,
): boolean {
  if (named.includes(served.name) || (target.kind === 'tool' && named.includes(target.tool))) return true;
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

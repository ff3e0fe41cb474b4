import { isObject, type Json } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { OpenConnection, ToolSource } from '../../families/mcp-connections/public.ts';
import type { Meter } from '../../metering/meter.ts';
import type { ServedTool } from '../../ports/mcp/mcpServer.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { RequestContext } from '../context.ts';
import { runOperation } from '../frame.ts';
import type { OperationContext } from '../operation.ts';
import { toolCall } from '../operations/tool.ts';
import { mayNameToolOf, plainToolName, toolNameOf } from '../tools/toolNames.ts';
import { ToolCatalogue, type UsableTool } from '../tools/usableTools.ts';
import type { CalledTool, KindListing, ToolKind } from './toolKind.ts';

/** One request's access to tools. */
export interface ToolRequest {
  deps: RequestContext;
  caller: Caller;
  /** Takes the slot. @throws Fault `too_many_requests` */
  enter(): Promise<Deadline>;
  meter: Meter;
  /** Records one use. */
  record<T>(work: (context: OperationContext) => Promise<T>): Promise<T>;
}

/** The tools of one connection, by their own names. */
export function toolsOfConnection(request: ToolRequest, opened: OpenConnection): ToolKind {
  const catalogue = new ToolCatalogue(request.deps);
  return {
    list: () => listed(request, catalogue, [opened.source], ({ tool: { name } }) => name),
    call: (name, args) => called(request, catalogue, opened, name, args),
  };
}

/** The tools of all connections that the caller may read. */
export function toolsOfAllConnections(request: ToolRequest): ToolKind {
  const { caller } = request;
  const catalogue = new ToolCatalogue(request.deps);
  const nameOf = ({ connection, tool }: UsableTool) => toolNameOf({ connection, tool: tool.name });
  return {
    list: async () => listed(request, catalogue, await catalogue.connections.readable(caller), nameOf),
    async call(name, args) {
      const plain = plainToolName(name);
      if (!plain) {
        const target = await toolOfHashedName(request, catalogue, name);
        return target && called(request, catalogue, target.opened, target.tool, args);
      }
      // A tool has one name: not this one if it is too long, say, or the name of a tool of another kind.
      if (toolNameOf(plain) !== name) return undefined;
      const opened = await openOrNone(catalogue, caller, plain.connection);
      // Connections are found whatever the case, names of tools are exact.
      if (opened?.source.name !== plain.connection) return undefined;
      return called(request, catalogue, opened, plain.tool, args);
    },
  };
}

/**
 * Such a name does not say which tool it is; what the servers list does, whether the caller may use the tool or not.
 * @throws Fault; OutboundError of a server that might have it
 */
async function toolOfHashedName({ caller, enter, meter }: ToolRequest, catalogue: ToolCatalogue, name: string) {
  const sources = await catalogue.connections.readable(caller);
  const candidates = sources.filter((source) => mayNameToolOf(source.name, name));
  if (candidates.length === 0) return undefined;
  const deadline = await enter();
  const find = async ({ name: connection }: ToolSource) => {
    const isIt = (own: string) => toolNameOf({ connection, tool: own }) === name;
    const opened = await openOrNone(catalogue, caller, connection);
    const tool = opened && (await catalogue.toolOf(opened, isIt, deadline));
    return opened && tool !== undefined ? { opened, tool } : undefined;
  };
  const findAll = () => Promise.allSettled(candidates.map(find));
  const outcomes = await (catalogue.needsServer(candidates) ? meter.upstream(findAll) : findAll());
  for (const each of outcomes) if (each.status === 'fulfilled' && each.value) return each.value;
  for (const each of outcomes) if (each.status === 'rejected') throw each.reason;
  return undefined;
}

async function listed(
  request: ToolRequest,
  catalogue: ToolCatalogue,
  sources: readonly ToolSource[],
  nameOf: (tool: UsableTool) => string,
): Promise<KindListing> {
  const { tools, unavailable } = await usable(request, catalogue, sources);
  return {
    tools: tools.map((each) => servedTool(nameOf(each), each)),
    unavailable,
    warnings: new Map(tools.flatMap((each) => (each.warning === undefined ? [] : [[nameOf(each), each.warning]]))),
  };
}

/** Takes a slot only if a server has to be asked. */
async function usable({ caller, enter, meter }: ToolRequest, catalogue: ToolCatalogue, sources: readonly ToolSource[]) {
  if (!catalogue.needsServer(sources)) return catalogue.usable(caller, sources, 0);
  const deadline = await enter();
  return meter.upstream(() => catalogue.usable(caller, sources, deadline.remaining()));
}

async function called(
  { record }: ToolRequest,
  catalogue: ToolCatalogue,
  opened: OpenConnection,
  tool: string,
  args: Json,
): Promise<CalledTool | undefined> {
  try {
    const call = { catalogue, opened, tool, arguments: args };
    const { response, warnings = [] } = await record((context) => runOperation(toolCall, context, call));
    return { ...response, warnings };
  } catch (error) {
    if (error instanceof Fault && error.code === 'tool_not_found') return undefined;
    throw error;
  }
}

async function openOrNone(catalogue: ToolCatalogue, caller: Caller, name: string): Promise<OpenConnection | undefined> {
  try {
    return await catalogue.connections.open(caller, name);
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') return undefined;
    throw error;
  }
}

const HEADER_OF_ARGUMENT = 'x-mcp-header';

/** Without the request for arguments in headers, which the gateway does not read: they would only stand in access logs. */
function withoutHeaders(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutHeaders);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) => key !== HEADER_OF_ARGUMENT || typeof value !== 'string',
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutHeaders(value)]));
}

export const servedTool = (name: string, { tool }: UsableTool): ServedTool => ({
  name,
  ...(tool.title === undefined ? {} : { title: tool.title }),
  description: tool.description,
  inputSchema: withoutHeaders(tool.input_schema ?? { type: 'object' }) as Json,
  ...(tool.output_schema === undefined ? {} : { outputSchema: tool.output_schema }),
  ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
});

import type { Json } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import {
  BUILT_IN_SEARCH_TOOLS,
  type BuiltInSearchTool,
  isBuiltInSearchTool,
} from '../../contract/families/searchTools.ts';
import {
  filledSearch,
  judgeForCall,
  type UsableSearchTool,
  usableSearchTool,
  usableSearchTools,
} from '../../families/search-tools/public.ts';
import type { ServedTool } from '../../ports/mcp/mcpServer.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { recordToolName } from '../tools/toolNames.ts';
import { BUILT_INS, missingCapability } from './builtIns.ts';
import type { SearchRequest, SearchWork } from './searchWork.ts';

/** A search tool that the caller may use now. */
export interface SearchTool {
  /** Without the prefix. */
  name: string;
  served: ServedTool;
  /** Judges a call. @param args that fit the schema. @throws Fault */
  prepare(request: SearchRequest, args: Json): Promise<SearchWork>;
}

const READS_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
const CHANGES = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

const BUILT_IN_NAMES = Object.keys(BUILT_INS) as BuiltInSearchTool[];

/** The search tools that the caller may use: built-in ones that the capabilities allow, and published ones. */
export async function searchToolsOf(records: RecordStore, caller: Caller): Promise<SearchTool[]> {
  const builtIn = BUILT_IN_NAMES.filter((name) => caller.capabilities.includes(BUILT_IN_SEARCH_TOOLS[name]));
  return [...builtIn.map(builtInTool), ...(await usableSearchTools(records, caller)).map(publishedTool)];
}

/**
 * A search tool by its name without the prefix.
 * @throws Fault `missing_capability`; `not_found` if it does not exist, is switched off or the caller may not read it
 */
export async function findSearchTool(records: RecordStore, caller: Caller, name: string): Promise<SearchTool> {
  if (isBuiltInSearchTool(name)) {
    assertSearchCapabilities(caller, [name]);
    return builtInTool(name);
  }
  const tool = await usableSearchTool(records, caller, name);
  if (tool) return publishedTool(tool);
  throw new Fault('not_found', `There is no search tool ${name}, it is switched off, or you may not read it`);
}

/** @throws Fault `missing_capability` for a built-in tool that the caller may not use */
export function assertSearchCapabilities(
  { capabilities }: Pick<Caller, 'capabilities'>,
  names: readonly string[],
): void {
  for (const name of names) {
    if (!isBuiltInSearchTool(name)) continue;
    const capability = BUILT_IN_SEARCH_TOOLS[name];
    if (!capabilities.includes(capability)) throw missingCapability(name, capability);
  }
}

function builtInTool(name: BuiltInSearchTool): SearchTool {
  const { title, description, properties, required = [], prepare } = BUILT_INS[name];
  const inputSchema = { type: 'object', properties, required, additionalProperties: false };
  const served = { name: recordToolName('search', name), title, description, inputSchema, annotations: READS_ONLY };
  return { name, served, prepare };
}

function publishedTool(tool: UsableSearchTool): SearchTool {
  const { name, description, read_only } = tool;
  const served = {
    name: recordToolName('search', name),
    title: `Search: ${name}`,
    description: description === '' ? `Runs the search ${name} of this Splunk site.` : description,
    inputSchema: schemaOf(tool),
    annotations: read_only ? READS_ONLY : CHANGES,
  };
  return {
    ...{ name, served },
    async prepare({ site, caller, timeoutS }, args) {
      const terms = await judgeForCall(site, caller, tool);
      const search = filledSearch({ ...tool, timeout_s: timeoutS ?? tool.timeout_s }, args, terms, 'arguments');
      return { send: (upstream) => site.platformSearches.run(caller.user, search, upstream), notes: [] };
    },
  };
}

/** The arguments as a JSON schema. */
function schemaOf({ arguments: args }: UsableSearchTool): Json {
  const properties = Object.fromEntries(args.map((argument) => [argument.name, propertyOf(argument)]));
  const required = args.filter((each) => each.is_required && each.default === undefined).map(({ name }) => name);
  return { type: 'object', properties, required, additionalProperties: false };
}

const JSON_TYPES: Readonly<Record<string, string>> = { integer: 'integer', number: 'number', boolean: 'boolean' };
const ABOUT_TYPES: Readonly<Record<string, string>> = {
  time: 'A time modifier such as -4h, ISO 8601 or epoch seconds',
  index: 'Name of an index',
  sourcetype: 'Name of a source type',
  field: 'Name of a field',
};

function propertyOf(argument: UsableSearchTool['arguments'][number]): Json {
  const { type, description, default: preset, enum: values, minimum, maximum } = argument;
  const about = [description, ABOUT_TYPES[type]].filter((text) => text !== undefined && text !== '').join('. ');
  return {
    type: JSON_TYPES[type] ?? 'string',
    ...(about === '' ? {} : { description: about }),
    ...(preset === undefined ? {} : { default: preset }),
    ...(values === undefined ? {} : { enum: values }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}

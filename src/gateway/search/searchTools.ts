import type { Json } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { BUILT_IN_FACES, publishedFace, type SearchToolFace } from '../../contract/families/searchToolSchemas.ts';
import {
  BUILT_IN_SEARCH_TOOLS,
  type BuiltInSearchTool,
  isBuiltInSearchTool,
} from '../../contract/families/searchTools.ts';
import type { LastTest } from '../../contract/schemas/common.ts';
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
  /** Absent for a built-in tool. */
  last_test?: LastTest | undefined;
  /** Judges a call. @param args that fit the schema. @throws Fault */
  prepare(request: SearchRequest, args: Json): Promise<SearchWork>;
}

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
  return { name, served: servedAs(name, BUILT_IN_FACES[name]), prepare: BUILT_INS[name] };
}

function publishedTool(tool: UsableSearchTool): SearchTool {
  const { name, last_test } = tool;
  return {
    last_test,
    ...{ name, served: servedAs(name, publishedFace(tool)) },
    async prepare({ site, caller, timeoutS }, args) {
      const terms = await judgeForCall(site, caller, tool);
      const search = filledSearch({ ...tool, timeout_s: timeoutS ?? tool.timeout_s }, args, terms, 'arguments');
      return { send: (upstream) => site.platformSearches.run(caller.user, search, upstream), notes: [] };
    },
  };
}

const servedAs = (name: string, face: SearchToolFace): ServedTool => ({
  name: recordToolName('search', name),
  ...face,
});

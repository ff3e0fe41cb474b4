import type { Caller } from '../../contract/caller.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { readableRecord, readableRecords } from '../../resources/access.ts';
import { crudCodec } from '../../resources/crud/codec.ts';
import type { SearchToolStored } from './definition.ts';
import { FAMILY, OPERATIONS, SEARCH_TOOLS } from './records.ts';

export { judgeForCall, type SearchSite } from './judgement.ts';
export { readSearchRules } from './policy.ts';
export { filledSearch } from './prepare.ts';
export { tableOf } from './results/cells.ts';
export { type FittedTable, fitTable } from './results/fit.ts';
export {
  MAX_RESULT,
  MAX_RESULT_OF_RUN,
  type SearchResult,
  type ShapedResult,
  shapeResult,
} from './results/result.ts';
export { readSearchView } from './view.ts';

export const searchToolCodec = crudCodec(OPERATIONS, { family: FAMILY, collection: SEARCH_TOOLS });

const FIELDS = [
  ...(['name', 'description', 'search', 'arguments', 'earliest', 'latest', 'app', 'max_rows', 'timeout_s'] as const),
  ...(['is_enabled', 'read_only', 'commands', 'acl', 'last_test'] as const),
] as const satisfies readonly (keyof SearchToolStored)[];

/** A search tool as the gateway uses it. */
export type UsableSearchTool = Pick<SearchToolStored, '_key' | (typeof FIELDS)[number]>;

/** Undefined if there is no such tool, the caller may not read it, or it is switched off. */
export async function usableSearchTool(
  records: RecordStore,
  caller: Caller,
  name: string,
): Promise<UsableSearchTool | undefined> {
  const tool = await readableRecord<UsableSearchTool>(records, caller, {
    ...{ collection: SEARCH_TOOLS, key: recordKey(name), fields: FIELDS },
  });
  return tool?.is_enabled ? tool : undefined;
}

/** The search tools that are switched on and the caller may read. */
export async function usableSearchTools(records: RecordStore, caller: Caller): Promise<UsableSearchTool[]> {
  const tools = await readableRecords<UsableSearchTool>(records, caller, SEARCH_TOOLS, FIELDS);
  return tools.filter(({ is_enabled }) => is_enabled);
}

/** Whether the caller may read a search tool, be it switched on or off. */
export const isReadableSearchTool = async (records: RecordStore, caller: Caller, name: string): Promise<boolean> =>
  (await readableRecord<UsableSearchTool>(records, caller, {
    ...{ collection: SEARCH_TOOLS, key: recordKey(name), fields: ['acl'] },
  })) !== undefined;

import type { Caller } from '../../contract/caller.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { runOperation } from '../frame.ts';
import type { OperationContext } from '../operation.ts';
import { searchCall } from '../operations/search.ts';
import { searchToolsOf } from '../search/searchTools.ts';
import { mayNameRecord } from '../tools/toolNames.ts';
import type { ToolKind } from './toolKind.ts';

/** One request's access to search tools. */
export interface SearchToolRequest {
  records: RecordStore;
  caller: Caller;
  /** Records one use. */
  record<T>(work: (context: OperationContext) => Promise<T>): Promise<T>;
}

/** The search tools that the caller may use, as `search__<name>`. */
export function toolsOfSearches({ records, caller, record }: SearchToolRequest): ToolKind {
  return {
    list: async () => ({ tools: (await searchToolsOf(records, caller)).map(({ served }) => served) }),
    async call(name, args) {
      if (!mayNameRecord('search', name)) return undefined;
      const tool = (await searchToolsOf(records, caller)).find(({ served }) => served.name === name);
      if (!tool) return undefined;
      return record(async (context) => {
        const call = { tool: tool.name, arguments: args };
        const { response, warnings = [] } = await runOperation(searchCall, context, call);
        const content = [{ type: 'text', text: response.text }];
        return { result: { content, structuredContent: response.result, isError: false }, warnings };
      });
    },
  };
}

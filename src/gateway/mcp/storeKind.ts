import type { Caller } from '../../contract/caller.ts';
import { readableStores } from '../../families/vector-stores/public.ts';
import type { ServedTool } from '../../ports/mcp/mcpServer.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { runOperation } from '../frame.ts';
import type { OperationContext } from '../operation.ts';
import { type RetrieveInput, retrieve } from '../operations/retrieve.ts';
import { assertArguments } from '../tools/checkArguments.ts';
import { mayNameRecord, recordToolName } from '../tools/toolNames.ts';
import type { ToolKind } from './toolKind.ts';

/** One request's access to vector stores. */
export interface StoreRequest {
  records: RecordStore;
  caller: Caller;
  /** Records one use. */
  record<T>(work: (context: OperationContext) => Promise<T>): Promise<T>;
}

/** The input of `POST /ai_gateway/retrieve`, without the store. */
export const STORE_INPUT = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, maxLength: 20_000, description: 'What to look for' },
    number_of_results: { type: 'integer', minimum: 1, maximum: 100, default: 5, description: 'Passages at most' },
    search_type: {
      enum: ['hybrid', 'semantic'],
      description: 'semantic: by meaning; hybrid: by words as well. Default: the store decides',
    },
    filter: {
      type: 'object',
      maxProperties: 20,
      description: 'Only passages whose metadata match, such as {"equals": {"key": "team", "value": "storage"}}',
    },
  },
  required: ['query'],
  additionalProperties: false,
};
const READS_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** Each vector store that the caller may read, as the tool `retrieve__<store>`. */
export function toolsOfStores({ records, caller, record }: StoreRequest): ToolKind {
  return {
    list: async () => ({ tools: (await readableStores(records, caller)).map(storeTool) }),
    async call(name, args) {
      if (!mayNameRecord('store', name)) return undefined;
      const store = (await readableStores(records, caller)).find((each) => recordToolName('store', each.name) === name);
      if (!store) return undefined;
      return record(async (context) => {
        await assertArguments(context.deps.schemas, STORE_INPUT, args);
        const input = { ...args, store: store.name } as unknown as RetrieveInput;
        const { response, warnings = [] } = await runOperation(retrieve, context, input);
        const content = [{ type: 'text', text: JSON.stringify(response) }];
        return { result: { content, structuredContent: response, isError: false }, warnings };
      });
    },
  };
}

export const storeTool = ({ name, description }: { name: string; description: string }): ServedTool => ({
  name: recordToolName('store', name),
  title: `Search ${name}`,
  description: [`Finds passages in the vector store ${name}.`, description].filter((text) => text !== '').join(' '),
  inputSchema: STORE_INPUT,
  annotations: READS_ONLY,
});

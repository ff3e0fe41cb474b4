import { BATCH_NAMES, type BatchName, type UsageOperation } from '../contract/families/usage.ts';
import type { Operation } from './operation.ts';
import { chat } from './operations/chat.ts';
import { embed } from './operations/embed.ts';
import { indexDocuments } from './operations/indexDocuments.ts';
import { invoke } from './operations/invoke.ts';
import { predict } from './operations/predict.ts';
import { retrieve } from './operations/retrieve.ts';
import { search } from './operations/search.ts';
import { tool } from './operations/tool.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies and answers differ by operation.
export type AnyOperation = Operation<any, any, any, any>;

/** Every way to use an upstream. Another one is a file beside these, a line here and its names in the contract. */
export const OPERATIONS = {
  chat,
  embeddings: embed,
  execute_tool: tool,
  retrieve,
  predict,
  invoke_agent: invoke,
  search,
  index: indexDocuments,
} satisfies Record<UsageOperation, AnyOperation>;

/** The operation that a batch names. */
export function operationOfBatch(name: BatchName): AnyOperation & { row: string } {
  const operation: AnyOperation | undefined = Object.values(OPERATIONS).find((each) => BATCH_NAMES[each.name] === name);
  if (!operation?.row) throw new Error(`no operation of a batch is named ${name}`);
  return { ...operation, row: operation.row };
}

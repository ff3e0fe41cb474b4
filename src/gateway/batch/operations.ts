import type { Json } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import type { FeatureFlag } from '../../contract/settings/flags.ts';
import {
  type ChatInput,
  type DryRun,
  dryChat,
  dryEmbed,
  type EmbedInput,
  type OperationDependencies,
  serveChat,
  serveEmbed,
} from '../models/operations.ts';
import type { PredictDependencies } from '../predict/openers.ts';
import { type PredictInput, servePredict } from '../predict/predict.ts';
import { type RetrievalDependencies, type RetrieveInput, serveRetrieve } from '../retrieval/retrieve.ts';
import { type CallDependencies, serveToolCall, type ToolCallInput } from '../tools/callTool.ts';
import type { Served, Serving } from '../use/serving.ts';

export type BatchDependencies = OperationDependencies & RetrievalDependencies & CallDependencies & PredictDependencies;

/** An operation of `POST /ai_gateway/batch`. */
export interface BatchOperation {
  /** Its own endpoint, whose schema an item must match. */
  row: string;
  /** Absent where what is used decides. */
  flag?: FeatureFlag;
  /** Its body may have bigints: integers beyond 2^53 keep their digits. */
  isExact?: true;
  /** Each item has effects: equal items are not asked once, and none is tried again. */
  hasEffects?: true;
  serve(deps: BatchDependencies, body: Json, serving: Serving): Promise<Served<object>>;
  /** Absent where there is nothing to estimate. */
  dryRun?(deps: BatchDependencies, body: Json, caller: Caller): Promise<DryRun>;
}

export const OPERATIONS: Readonly<Record<'chat' | 'embed' | 'retrieve' | 'predict' | 'tool', BatchOperation>> = {
  chat: {
    row: 'createChatCompletion',
    isExact: true,
    flag: 'llm_providers',
    serve: (deps, body, serving) => serveChat(deps, body as ChatInput, serving),
    dryRun: (deps, body, caller) => dryChat(deps, body as ChatInput, caller),
  },
  embed: {
    row: 'createEmbedding',
    flag: 'llm_providers',
    serve: (deps, body, serving) => serveEmbed(deps, body as EmbedInput, serving),
    dryRun: (deps, body, caller) => dryEmbed(deps, body as EmbedInput, caller),
  },
  retrieve: {
    row: 'retrievePassages',
    flag: 'vector_stores',
    serve: (deps, body, serving) => serveRetrieve(deps, body as RetrieveInput, serving),
  },
  predict: {
    row: 'predict',
    isExact: true,
    serve: (deps, body, serving) => servePredict(deps, body as PredictInput, serving),
  },
  tool: {
    row: 'callTool',
    isExact: true,
    flag: 'mcp_connections',
    hasEffects: true,
    serve: (deps, body, serving) => serveToolCall(deps, body as ToolCallInput, serving),
  },
};

import type { Caller } from '../../contract/caller.ts';
import { passes, READ_LLM_CONFIGURATIONS } from '../../contract/capabilities.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import {
  entryOf,
  isSaved,
  LLM_CONNECTIONS,
  type LlmConnection,
  type LlmIdentity,
  type LlmModel,
  llmConnectionKey,
} from './records/connection.ts';

export { READ_LLM_CONFIGURATIONS as LLM_READERS } from '../../contract/capabilities.ts';
export { type OpenModel, openModel, openServer } from './calls/openModel.ts';
export type {
  CacheMark,
  ChatMessage,
  ChatPart,
  ChatRequest,
  ChatTool,
  EmbedRequest,
  ReturnedReasoning,
  TextPart,
  ToolCall,
  UnknownFields,
  Usage,
} from './chat/chat.ts';
export { ECHOED as ECHOED_FIELDS } from './chat/echoed.ts';
export { isEmpty } from './chat/json.ts';
export { partsOf } from './chat/support.ts';
export { llmConfigurationCodec } from './codec.ts';
export { type LlmEntry, llmEntries, modelsNamed, type ReadModel, type SavedModel, savedModels } from './inventory.ts';
export type { ChatReply, EmbedReply } from './providers/provider.ts';
export { modelConditions } from './records/conditions.ts';
export type { LlmIdentity } from './records/connection.ts';
export { Cooldowns } from './records/cooldowns.ts';

/** Whether there is such a configuration, and the caller may read it. */
export async function isReadableConfiguration(
  records: RecordStore,
  caller: Caller,
  identity: LlmIdentity,
): Promise<boolean> {
  return (await readableEntry(records, caller, identity)) !== undefined;
}

/** As `isReadableConfiguration`, and the configuration is not a draft. */
export async function isUsableConfiguration(
  records: RecordStore,
  caller: Caller,
  identity: LlmIdentity,
): Promise<boolean> {
  const entry = await readableEntry(records, caller, identity);
  return entry !== undefined && isSaved(entry);
}

async function readableEntry(
  records: RecordStore,
  caller: Caller,
  { service, connection_name, model }: LlmIdentity,
): Promise<LlmModel | undefined> {
  if (!passes(READ_LLM_CONFIGURATIONS, caller.capabilities)) return undefined;
  const key = llmConnectionKey(service, connection_name);
  const options = { query: { _key: key }, fields: ['models'], limit: 1 };
  const [connection] = await records.find<LlmConnection>(LLM_CONNECTIONS, options);
  return connection && entryOf(connection, model);
}

export const isSameConfiguration = (a: LlmIdentity, b: LlmIdentity): boolean =>
  llmConnectionKey(a.service, a.connection_name) === llmConnectionKey(b.service, b.connection_name) &&
  a.model === b.model;

import type { Caller } from '../../contract/caller.ts';
import { passes, READ_LLM_CONFIGURATIONS } from '../../contract/capabilities.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import {
  LLM_CONNECTIONS,
  type LlmConnection,
  type LlmIdentity,
  llmConnectionKey,
  modelsOf,
} from './records/connection.ts';

export { READ_LLM_CONFIGURATIONS as LLM_READERS } from '../../contract/capabilities.ts';
export { type OpenModel, openModel } from './calls/openModel.ts';
export type { ChatMessage, ChatPart, ChatRequest, ToolCall, Usage } from './chat/chat.ts';
export { llmConfigurationCodec } from './codec.ts';
export { type LlmEntry, llmEntries, type SavedModel, savedModels } from './inventory.ts';
export type { ChatReply, EmbedReply } from './providers/provider.ts';
export type { LlmIdentity } from './records/connection.ts';

/** Whether there is such a configuration, and the caller may read it. */
export async function isReadableConfiguration(
  records: RecordStore,
  caller: Caller,
  { service, connection_name, model }: LlmIdentity,
): Promise<boolean> {
  if (!passes(READ_LLM_CONFIGURATIONS, caller.capabilities)) return false;
  const key = llmConnectionKey(service, connection_name);
  const options = { query: { _key: key }, fields: ['models'], limit: 1 };
  const [connection] = await records.find<LlmConnection>(LLM_CONNECTIONS, options);
  return connection !== undefined && modelsOf(connection).some((entry) => entry.model === model);
}

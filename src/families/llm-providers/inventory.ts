import type { RecordStore } from '../../ports/recordStore.ts';
import { LLM_CONNECTIONS, type LlmConnection, modelsOf } from './connection.ts';
import type { Provider } from './names.ts';

/** A configuration in the inventory of connections, in the words of the interface: `Connection Name` has a space. */
export interface LlmEntry {
  connection_type: 'llm';
  Provider: Provider;
  Model: string;
  'Connection Name': string;
}

/** Every configuration but the drafts. Documents are released as soon as their entries are made: some are large. */
export async function llmEntries(records: RecordStore): Promise<LlmEntry[]> {
  const all: LlmEntry[] = [];
  const fields = ['service', 'connection_name', 'models'];
  for await (const chunk of records.chunks<LlmConnection>(LLM_CONNECTIONS, { fields })) {
    for (const { service, connection_name, models } of chunk) {
      const entries = modelsOf({ models }).filter(({ is_saved, is_model_saved }) => is_saved && is_model_saved);
      for (const { model } of entries)
        all.push({ connection_type: 'llm', Provider: service, Model: model, 'Connection Name': connection_name });
    }
  }
  return all;
}

import { append } from '../../contract/basics.ts';
import type { Provider } from '../../contract/families/llmProviders.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { LLM_CONNECTIONS, type LlmConnection, type LlmIdentity } from './records/connection.ts';
import { FIELDS, rowsOf } from './records/listing.ts';

/** A configuration in the inventory of connections, in the words of the interface: `Connection Name` has a space. */
export interface LlmEntry {
  connection_type: 'llm';
  Provider: Provider;
  Model: string;
  'Connection Name': string;
}

/** A configuration that can be called. */
export interface SavedModel extends LlmIdentity {
  created_at: number;
}

/** Every configuration except drafts. */
export async function savedModels(records: RecordStore): Promise<SavedModel[]> {
  const saved: SavedModel[] = [];
  for await (const chunk of records.chunks<LlmConnection>(LLM_CONNECTIONS, { fields: FIELDS })) {
    for (const connection of chunk)
      append(
        saved,
        rowsOf(connection).filter(({ isSaved }) => isSaved),
      );
  }
  return saved;
}

export async function llmEntries(records: RecordStore): Promise<LlmEntry[]> {
  const models = await savedModels(records);
  return models.map(({ service, model, connection_name }) => ({
    connection_type: 'llm',
    Provider: service as Provider,
    Model: model,
    'Connection Name': connection_name,
  }));
}

import { append } from '../../contract/basics.ts';
import { PROVIDER_NAMES, type Provider } from '../../contract/families/llmProviders.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { LLM_CONNECTIONS, type LlmConnection, type LlmIdentity, llmConnectionKey } from './records/connection.ts';
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

/** A configuration as it was read together with its connection. */
export interface ReadModel extends SavedModel {
  connection: LlmConnection;
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

/** The configurations of all connections that a reference may name: as `<connection>/…`, `<service>/<connection>/…` or by a model. */
export async function modelsNamed(records: RecordStore, reference: string): Promise<ReadModel[]> {
  const query = { $or: [...keysNamed(reference).map((_key) => ({ _key })), { model_names: reference }] };
  const named: ReadModel[] = [];
  for await (const chunk of records.chunks<LlmConnection>(LLM_CONNECTIONS, { query })) {
    for (const connection of chunk) {
      const saved = rowsOf(connection).filter(({ isSaved }) => isSaved);
      append(
        named,
        saved.map((model) => ({ ...model, connection })),
      );
    }
  }
  return named;
}

/** Keys of the connections that the text may begin with. Their names hold no slash. */
function keysNamed(reference: string): string[] {
  const [first = '', second, third] = reference.split('/');
  if (second === undefined) return [];
  const keys = PROVIDER_NAMES.map((service) => llmConnectionKey(service, first));
  const service = PROVIDER_NAMES.find((name) => name.toLowerCase() === first.toLowerCase());
  return service && third !== undefined ? [...keys, llmConnectionKey(service, second)] : keys;
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

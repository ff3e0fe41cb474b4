import { append } from '../../contract/basics.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import type { Provider } from './names.ts';
import { LLM_CONNECTIONS, type LlmConnection } from './records/connection.ts';
import { FIELDS, rowsOf } from './records/listing.ts';

/** A configuration in the inventory of connections, in the words of the interface: `Connection Name` has a space. */
export interface LlmEntry {
  connection_type: 'llm';
  Provider: Provider;
  Model: string;
  'Connection Name': string;
}

/** Every configuration except drafts. */
export async function llmEntries(records: RecordStore): Promise<LlmEntry[]> {
  const all: LlmEntry[] = [];
  for await (const chunk of records.chunks<LlmConnection>(LLM_CONNECTIONS, { fields: FIELDS })) {
    for (const connection of chunk) append(all, entriesOf(connection));
  }
  return all;
}

const entriesOf = (connection: LlmConnection): LlmEntry[] =>
  rowsOf(connection)
    .filter(({ isSaved }) => isSaved)
    .map(({ service: Provider, model: Model, connection_name }) => ({
      connection_type: 'llm',
      Provider,
      Model,
      'Connection Name': connection_name,
    }));

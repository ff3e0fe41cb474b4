import type { EntryOf, EntrySource } from '../../domain/entrySource.ts';
import { among } from '../../domain/keyQueries.ts';
import { onceFor } from '../../domain/onceFor.ts';
import { LLM_CONNECTIONS, type LlmConnection } from './connection.ts';
import { FIELDS, SLIM_LLM, type SlimLlm } from './listing.ts';
import type { Provider } from './names.ts';
import { type LlmRow, rowsOf } from './records.ts';

/** A configuration in the inventory of connections, in the words of the interface: `Connection Name` has a space. */
export interface LlmEntry {
  connection_type: 'llm';
  Provider: Provider;
  Model: string;
  'Connection Name': string;
}

/** Every configuration but the drafts. Documents are released as soon as their entries are made: some are large. */
export const llmEntries: EntrySource<LlmEntry> = {
  async read(records, keys) {
    const all: EntryOf<LlmEntry>[] = [];
    const options = { fields: FIELDS, ...among(keys) };
    for await (const chunk of records.chunks<LlmConnection>(LLM_CONNECTIONS, options)) {
      for (const connection of chunk) all.push(...entriesOf(rowsOf(connection)));
    }
    return all;
  },
  async kept(stores) {
    const kept = await stores.rows?.read(stores, SLIM_LLM);
    return kept && { entries: keptEntries(kept.rows), areNew: kept.areNew };
  },
};

const keptEntries = onceFor((slim: readonly SlimLlm[]) => slim.flatMap(({ rows }) => entriesOf(rows)));

const entriesOf = (rows: readonly LlmRow[]): EntryOf<LlmEntry>[] =>
  rows
    .filter(({ isSaved }) => isSaved)
    .map(({ key, service: Provider, model: Model, connection_name }) => ({
      key,
      entry: { connection_type: 'llm', Provider, Model, 'Connection Name': connection_name },
    }));

import type { Caller } from '../../contract/caller.ts';
import { passes } from '../../contract/capabilities.ts';
import { LLM_CONNECTIONS, type LlmConnection, modelsOf } from '../../domain/llmConfigurations.ts';
import type { RecordStore } from '../../ports/recordStore.ts';
import { CONTAINER_READERS, CONTAINER_TYPES, type ContainerEntry, containerEntries } from '../containers/public.ts';

/** An entry of the inventory, in the words of the interface: `Connection Name` has a space. */
interface LlmEntry {
  connection_type: 'llm';
  Provider: string;
  Model: string;
  'Connection Name': string;
}
export type InventoryEntry = LlmEntry | ContainerEntry;
type ConnectionType = InventoryEntry['connection_type'];

/** Lists of entries go in this order. */
export const CONNECTION_TYPES: readonly ConnectionType[] = ['llm', ...CONTAINER_TYPES];

/** The inventory shows no more than the family itself. */
const LLM_READERS = { any: ['edit_ai_commander_config', 'list_ai_commander_config'] } as const;

/** Every connection that the caller's capabilities let see: by type, and by name within each. */
export async function connectionInventory(records: RecordStore, caller: Caller): Promise<InventoryEntry[]> {
  const [llm, containers] = await Promise.all([
    passes(LLM_READERS, caller.capabilities) ? llmEntries(records) : [],
    passes(CONTAINER_READERS, caller.capabilities) ? containerEntries(records) : [],
  ]);
  const keyed = [...llm, ...containers].map((entry) => ({ entry, key: sortKey(entry) }));
  // Compared as plain texts: a collator would take most of the time with tens of thousands of entries.
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ entry }) => entry);
}

const isLlm = (entry: InventoryEntry): entry is LlmEntry => entry.connection_type === 'llm';

export function entryName(entry: InventoryEntry): string {
  return isLlm(entry) ? entry['Connection Name'] : entry.connection_name;
}

/** Type, name without regard to case, and what else tells two entries apart, so that pages never overlap. */
function sortKey(entry: InventoryEntry): string {
  const name = entryName(entry);
  const more = isLlm(entry) ? [entry.Provider, entry.Model] : [];
  return [CONNECTION_TYPES.indexOf(entry.connection_type), name.toLowerCase(), name, ...more].join('\u0000');
}

async function llmEntries(records: RecordStore): Promise<LlmEntry[]> {
  const all: LlmEntry[] = [];
  const fields = ['service', 'connection_name', 'models'];
  for await (const chunk of records.chunks<LlmConnection>(LLM_CONNECTIONS, { fields })) {
    for (const { service, connection_name, models } of chunk) {
      for (const { model, is_saved, is_model_saved } of modelsOf({ models })) {
        // A draft is none of the configurations that can be used.
        if (!is_saved || !is_model_saved) continue;
        all.push({ connection_type: 'llm', Provider: service, Model: model, 'Connection Name': connection_name });
      }
    }
  }
  return all;
}

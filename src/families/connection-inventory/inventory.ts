import type { Caller } from '../../contract/caller.ts';
import { passes } from '../../contract/capabilities.ts';
import type { RecordStore } from '../../ports/recordStore.ts';
import { CONTAINER_READERS, CONTAINER_TYPES, type ContainerEntry, containerEntries } from '../containers/public.ts';
import { LLM_READERS, type LlmEntry, llmEntries } from '../llm-providers/public.ts';

/** An entry of the inventory, in the words of the interface. */
export type InventoryEntry = LlmEntry | ContainerEntry;
type ConnectionType = InventoryEntry['connection_type'];

/** Lists of entries go in this order. */
export const CONNECTION_TYPES: readonly ConnectionType[] = ['llm', ...CONTAINER_TYPES];

/**
 * Every connection that the caller's capabilities let them see: by type, and by name within each. The inventory shows no more
 * than the family itself.
 */
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

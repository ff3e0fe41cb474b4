import type { Caller } from '../../contract/caller.ts';
import { type Gate, passes } from '../../contract/capabilities.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { CONTAINER_READERS, CONTAINER_TYPES, type ContainerEntry, containerEntries } from '../containers/public.ts';
import { LLM_READERS, type LlmEntry, llmEntries } from '../llm-providers/public.ts';

export type InventoryEntry = LlmEntry | ContainerEntry;
type ConnectionType = InventoryEntry['connection_type'];

/** Sort order of the types. */
export const CONNECTION_TYPES: readonly ConnectionType[] = ['llm', ...CONTAINER_TYPES];

const FAMILIES: readonly { readers: Gate; readAll(records: RecordStore): Promise<InventoryEntry[]> }[] = [
  { readers: LLM_READERS, readAll: llmEntries },
  { readers: CONTAINER_READERS, readAll: containerEntries },
];

/** Connections that the caller's capabilities allow to read, by type and name. */
export async function connectionInventory(records: RecordStore, caller: Caller): Promise<InventoryEntry[]> {
  const mine = FAMILIES.filter(({ readers }) => passes(readers, caller.capabilities));
  const entries = (await Promise.all(mine.map(({ readAll }) => readAll(records)))).flat();
  // Plain comparison, since a collator is slow with thousands of entries.
  return entries
    .map((entry) => ({ entry, order: sortKey(entry) }))
    .sort((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)))
    .map(({ entry }) => entry);
}

const isLlm = (entry: InventoryEntry): entry is LlmEntry => entry.connection_type === 'llm';

export function entryName(entry: InventoryEntry): string {
  return isLlm(entry) ? entry['Connection Name'] : entry.connection_name;
}

/** Unique, so that pages never overlap. */
function sortKey(entry: InventoryEntry): string {
  const name = entryName(entry);
  const more = isLlm(entry) ? [entry.Provider, entry.Model] : [];
  return [CONNECTION_TYPES.indexOf(entry.connection_type), name.toLowerCase(), name, ...more].join('\u0000');
}

import type { Caller } from '../../contract/caller.ts';
import { type Gate, passes } from '../../contract/capabilities.ts';
import type { EntryOf, EntrySource } from '../../domain/entrySource.ts';
import { inQueries } from '../../domain/keyQueries.ts';
import { onceFor } from '../../domain/onceFor.ts';
import type { RowStores } from '../../domain/slimRows.ts';
import type { RecordStore } from '../../ports/recordStore.ts';
import { CONTAINER_READERS, CONTAINER_TYPES, type ContainerEntry, containerEntries } from '../containers/public.ts';
import { LLM_READERS, type LlmEntry, llmEntries } from '../llm-providers/public.ts';

/** An entry of the inventory, in the words of the interface. */
export type InventoryEntry = LlmEntry | ContainerEntry;
type ConnectionType = InventoryEntry['connection_type'];

/** Lists of entries go in this order. */
export const CONNECTION_TYPES: readonly ConnectionType[] = ['llm', ...CONTAINER_TYPES];

type Stored = EntryOf<InventoryEntry>;
type Source = EntrySource<InventoryEntry>;

/** Whoever may not read a family sees none of its entries. In the order of the types. */
const FAMILIES: readonly { readers: Gate; source: Source }[] = [
  { readers: LLM_READERS, source: llmEntries },
  { readers: CONTAINER_READERS, source: containerEntries },
];

/** An entry where it stands in the list. */
export interface Place extends Stored {
  /** In lower case. */
  name: string;
}

export interface Inventory {
  places: readonly Place[];
  /** What is shown of them has to be read again: `asTheyAre`. */
  areKept: boolean;
}

/**
 * Every connection that the caller's capabilities let them see: by type, and by name within each. The inventory shows no more
 * than the family itself.
 * @param mayBeKept they may be those that the process remembers, with what has changed since
 */
export async function connectionInventory(stores: RowStores, caller: Caller, mayBeKept: boolean): Promise<Inventory> {
  const mine = FAMILIES.filter(({ readers }) => passes(readers, caller.capabilities));
  const all = await Promise.all(
    mine.map(async ({ source }) => {
      const kept = mayBeKept ? await source.kept(stores) : undefined;
      return kept ?? { entries: await source.read(stores.records), areNew: true };
    }),
  );
  return { places: all.flatMap(({ entries }) => inOrder(entries)), areKept: all.some(({ areNew }) => !areNew) };
}

/** Compared as plain texts: a collator would take most of the time with tens of thousands of entries. */
const inOrder = onceFor((entries: readonly Stored[]): readonly Place[] =>
  entries
    .map((one) => ({ place: { ...one, name: entryName(one.entry).toLowerCase() }, order: sortKey(one.entry) }))
    .sort((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)))
    .map(({ place }) => place),
);

/** The entries at some places, by their records as they are now. Those that are gone are left out. */
export async function asTheyAre(records: RecordStore, places: readonly Place[]): Promise<InventoryEntry[]> {
  const found = new Map<string, InventoryEntry>();
  for (const { source } of FAMILIES) {
    const own = places.filter(({ entry }) => (source === llmEntries) === isLlm(entry));
    const keys = [...new Set(own.map(({ key }) => key))];
    for (const some of inQueries(keys)) {
      for (const one of await source.read(records, some)) found.set(idOf(one), one.entry);
    }
  }
  return places.flatMap((place) => found.get(idOf(place)) ?? []);
}

const isLlm = (entry: InventoryEntry): entry is LlmEntry => entry.connection_type === 'llm';
const idOf = ({ key, entry }: Stored): string => JSON.stringify([entry.connection_type, key, entry.Model]);

function entryName(entry: InventoryEntry): string {
  return isLlm(entry) ? entry['Connection Name'] : entry.connection_name;
}

/** Type, name without regard to case, and what else tells two entries apart, so that pages never overlap. */
function sortKey(entry: InventoryEntry): string {
  const name = entryName(entry);
  const more = isLlm(entry) ? [entry.Provider, entry.Model] : [];
  return [CONNECTION_TYPES.indexOf(entry.connection_type), name.toLowerCase(), name, ...more].join('\u0000');
}

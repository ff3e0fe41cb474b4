import { counted } from '../../contract/counted.ts';
import type { Handlers } from '../../contract/handlers.ts';
import { window } from '../../domain/lists.ts';
import type { RecordStore } from '../../ports/recordStore.ts';
import type { connectionInventory } from './endpoints.ts';
import { entryName, type InventoryEntry, connectionInventory as inventory } from './inventory.ts';

type Query = Parameters<Handlers<typeof connectionInventory>['listConnections']>[0]['query'];

export function connectionInventoryHandlers(records: RecordStore): Handlers<typeof connectionInventory> {
  return {
    async listConnections({ caller, query }) {
      const entries = arranged(await inventory(records, caller), query);
      const message = counted(entries.length, 'connection');
      // Pages are only for those who ask: the interface shows the whole list.
      const isWhole = query.count === undefined && query.offset === undefined;
      return isWhole ? { message, result: entries } : { message, ...window(entries, { count: 0, ...query }) };
    },
  };
}

/** The inventory comes in its own order; a name's order and the way down are asked for. */
function arranged(entries: InventoryEntry[], { search, sort_key, sort_dir }: Query): InventoryEntry[] {
  const wanted = search?.trim().toLowerCase();
  const found = wanted ? entries.filter((entry) => entryName(entry).toLowerCase().includes(wanted)) : [...entries];
  if (sort_key === 'connection_name') {
    const keyed = found.map((entry) => ({ entry, key: entryName(entry).toLowerCase() }));
    // Stable: entries of one name stay in the order of their types.
    keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    found.splice(0, found.length, ...keyed.map(({ entry }) => entry));
  }
  return sort_dir === 'desc' ? found.reverse() : found;
}

import { counted } from '../../contract/basics.ts';
import type { Handlers } from '../../contract/rows/handlers.ts';
import { slicePage } from '../../domain/lists/lists.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { connectionInventory } from './endpoints.ts';
import { entryName, type InventoryEntry, connectionInventory as inventory } from './inventory.ts';

type Query = Parameters<Handlers<typeof connectionInventory>['listConnections']>[0]['query'];

export function connectionInventoryHandlers({
  records,
}: Pick<Stores, 'records'>): Handlers<typeof connectionInventory> {
  return {
    async listConnections({ caller, query }) {
      const result = filterAndSort(await inventory(records, caller), query);
      const message = counted(result.length, 'connection');
      // Without count= the interface expects all entries.
      if (query.count === undefined && query.offset === undefined) return { message, result };
      return { message, ...slicePage(result, { count: 0, ...query }) };
    },
  };
}

function filterAndSort(entries: InventoryEntry[], { search, sort_key, sort_dir }: Query): InventoryEntry[] {
  const term = search?.trim().toLowerCase();
  const named = entries
    .map((entry) => ({ entry, name: entryName(entry).toLowerCase() }))
    .filter(({ name }) => !term || name.includes(term));
  // The sort is stable, so equal names stay ordered by type.
  if (sort_key === 'connection_name') named.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  if (sort_dir === 'desc') named.reverse();
  return named.map(({ entry }) => entry);
}

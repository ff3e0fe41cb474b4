import { counted } from '../../contract/counted.ts';
import type { Handlers } from '../../contract/handlers.ts';
import { paginationOf, window } from '../../domain/lists.ts';
import type { RowStores } from '../../domain/slimRows.ts';
import type { connectionInventory } from './endpoints.ts';
import { asTheyAre, connectionInventory as inventory, type Place } from './inventory.ts';

type Query = Parameters<Handlers<typeof connectionInventory>['listConnections']>[0]['query'];

/** Entries of a page that are sooner read by their keys than all that there are. */
const FEW = 500;

export function connectionInventoryHandlers(stores: RowStores): Handlers<typeof connectionInventory> {
  return {
    async listConnections({ caller, query }) {
      const { count = 0 } = query;
      const { places, areKept } = await inventory(stores, caller, count > 0 && count <= FEW);
      const found = arranged(places, query);
      // Pages are only for those who ask: the interface shows the whole list.
      if (query.count === undefined && query.offset === undefined)
        return { message: counted(found.length, 'connection'), result: found.map(({ entry }) => entry) };
      const asked = { count, ...query };
      const { result: shown, pagination } = window(found, asked);
      const result = areKept ? await asTheyAre(stores.records, shown) : shown.map(({ entry }) => entry);
      const total = pagination.total - (shown.length - result.length);
      return { message: counted(total, 'connection'), result, pagination: paginationOf(asked, total, result.length) };
    },
  };
}

/** The inventory comes in its own order; a name's order and the way down are asked for. */
function arranged(places: readonly Place[], { search, sort_key, sort_dir }: Query): readonly Place[] {
  const wanted = search?.trim().toLowerCase();
  const found = wanted ? places.filter(({ name }) => name.includes(wanted)) : places;
  // Stable: entries of one name stay in the order of their types.
  const isByName = sort_key === 'connection_name';
  const sorted = isByName ? found.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))) : found;
  return sort_dir === 'desc' ? sorted.toReversed() : sorted;
}

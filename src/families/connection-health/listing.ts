import {
  CONNECTION_FAMILIES,
  type ConnectionFamily,
  HEALTH_STATES,
  type HealthState,
} from '../../contract/families/connectionHealth.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import { type ListQueryValues, matchesSearch, slicePage } from '../../domain/lists/lists.ts';
import type { ConnectionHealth } from './schemas.ts';

export interface HealthQuery extends ListQueryValues {
  family?: ConnectionFamily;
  state?: HealthState;
}

/** Sort keys. The most urgent state comes first. */
const KEYS: Readonly<Record<string, (row: ConnectionHealth) => string | number | undefined>> = {
  family: ({ family }) => CONNECTION_FAMILIES.indexOf(family),
  name: ({ name }) => name.toLowerCase(),
  type: ({ type }) => type.toLowerCase(),
  state: ({ state }) => HEALTH_STATES.indexOf(state),
  expires_at: ({ expires_at }) => expires_at,
};

/** @param rows by family and name, which breaks ties */
export function pageOfHealth(
  rows: readonly ConnectionHealth[],
  query: HealthQuery,
): { result: ConnectionHealth[]; pagination: Pagination } {
  const { sort_key = 'family', sort_dir = 'asc', state } = query;
  const search = query.search?.trim().toLowerCase();
  const matches = rows.filter(
    (row) =>
      (state === undefined || row.state === state) &&
      (!search || matchesSearch(row, search, ['name', 'type', 'reason'])),
  );
  if (sort_key === 'family' && sort_dir === 'asc') return slicePage(matches, query);
  const keyOf = KEYS[String(sort_key)] ?? (() => undefined);
  const keyed = matches.map((row) => ({ row, key: keyOf(row) }));
  const sign = sort_dir === 'desc' ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key === b.key) return 0;
    // Rows without a value come last in both directions.
    if (a.key === undefined || b.key === undefined) return a.key === undefined ? 1 : -1;
    return a.key < b.key ? -sign : sign;
  });
  return slicePage(
    keyed.map(({ row }) => row),
    query,
  );
}

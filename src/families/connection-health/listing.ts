import type { Pagination } from '../../contract/common.ts';
import {
  CONNECTION_FAMILIES,
  type ConnectionFamily,
  HEALTH_STATES,
  type HealthState,
} from '../../contract/connectionHealth.ts';
import { isIn, type ListQueryValues, matches, window } from '../../domain/lists.ts';
import type { ConnectionHealth } from './schemas.ts';

export interface HealthQuery extends ListQueryValues {
  family?: ConnectionFamily;
  state?: HealthState;
}

/** What a list goes by. Of rows that go by names and types alone there is no more. */
export type Listed = Pick<ConnectionHealth, 'family' | 'name' | 'type'> &
  Partial<Pick<ConnectionHealth, 'state' | 'reason' | 'expires_at'>> & {
    /** What a search looks through, in lower case, where somebody has it already. */
    texts?: readonly string[];
  };
export const SEARCHED = ['name', 'type', 'reason'] as const;

/** What is sorted by. Families and states have an order of their own: the most pressing state comes first. */
const KEYS: Readonly<Record<string, (row: Listed) => string | number | undefined>> = {
  family: ({ family }) => CONNECTION_FAMILIES.indexOf(family),
  name: ({ name }) => name.toLowerCase(),
  type: ({ type }) => type.toLowerCase(),
  state: ({ state }) => state && HEALTH_STATES.indexOf(state),
  expires_at: ({ expires_at }) => expires_at,
};

/** Whether a row is one that a list is about. */
export function isMeantBy({ state, search }: HealthQuery): (row: Listed) => boolean {
  const wanted = search?.trim().toLowerCase();
  const isFound = (row: Listed, text: string) => (row.texts ? isIn(row.texts, text) : matches(row, text, SEARCHED));
  return (row) => (state === undefined || row.state === state) && (!wanted || isFound(row, wanted));
}

/** @param rows in the order of families and names, which decides among equals */
export function pageOfHealth<R extends Listed>(
  rows: readonly R[],
  query: HealthQuery,
): { result: R[]; pagination: Pagination } {
  const { sort_key = 'family', sort_dir = 'asc' } = query;
  const found = rows.filter(isMeantBy(query));
  if (sort_key === 'family' && sort_dir === 'asc') return window(found, query);
  const keyOf = KEYS[String(sort_key)] ?? (() => undefined);
  const keyed = found.map((row) => ({ row, key: keyOf(row) }));
  const sign = sort_dir === 'desc' ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key === b.key) return 0;
    // What has no value comes last, whichever way round.
    if (a.key === undefined || b.key === undefined) return a.key === undefined ? 1 : -1;
    return a.key < b.key ? -sign : sign;
  });
  return window(
    keyed.map(({ row }) => row),
    query,
  );
}

import type { Caller } from '../../contract/caller.ts';
import type { Pagination } from '../../contract/common.ts';
import type { ConnectionFamily } from '../../contract/connectionHealth.ts';
import { DEFAULT_COUNT } from '../../contract/pages.ts';
import type { ConnectionName } from '../../domain/connectionHealth.ts';
import { KEYS_A_QUERY } from '../../domain/keyQueries.ts';
import { paginationOf } from '../../domain/lists.ts';
import { onceFor } from '../../domain/onceFor.ts';
import type { SlimRows } from '../../domain/slimRows.ts';
import { type HealthQuery, pageOfHealth } from './listing.ts';
import { type Connection, connectionsOf, familiesOf, type HealthReader, inOrder, readable } from './readConnections.ts';
import type { ConnectionHealth } from './schemas.ts';

/** Fewer are all read as quickly as two times a few. */
const MANY = 500;
/** What does not change without a new version. */
const BY_NAME: readonly unknown[] = [undefined, 'family', 'name', 'type'];

interface Place extends ConnectionName {
  family: ConnectionFamily;
}

/** How many connections a list was made of when a process last made one. */
const lastSeen = onceFor((_rows: SlimRows) => new Map<ConnectionFamily | undefined, number>());

/** For the next list: whether it is worth while to look for its page by name. */
export function noteSize({ stores: { rows } }: HealthReader, { family }: HealthQuery, connections: number): void {
  if (rows) lastSeen(rows).set(family, connections);
}

/**
 * A page of the connections of a large site that goes by names and types alone: those that it shows are read, of the others the
 * process keeps what it takes. Undefined where a list goes by how its connections are: all have to be read for it.
 */
export async function keptPage(
  reader: HealthReader,
  caller: Caller,
  query: HealthQuery,
  rowsOf: (connections: readonly Connection[]) => ConnectionHealth[],
): Promise<{ result: ConnectionHealth[]; pagination: Pagination } | undefined> {
  const { rows } = reader.stores;
  const { count = DEFAULT_COUNT, state, search, sort_key } = query;
  const isByName = state === undefined && !search?.trim() && BY_NAME.includes(sort_key);
  if (!rows || !isByName || count === 0 || count > KEYS_A_QUERY || (lastSeen(rows).get(query.family) ?? 0) < MANY)
    return undefined;
  const places = await placesOf(reader, caller, query.family);
  if (!places) return undefined;
  noteSize(reader, query, places.length);
  const { result: shown, pagination } = pageOfHealth(places, query);
  const keys = Map.groupBy(shown, ({ family }) => family);
  const families = [...keys].map(([family, those]) => [family, those.map(({ key }) => key)] as const);
  const found = await connectionsOf(reader, caller, new Map(families));
  const byId = new Map(found.map((one) => [one.id, one]));
  const connections = shown.flatMap(({ family, key, name }): Connection[] => {
    const one = byId.get(`${family} ${key}`);
    // What a connection is called may depend on those of other pages.
    return one ? [{ ...one, condition: { ...one.condition, name } }] : [];
  });
  const total = pagination.total - (shown.length - connections.length);
  return { result: rowsOf(connections), pagination: paginationOf(query, total, connections.length) };
}

async function placesOf(
  { sources }: HealthReader,
  caller: Caller,
  family: ConnectionFamily | undefined,
): Promise<Place[] | undefined> {
  const families = familiesOf(family);
  const names = await Promise.all(
    families.map((one) => readable(sources[one], caller, (source) => source.names(caller))),
  );
  const places: Place[] = [];
  for (const [index, one] of families.entries()) {
    const those = names[index];
    if (!those) return undefined;
    for (const name of inOrder(those)) places.push({ ...name, family: one });
  }
  return places;
}

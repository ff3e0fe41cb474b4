import type { Caller } from '../../contract/caller.ts';
import type { Pagination } from '../../contract/common.ts';
import type { ConnectionFamily } from '../../contract/connectionHealth.ts';
import { DEFAULT_COUNT } from '../../contract/pages.ts';
import type { Condition, ConnectionName, HealthSource } from '../../domain/connectionHealth.ts';
import { KEYS_A_QUERY } from '../../domain/keyQueries.ts';
import { paginationOf, textsOf } from '../../domain/lists.ts';
import { onceFor } from '../../domain/onceFor.ts';
import type { SlimRows } from '../../domain/slimRows.ts';
import { endOf, turnsAt, verdict } from './judge.ts';
import { type HealthQuery, isMeantBy, type Listed, pageOfHealth, SEARCHED } from './listing.ts';
import { type Connection, connectionsOf, familiesOf, type HealthReader, readable } from './readConnections.ts';
import type { ConnectionHealth } from './schemas.ts';

/** Fewer are all read as quickly as two times a few. */
const MANY = 500;
/** What does not change without a new version. */
const BY_NAME: readonly unknown[] = [undefined, 'family', 'name', 'type'];

/** A connection by what lists filter and sort by, and where to read the rest. */
type Place = Listed & Pick<ConnectionName, 'key'>;

/** How many connections a list was made of when a process last made one. */
const lastSeen = onceFor((_rows: SlimRows) => new Map<ConnectionFamily | undefined, number>());

/** For the next list: whether it is worth while to look for its page in what is kept. */
export function noteSize({ stores: { rows } }: HealthReader, { family }: HealthQuery, connections: number): void {
  if (rows) lastSeen(rows).set(family, connections);
}

/**
 * A page of the connections of a large site: those that it shows are read, of the others the process keeps what the list goes by.
 * Undefined where all have to be read for it.
 */
export async function keptPage(
  reader: HealthReader,
  caller: Caller,
  query: HealthQuery,
  rowsOf: (connections: readonly Connection[]) => ConnectionHealth[],
  now: () => number,
): Promise<{ result: ConnectionHealth[]; pagination: Pagination } | undefined> {
  const { rows } = reader.stores;
  const { count = DEFAULT_COUNT, state, search, sort_key } = query;
  if (!rows || count === 0 || count > KEYS_A_QUERY || (lastSeen(rows).get(query.family) ?? 0) < MANY) return undefined;
  const isByName = state === undefined && !search?.trim() && BY_NAME.includes(sort_key);
  const places = await (isByName
    ? placesOf(reader, caller, query.family, (source) => source.names(caller), named)
    : placesOf(reader, caller, query.family, (source) => source.kept(caller), judgedAt(now())));
  if (!places) return undefined;
  noteSize(reader, query, places.length);
  const { result: placed, pagination } = pageOfHealth(places, query);
  const keys = Map.groupBy(placed, ({ family }) => family);
  const families = [...keys].map(([family, those]) => [family, those.map(({ key }) => key)] as const);
  const found = await connectionsOf(reader, caller, new Map(families));
  const byId = new Map(found.map((one) => [one.id, one]));
  const connections = placed.flatMap(({ family, key, name }): Connection[] => {
    const one = byId.get(`${family} ${key}`);
    // What a connection is called may depend on those of other pages.
    return one ? [{ ...one, condition: { ...one.condition, name } }] : [];
  });
  const shown = rowsOf(connections);
  // One that is not as it was kept, and that the list is not about: nobody knows how many more, and where the next page begins.
  if (!shown.every(isMeantBy(query))) return undefined;
  const total = pagination.total - (placed.length - shown.length);
  return { result: shown, pagination: paginationOf(query, total, shown.length) };
}

async function placesOf<C extends ConnectionName>(
  { sources }: HealthReader,
  caller: Caller,
  family: ConnectionFamily | undefined,
  read: (source: HealthSource) => Promise<readonly C[] | undefined>,
  placed: (family: ConnectionFamily, connection: C) => Place,
): Promise<Place[] | undefined> {
  const families = familiesOf(family);
  const found = await Promise.all(families.map((one) => readable(sources[one], caller, read)));
  const places: Place[] = [];
  for (const [index, one] of families.entries()) {
    const those = found[index];
    if (!those) return undefined;
    for (const connection of those) places.push(placed(one, connection));
  }
  return places;
}

const named = (family: ConnectionFamily, { key, name, type }: ConnectionName): Place => ({ key, family, name, type });

interface Judged {
  place: Place;
  /** From when until when that is so, in epoch seconds, as long as nothing is written. */
  from: number;
  until: number;
}

/** What has not changed is not judged again: of ten thousand that takes longer than to read the page. */
const judged = new WeakMap<Condition, Judged>();

function judgedAt(now: number): (family: ConnectionFamily, condition: Condition) => Place {
  return (family, condition) => {
    const before = judged.get(condition);
    if (before && now >= before.from && now < before.until) return before.place;
    const { state, reason } = verdict(condition, now);
    const end = endOf(condition);
    const ends = end === undefined ? {} : { expires_at: end };
    const texts = textsOf({ ...condition, reason }, SEARCHED);
    const place: Place = { ...named(family, condition), state, reason, ...ends, texts };
    judged.set(condition, { place, from: now, until: turnsAt(condition, now) });
    return place;
  };
}

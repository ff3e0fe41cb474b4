import type { Caller } from '../../contract/caller.ts';
import { passes } from '../../contract/capabilities.ts';
import { CONNECTION_FAMILIES, type ConnectionFamily } from '../../contract/families/connectionHealth.ts';
import type { Condition, HealthReader, HealthSource } from '../../domain/records/connectionHealth.ts';
import type { NamedRecord } from '../../domain/records/namedRecord.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { type References, readableNames, readUsers } from '../../resources/references.ts';
import { endOf, judgeHealth } from './judge.ts';
import type { ConnectionHealth } from './schemas.ts';

export const connectionId = (family: ConnectionFamily, key: string): string => `${family} ${key}`;

/** Family -> what it knows of its connections, loaded when it is asked for. */
export type HealthSources = {
  readonly [F in ConnectionFamily]: () => Promise<HealthReader & Partial<HealthSource>>;
};

/** A connection of one of the families. */
export interface Connection {
  /** Tells it from those of all families. */
  id: string;
  family: ConnectionFamily;
  condition: Condition;
  usedBy: readonly string[];
}

/** Dependencies for reading health. */
export interface HealthParts {
  stores: Pick<Stores, 'records'>;
  sources: HealthSources;
  references: References;
}

/** Connections that the caller may read, sorted by family and name. @param family restricts them to this family */
export async function readConnections(
  { stores: { records }, sources, references }: HealthParts,
  caller: Caller,
  family?: ConnectionFamily,
): Promise<Connection[]> {
  const families = family === undefined ? CONNECTION_FAMILIES : [family];
  const [usersOf, ...conditions] = await Promise.all([
    readUsers(records, references),
    ...families.map((name) => readable(sources[name], caller)),
  ]);
  const namesOf = (named: NamedRecord) =>
    usersOf(named)
      .flatMap((users) => readableNames(caller, users))
      .sort();
  return families.flatMap((name, index) =>
    sortByName(conditions[index] ?? []).map((condition): Connection => {
      const { key, reference, usedBy = [] } = condition;
      return { id: connectionId(name, key), family: name, condition, usedBy: reference ? namesOf(reference) : usedBy };
    }),
  );
}

async function readable(load: HealthSources[ConnectionFamily], caller: Caller): Promise<Condition[]> {
  const source = await load();
  return passes(source.readers, caller.capabilities) ? source.conditions(caller) : [];
}

/** Ignores case; the key breaks ties. */
function sortByName(conditions: readonly Condition[]): Condition[] {
  return conditions
    .map((condition) => ({ condition, order: `${condition.name.toLowerCase()}\n${condition.key}` }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ condition }) => condition);
}

/** @param now epoch seconds */
export function rowOf({ family, condition, usedBy }: Connection, now: number): ConnectionHealth {
  const { name, type, lastTest, cooldown, drift, unaccepted } = condition;
  const end = endOf(condition);
  return {
    family,
    name,
    type,
    ...judgeHealth(condition, now),
    last_test: lastTest ?? {},
    ...(end === undefined ? {} : { expires_at: end }),
    ...(cooldown ? { cooldown } : {}),
    ...(drift ? { drift } : {}),
    ...(unaccepted ? { unaccepted: [...unaccepted] } : {}),
    used_by: [...usedBy],
  };
}

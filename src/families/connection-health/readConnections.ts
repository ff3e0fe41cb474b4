import type { Caller } from '../../contract/caller.ts';
import { passes } from '../../contract/capabilities.ts';
import { CONNECTION_FAMILIES, type ConnectionFamily } from '../../contract/connectionHealth.ts';
import { type Condition, type HealthSource, inOrder } from '../../domain/connectionHealth.ts';
import type { Stores } from '../../domain/sealed.ts';
import { agentUsers } from '../agents/public.ts';
import { endOf, verdict } from './judge.ts';
import type { ConnectionHealth } from './schemas.ts';

/** Family -> what it knows of its connections, loaded when it is asked for. */
export type HealthSources = { readonly [F in ConnectionFamily]: () => Promise<HealthSource> };

/** A connection of one of the families. */
export interface Connection {
  /** Tells it from those of all families. */
  id: string;
  family: ConnectionFamily;
  condition: Condition;
  usedBy: readonly string[];
}

/** What health is read with. */
export interface HealthReader {
  stores: Pick<Stores, 'records' | 'rows'>;
  sources: HealthSources;
}

/** All that the caller may read, by family, and by name within each. @param family only of this one */
export function readConnections(
  reader: HealthReader,
  caller: Caller,
  family?: ConnectionFamily,
): Promise<Connection[]> {
  return connectionsOf(reader, caller, new Map(familiesOf(family).map((one) => [one, undefined])));
}

/** All, or the one that is asked for. */
export const familiesOf = (family: ConnectionFamily | undefined): readonly ConnectionFamily[] =>
  family === undefined ? CONNECTION_FAMILIES : [family];

/** Those of some families. @param keys of each family those that are meant; undefined = all */
export async function connectionsOf(
  { stores, sources }: HealthReader,
  caller: Caller,
  keys: ReadonlyMap<ConnectionFamily, readonly string[] | undefined>,
): Promise<Connection[]> {
  const families = [...keys];
  const [users, ...conditions] = await Promise.all([
    agentUsers(stores.records, caller),
    ...families.map(([one, those]) => readable(sources[one], caller, (source) => source.conditions(caller, those))),
  ]);
  return families.flatMap(([one], index) =>
    inOrder(conditions[index] ?? []).map((condition): Connection => {
      const { key, reference, usedBy = [] } = condition;
      return { id: `${one} ${key}`, family: one, condition, usedBy: reference ? users(reference) : usedBy };
    }),
  );
}

/** Nothing of a family that the caller may not read. */
export async function readable<T>(
  load: HealthSources[ConnectionFamily],
  { capabilities }: Caller,
  read: (source: HealthSource) => Promise<readonly T[] | undefined>,
): Promise<readonly T[] | undefined> {
  const source = await load();
  return passes(source.readers, capabilities) ? read(source) : [];
}

/** @param now epoch seconds */
export function rowOf({ family, condition, usedBy }: Connection, now: number): ConnectionHealth {
  const { name, type, lastTest, drift } = condition;
  const end = endOf(condition);
  return {
    family,
    name,
    type,
    ...verdict(condition, now),
    last_test: lastTest ?? {},
    ...(end === undefined ? {} : { expires_at: end }),
    ...(drift ? { drift } : {}),
    used_by: [...usedBy],
  };
}

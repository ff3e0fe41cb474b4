import type { Caller } from '../../contract/caller.ts';
import { passes } from '../../contract/capabilities.ts';
import { CONNECTION_FAMILIES, type ConnectionFamily } from '../../contract/connectionHealth.ts';
import type { Condition, HealthSource } from '../../domain/connectionHealth.ts';
import type { RecordStore } from '../../ports/recordStore.ts';
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

/** All that the caller may read, by family, and by name within each. @param family only of this one */
export async function readConnections(
  sources: HealthSources,
  records: RecordStore,
  caller: Caller,
  family?: ConnectionFamily,
): Promise<Connection[]> {
  const families = CONNECTION_FAMILIES.filter((one) => family === undefined || one === family);
  const [users, ...conditions] = await Promise.all([
    agentUsers(records, caller),
    ...families.map((one) => conditionsOf(sources[one], caller)),
  ]);
  return families.flatMap((one, index) =>
    inOrder(conditions[index] ?? []).map((condition): Connection => {
      const { key, reference, usedBy = [] } = condition;
      return { id: `${one} ${key}`, family: one, condition, usedBy: reference ? users(reference) : usedBy };
    }),
  );
}

async function conditionsOf(source: HealthSources[ConnectionFamily], caller: Caller): Promise<Condition[]> {
  const { readers, conditions } = await source();
  return passes(readers, caller.capabilities) ? conditions(caller) : [];
}

function inOrder(conditions: readonly Condition[]): Condition[] {
  const keyed = conditions.map((condition) => ({
    condition,
    key: `${condition.name.toLowerCase()}\n${condition.key}`,
  }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ condition }) => condition);
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

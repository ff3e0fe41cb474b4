import type { Connection } from './readConnections.ts';

/**
 * The order of tests. Owners take turns, so that many connections of one do not keep the others waiting; each begins with
 * the one tested longest ago. Servers that did not answer the last test come last.
 */
export function orderTests(connections: readonly Connection[]): Connection[] {
  const turns = new Map<string, number>();
  const ranked = oldestFirst(connections).map((connection) => {
    const { owner, lastTest } = connection.condition;
    const isSilent = lastTest?.error_code === 'timeout';
    const queue = `${isSilent} ${owner}`;
    const turn = turns.get(queue) ?? 0;
    turns.set(queue, turn + 1);
    return { connection, turn, isSilent };
  });
  return ranked
    .sort((a, b) => Number(a.isSilent) - Number(b.isSilent) || a.turn - b.turn)
    .map(({ connection }) => connection);
}

function oldestFirst(connections: readonly Connection[]): Connection[] {
  const age = ({ condition: { lastTest } }: Connection) => lastTest?.tested_at ?? 0;
  return [...connections].sort((a, b) => age(a) - age(b));
}

/** A value of one group at one time. */
export interface Value {
  at: number;
  group: string;
  value: number;
}

export interface Point {
  at: number;
  /** In the order of the names. */
  values: readonly number[];
  total: number;
}

export interface Stack {
  /** Names of the groups, largest first, and one for all others together. */
  names: readonly string[];
  points: readonly Point[];
}

/** More are not told apart by colour and pattern. */
const MOST = 5;

/**
 * Values over time, stacked by group. Times without a value are 0.
 * @param begins of all times
 * @param others name of the groups beyond the largest five
 */
export function stackOf(values: readonly Value[], begins: readonly number[], others: string): Stack {
  const totals = new Map<string, number>();
  for (const { group, value } of values) totals.set(group, (totals.get(group) ?? 0) + value);
  const ranked = [...totals].filter(([, total]) => total > 0).sort(byTotal);
  const largest = ranked.slice(0, MOST).map(([group]) => group);
  const hasOthers = ranked.length > MOST;
  const places = new Map(largest.map((group, place) => [group, place]));
  const width = largest.length + (hasOthers ? 1 : 0);
  const columns = new Map(begins.map((begin) => [begin, new Array<number>(width).fill(0)]));
  for (const { at, group, value } of values) {
    const column = columns.get(at);
    const place = places.get(group) ?? MOST;
    if (column && value > 0) column[place] = (column[place] ?? 0) + value;
  }
  const points = [...columns].map(([time, column]) => ({
    at: time,
    values: column,
    total: column.reduce((sum, value) => sum + value, 0),
  }));
  return { names: hasOthers ? [...largest, others] : largest, points };
}

/** Equal totals are in alphabetical order, so that colours do not change between two reads. */
const byTotal = ([a, x]: [string, number], [b, y]: [string, number]): number => y - x || (a < b ? -1 : 1);

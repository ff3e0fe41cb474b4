import type { FieldFacts, Values } from './facts.ts';
import { changedPaths, isObject, isSame } from './values.ts';

export type Side = 'mine' | 'theirs';

/** The paths that each side and both sides have changed. */
export function differences(before: Values, mine: Values, theirs: Values) {
  const [ours, others] = [changedPaths(before, mine), changedPaths(before, theirs)];
  return {
    ours,
    others,
    both: ours.filter((path) => others.includes(path)),
    all: [...new Set([...ours, ...others])],
  };
}

/** Merges both sides; `pick` decides the fields that both have changed. */
export function decided(
  { before, mine, theirs }: Readonly<Record<'before' | 'mine' | 'theirs', Values>>,
  facts: ReadonlyMap<string, FieldFacts>,
  pick: (path: string) => Side,
): Values {
  const value = (path: string) =>
    facts.get(path)?.kind === 'map' ? mergeMap(before[path], mine[path], theirs[path]) : mine[path];
  const minePaths = differences(before, mine, theirs).ours.filter((path) => pick(path) === 'mine');
  return { ...theirs, ...Object.fromEntries(minePaths.map((path) => [path, value(path)])) };
}

/** Maps such as headers are merged by name. */
function mergeMap(before: unknown, mine: unknown, theirs: unknown): unknown {
  if (!isObject(mine) || !isObject(theirs)) return mine;
  const was = isObject(before) ? before : {};
  const result = { ...theirs };
  for (const name of new Set([...Object.keys(was), ...Object.keys(mine)])) {
    if (isSame(was[name], mine[name])) continue;
    if (name in mine) result[name] = mine[name];
    else delete result[name];
  }
  return result;
}

import type { Resource } from '../panel/resource.ts';
import type { Values } from './facts.ts';
import { changedPaths } from './values.ts';

export const SAVED_UNSEEN = 'The answer was lost, but your change was saved.';
export const UNCHANGED = 'Nothing has been saved. Save again.';

/**
 * What has become of a change whose answer was lost, by what is stored now. Secrets cannot be compared: a change with one that has
 * been followed by a new version counts as somebody else's.
 */
export function outcomeOf(
  before: { values: Values; version: number | undefined },
  mine: Values,
  now: { values: Values; version: number | undefined },
): 'done' | 'unchanged' | 'changed' {
  if (before.version !== undefined && now.version === before.version) return 'unchanged';
  const mineChanged = changedPaths(before.values, mine);
  const others = changedPaths(now.values, mine).filter((path) => mineChanged.includes(path));
  if (others.length === 0) return 'done';
  return before.version === undefined ? 'unchanged' : 'changed';
}

/** Looks for what a form was to make, where its name is one of the fields. */
export const finderOf =
  <R extends object>({ nameOf, read }: Resource<R>) =>
  async (body: Readonly<Record<string, unknown>>): Promise<string | undefined> => {
    if (typeof body.name !== 'string') return undefined;
    const found = await read(body.name, AbortSignal.timeout(30_000));
    return found ? nameOf(found) : undefined;
  };

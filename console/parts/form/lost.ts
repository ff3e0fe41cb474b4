import type { Values } from './facts.ts';
import { changedPaths } from './values.ts';

export const SAVED_UNSEEN = 'The answer was lost, but your change was saved.';
export const UNCHANGED = 'Nothing has been saved. Save again.';

/**
 * The outcome of a change whose answer was lost, by the stored record. Secrets cannot be compared, so a changed secret with a new
 * version counts as a conflict.
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

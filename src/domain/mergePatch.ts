import { isObject } from '../contract/json.ts';

/** RFC 7396: objects merge, null removes, everything else (arrays too) is replaced. Nothing given is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // fromEntries defines keys: one called __proto__ is data.
  return Object.fromEntries(merged);
}

import { isObject, MAX_JSON_LEVELS } from '../contract/basics.ts';
import type { Problem } from '../contract/codes/faults.ts';
import { nestsDeeperThan } from '../contract/depth.ts';
import type { Plan } from '../contract/rows/compiled.ts';

export const TOO_DEEP = `is nested deeper than ${MAX_JSON_LEVELS} levels`;

/** Drops undeclared keys, adding their dotted paths to `dropped`, and converts strings as declared. */
export function applyPlan(input: unknown, plan: Plan, dropped: string[], path = ''): unknown {
  if (plan === true) return input;
  const value = plan.c ? asText(input) : input;
  if (typeof value === 'string') return normalize(value, plan);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = plan.i;
    return items === undefined
      ? value
      : value.map((item, index) => applyPlan(item, items, dropped, `${path}${index}.`));
  }
  if (!plan.p && plan.a === undefined) return value;
  const result: Record<string, unknown> = {};
  // Entries of an object with very many keys take several times as long.
  for (const key of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined) continue;
    const below = planBelow(plan, key);
    if (below === undefined) dropped.push(`${path}${key}`);
    // A key such as __proto__ is data.
    else define(result, key, applyPlan(inner, below, dropped, `${path}${key}.`));
  }
  return result;
}

/** Accepts numbers, booleans and null for strings. */
function asText(value: unknown): unknown {
  if (value === null) return '';
  return typeof value === 'boolean' || Number.isFinite(value) ? String(value) : value;
}

function normalize(text: string, { t: trimmed, l: lower }: Exclude<Plan, true>): string {
  const value = trimmed ? text.trim() : text;
  return lower ? value.toLowerCase() : value;
}

/** Ignores inherited properties, so a key such as `constructor` is safe. */
export function planBelow(plan: Exclude<Plan, true>, key: string): Plan | undefined {
  return (plan.p && Object.hasOwn(plan.p, key) ? plan.p[key] : undefined) ?? plan.a;
}

function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** The fields of a body whose values are nested too deep. Their declared parents do not count. */
export function depthProblems(value: unknown, plan: Plan, path = ''): Problem[] {
  const isFree = plan === true || (!plan.p && plan.i === undefined);
  if (isFree) return nestsDeeperThan(value, MAX_JSON_LEVELS) ? [{ field: path || '$body', message: TOO_DEEP }] : [];
  const pathOf = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
  if (Array.isArray(value)) {
    const { i: items = true } = plan;
    return value.flatMap((item, index) => depthProblems(item, items, pathOf(index)));
  }
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => depthProblems(value[key], planBelow(plan, key) ?? true, pathOf(key)));
}

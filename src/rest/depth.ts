import { isObject, MAX_JSON_LEVELS } from '../contract/basics.ts';
import { invalid, type Problem } from '../contract/codes/faults.ts';
import type { Plan } from '../contract/rows/compiled.ts';
import { nestsDeeperThan } from '../domain/values/json.ts';
import { jsonNestsDeeperThan } from '../domain/values/jsonDepth.ts';
import { planBelow } from './plan.ts';

/** JSON.parse takes seconds and hundreds of megabytes for millions of levels. */
const MAX_PARSED_LEVELS = 500_000;

const message = `is nested deeper than ${MAX_JSON_LEVELS} levels`;

/** The fields of a body whose values are nested too deep. Their declared parents do not count. */
export function depthProblems(value: unknown, plan: Plan, path = ''): Problem[] {
  const isFree = plan === true || (!plan.p && plan.i === undefined);
  if (isFree) return nestsDeeperThan(value, MAX_JSON_LEVELS) ? [{ field: path || '$body', message }] : [];
  const at = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
  if (Array.isArray(value)) {
    const { i: items = true } = plan;
    return value.flatMap((item, index) => depthProblems(item, items, at(index)));
  }
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => depthProblems(value[key], planBelow(plan, key) ?? true, at(key)));
}

/** @throws Fault `validation_failed` for a body that is too deep to be parsed */
export function assertParsable(text: string): void {
  // As many levels need as many characters.
  if (text.length < MAX_PARSED_LEVELS || !jsonNestsDeeperThan(text, MAX_PARSED_LEVELS)) return;
  throw invalid([{ field: '$body', message }]);
}

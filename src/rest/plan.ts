import type { Plan } from '../contract/rows/compiled.ts';

/**
 * Keeps what a plan lets pass and brings texts into the form that it asks for, in one walk. Keys that are not declared
 * are left out and their dotted paths reported: unknown fields of a body, undeclared fields of a reply.
 */
export function applyPlan(sent: unknown, plan: Plan, dropped: string[], path = ''): unknown {
  if (plan === true) return sent;
  const value = plan.c ? asText(sent) : sent;
  if (typeof value === 'string') return inForm(value, plan);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = plan.i;
    return items === undefined
      ? value
      : value.map((item, index) => applyPlan(item, items, dropped, `${path}${index}.`));
  }
  if (!plan.p && plan.a === undefined) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const below = planBelow(plan, key);
    if (below === undefined) dropped.push(`${path}${key}`);
    // defineProperty: a key such as __proto__ is data here, not a setter.
    else define(kept, key, applyPlan(inner, below, dropped, `${path}${key}.`));
  }
  return kept;
}

/** For leniency: a number or a boolean where a text is meant, and null for no text. Infinity does not exist in JSON. */
function asText(value: unknown): unknown {
  if (value === null) return '';
  return typeof value === 'boolean' || Number.isFinite(value) ? String(value) : value;
}

function inForm(text: string, { t: trimmed, l: lower }: Exclude<Plan, true>): string {
  const kept = trimmed ? text.trim() : text;
  return lower ? kept.toLowerCase() : kept;
}

/** The plan of a key; names such as `constructor` are keys like any other, not what every object inherits. */
export function planBelow(plan: Exclude<Plan, true>, key: string): Plan | undefined {
  return (plan.p && Object.hasOwn(plan.p, key) ? plan.p[key] : undefined) ?? plan.a;
}

function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

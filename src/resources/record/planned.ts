import type { Json } from '../../contract/basics.ts';
import type { FieldPlan, RecordPlan } from '../../contract/rows/recordPlan.ts';

type Plan = Pick<RecordPlan, 'fields'>;

/**
 * The fields of a record after a body. An omitted field stays, and a record that lacks one gets its default.
 * @param base the stored record; undefined for a new one
 * @returns a value for each field of the plan; undefined removes the field
 */
export function mergePlanned({ fields }: Plan, base: object | undefined, body: object): Json {
  const entries = Object.entries(fields).map(([name, plan]) => [
    name,
    mergeField(plan, memberOf(base, name), memberOf(body, name)),
  ]);
  return Object.fromEntries(entries);
}

function mergeField(plan: FieldPlan, base: unknown, value: unknown): unknown {
  const { merge, isJson } = plan;
  const initial = plan.default;
  const stored = isJson && initial !== undefined ? JSON.stringify(initial) : initial;
  const before = base === undefined ? stored : base;
  if (merge === 'own') return before;
  if (merge === 'fixed') return base || value || initial;
  if (value === undefined) return before;
  if (value === null) return stored;
  if (isJson) return JSON.stringify(value);
  // Rules also run on bodies that fail their schema.
  if (merge === 'members')
    return typeof value === 'object' ? mergeFields((before ?? {}) as Json, value as Json) : before;
  return merge === 'set' && Array.isArray(value) ? [...new Set(value)] : value;
}

/** The fields that replies show, read from a stored record; one that it lacks has its default. */
export function viewPlanned({ fields }: Plan, record: object): Json {
  const entries = Object.entries(fields).flatMap(([name, plan]) => {
    const { isShown, isJson } = plan;
    const value = memberOf(record, name);
    if (!isShown) return [];
    if (value === undefined) return [[name, plan.default] as const];
    return [[name, isJson ? (JSON.parse(value as string) as unknown) : value] as const];
  });
  return Object.fromEntries(entries);
}

const memberOf = (fields: object | undefined, name: string): unknown => (fields as Json | undefined)?.[name];

/** Null and "" unset a field. */
function mergeFields(base: Json, changes: Json): Json {
  const merged = { ...base };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') delete merged[key];
    else if (value !== undefined) merged[key] = value;
  }
  return merged;
}

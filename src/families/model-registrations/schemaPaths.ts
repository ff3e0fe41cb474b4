export type Specification = Record<string, unknown>;
export type JsonSchema = Record<string, unknown>;

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A document of a caller may refer to itself in circles. */
const MOST_STEPS = 2000;

/**
 * Is there a place `instances[*].cpu` in values of this schema? A name alone is found at any depth: `cpu` is understood.
 * Where the schema leaves values open, every path is good.
 */
export function isWithin(spec: Specification, schema: JsonSchema, path: string): boolean {
  const steps = parse(path);
  if (steps === undefined) return false;
  const budget = { left: MOST_STEPS };
  if (holds(spec, schema, steps, budget)) return true;
  const [only] = steps;
  return steps.length === 1 && only !== '*' && only !== undefined && somewhere(spec, schema, only, budget);
}

/** `$.a[*].b[0]` -> a, *, b, *. Undefined: not a path. */
function parse(path: string): string[] | undefined {
  const text = path.trim().replace(/^\$\.?/, '');
  if (text === '') return [];
  if (!/^(\[(\*|\d+)\]|[^.[\]]+)(\.[^.[\]]+|\[(\*|\d+)\])*$/.test(text)) return undefined;
  return (text.match(/\[(\*|\d+)\]|[^.[\]]+/g) ?? []).map((step) => (step.startsWith('[') ? '*' : step));
}

interface Budget {
  left: number;
}

function holds(spec: Specification, schema: unknown, steps: readonly string[], budget: Budget): boolean {
  return alternatives(spec, schema, budget).some((option) => {
    const [step, ...rest] = steps;
    if (step === undefined) return true;
    return below(option, step).some((inner) => inner === true || holds(spec, inner, rest, budget));
  });
}

/** What stands one step below: schemas, or true where anything may. */
function below(schema: JsonSchema, step: string): unknown[] {
  if (step === '*') {
    const { items, prefixItems } = schema;
    if (Array.isArray(prefixItems)) return [...prefixItems, items ?? true];
    return items === undefined ? (mayBe(schema, 'array') ? [true] : []) : [items];
  }
  const { properties, additionalProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, step)) return [properties[step]];
  if (additionalProperties !== undefined) return additionalProperties === false ? [] : [additionalProperties];
  // Declared properties are what an author means, although the specification would let others pass.
  return isObject(properties) || !mayBe(schema, 'object') ? [] : [true];
}

/** An array or object about whose inside nothing is said. */
function mayBe(schema: JsonSchema, type: 'array' | 'object'): boolean {
  const told = [schema.type].flat().filter((one) => one !== undefined);
  return told.length === 0 ? !('properties' in schema) && !('items' in schema) : told.includes(type);
}

/** The schema itself, what it refers to, and the parts of its combinations. */
function alternatives(spec: Specification, schema: unknown, budget: Budget): JsonSchema[] {
  if (schema === true) return [{}];
  if (!isObject(schema) || budget.left-- <= 0) return [];
  const reference = typeof schema.$ref === 'string' ? at(spec, schema.$ref) : undefined;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []));
  if (typeof schema.$ref === 'string') return alternatives(spec, reference, budget);
  const own = parts.length > 0 && !('properties' in schema) && !('items' in schema) ? [] : [schema];
  return [...own, ...parts.flatMap((part) => alternatives(spec, part, budget))];
}

/** A local reference; others are not followed: nothing is fetched. */
function at(spec: Specification, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let node: unknown = spec;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(node) || !Object.hasOwn(node, key)) return undefined;
    node = node[key];
  }
  return node;
}

function somewhere(spec: Specification, schema: unknown, name: string, budget: Budget): boolean {
  return alternatives(spec, schema, budget).some((option) => {
    const properties = isObject(option.properties) ? option.properties : {};
    if (Object.hasOwn(properties, name)) return true;
    const inner = [...Object.values(properties), ...(option.items === undefined ? [] : [option.items])];
    return inner.some((one) => somewhere(spec, one, name, budget));
  });
}

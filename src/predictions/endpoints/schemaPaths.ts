import { append, isObject } from '../../contract/basics.ts';
import { pointed } from '../../contract/pointers.ts';

export type Specification = Record<string, unknown>;
export type JsonSchema = Record<string, unknown>;

/** How many schemas of one document are examined: some tenths of a second, far more than an honest document needs. */
const MOST_LOOKS = 300_000;

/**
 * Finds places in the schemas of one OpenAPI document. A document comes from a caller: it may refer to itself in circles
 * and be as wide as a body can be, so nothing recurses, no schema is entered twice on a path, and steps are counted.
 */
export class SchemaPaths {
  readonly #spec: Specification;
  #left = MOST_LOOKS;

  constructor(spec: Specification) {
    this.#spec = spec;
  }

  /**
   * Is there a place `instances[*].cpu` in values of this schema? A name alone is found at any depth: `cpu` is understood.
   * Where the schema leaves values open, every path is good.
   */
  has(schema: JsonSchema, path: string): boolean {
    const tokens = tokensOf(path);
    if (tokens === undefined) return false;
    const steps = stepsOf(tokens);
    if (this.#leadsOn(schema, steps)) return true;
    const [name] = steps;
    return steps.length === 1 && name !== undefined && name !== ITEM && this.#isNamed(schema, name);
  }

  /** Whether the document is too large for what was asked of it, so that the answers say nothing. */
  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  /** The path to the nearest property of this name, at any depth. */
  find(schema: JsonSchema, name: string): string[] | undefined {
    for (const { tokens, option } of this.#places(schema)) {
      if (isObject(option.properties) && Object.hasOwn(option.properties, name)) return [...tokens, name];
    }
    return undefined;
  }

  /** The path to the items of the nearest array. */
  findList(schema: JsonSchema): string[] | undefined {
    for (const { tokens, option } of this.#places(schema)) if (mayBeOnly(option, 'array')) return [...tokens, EACH];
    return undefined;
  }

  /** The types that values at a place may have; none where they are left open. */
  typesAt(schema: JsonSchema, tokens: readonly string[]): ReadonlySet<unknown> {
    let here = this.#alternatives([schema]);
    for (const step of stepsOf(tokens)) {
      here = this.#alternatives(here.flatMap((option) => below(option, step)).filter((next) => next !== true));
    }
    const types = here.map(({ type }) => [type].flat().filter((name) => name !== undefined));
    return new Set(types.some((some) => some.length === 0) ? [] : types.flat());
  }

  #leadsOn(schema: JsonSchema, steps: readonly string[]): boolean {
    let here = this.#alternatives([schema]);
    for (const step of steps) {
      const next = here.flatMap((option) => below(option, step));
      if (next.includes(true)) return true;
      here = this.#alternatives(next);
    }
    return here.length > 0;
  }

  /** The schemas of the document, nearest first, with the path to each. */
  *#places(schema: JsonSchema): Generator<{ tokens: string[]; option: JsonSchema }> {
    const visited = new Set<unknown>();
    let here = this.#alternatives([schema], visited).map((option) => ({ tokens: [] as string[], option }));
    for (let depth = 0; here.length > 0 && depth < MOST_STEPS; depth++) {
      const next: typeof here = [];
      for (const { tokens, option } of here) {
        yield { tokens, option };
        const inner: [string, unknown][] = isObject(option.properties) ? Object.entries(option.properties) : [];
        if (option.items !== undefined) inner.push([EACH, option.items]);
        for (const [token, child] of inner) {
          for (const alternative of this.#alternatives([child], visited))
            next.push({ tokens: [...tokens, token], option: alternative });
        }
      }
      here = next;
    }
  }

  #isNamed(schema: JsonSchema, name: string): boolean {
    const visited = new Set<unknown>();
    let here = this.#alternatives([schema], visited);
    while (here.length > 0) {
      const properties = here.flatMap((option) => (isObject(option.properties) ? [option.properties] : []));
      if (properties.some((group) => Object.hasOwn(group, name))) return true;
      const inner: unknown[] = here.flatMap(({ items }) => (items === undefined ? [] : [items]));
      for (const group of properties) append(inner, Object.values(group));
      here = this.#alternatives(inner, visited);
    }
    return false;
  }

  /** The schemas themselves, what they refer to, and the parts of their combinations; none that was seen before. */
  #alternatives(schemas: readonly unknown[], visited = new Set<unknown>()): JsonSchema[] {
    const alternatives: JsonSchema[] = [];
    let queue = schemas;
    while (queue.length > 0) {
      const next: unknown[] = [];
      for (const schema of queue) {
        if (schema === true) alternatives.push({});
        if (!isObject(schema) || visited.has(schema) || this.#left-- <= 0) continue;
        visited.add(schema);
        if (typeof schema.$ref === 'string') {
          next.push(pointed(this.#spec, schema.$ref));
          continue;
        }
        const parts = COMBINATIONS.flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []));
        if (parts.length === 0 || 'properties' in schema || 'items' in schema) alternatives.push(schema);
        for (const part of parts) next.push(part);
      }
      queue = next;
    }
    return alternatives;
  }
}

const COMBINATIONS = ['allOf', 'anyOf', 'oneOf'] as const;
const ITEM = '*';
const MOST_STEPS = 64;

const NAMES = /\[(\*|\d+)\]|[^.[\]]+/g;

/** The token of a path that stands for every item of a list. */
export const EACH = '[*]';

/** `$.a[*].b[0]` -> a, [*], b, [0]. Undefined: not a path, or one that leads to a prototype. */
export function tokensOf(path: string): string[] | undefined {
  const text = withoutRoot(path);
  if (text === '') return [];
  if (!/^(\[(\*|\d+)\]|[^.[\]]+)(\.[^.[\]]+|\[(\*|\d+)\])*$/.test(text)) return undefined;
  const tokens = text.match(NAMES) ?? [];
  return tokens.length > MOST_STEPS || tokens.some(isPrototype) ? undefined : tokens;
}

/** The ways from an object to what it shares with all others; `constructor` alone is a name like any other. */
const isPrototype = (token: string, index: number, tokens: readonly string[]): boolean =>
  token === '__proto__' || (token === 'prototype' && tokens[index - 1] === 'constructor');

/** Whether a path would lead to what all objects share. */
export const leadsToPrototype = (path: string): boolean => (withoutRoot(path).match(NAMES) ?? []).some(isPrototype);

const withoutRoot = (path: string): string => path.trim().replace(/^\$\.?/, '');

/** In a schema all items of a list are described together. */
const stepsOf = (tokens: readonly string[]): string[] => tokens.map((token) => (token.startsWith('[') ? ITEM : token));

/** Schemas one step below; true where anything may stand. */
function below(schema: JsonSchema, step: string): unknown[] {
  if (step === ITEM) {
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

/** An array or object whose contents are not described. */
function mayBe(schema: JsonSchema, type: 'array' | 'object'): boolean {
  const types = [schema.type].flat().filter((name) => name !== undefined);
  return types.length === 0 ? !('properties' in schema) && !('items' in schema) : types.includes(type);
}

/** A list and nothing else: where anything may be, nothing says that there is one. */
const mayBeOnly = (schema: JsonSchema, type: string): boolean =>
  [schema.type].flat().includes(type) || ('items' in schema && schema.type === undefined);

import type { JsonSchema } from '../bundle/schemas.ts';
import { narrowing } from './narrowing.ts';

/** Annotations for the compiler only; `x-secret` stays in the document. */
const INTERNAL = new Set([
  'x-name',
  'x-narrows',
  'x-text',
  'x-trim',
  'x-fold',
  'x-message',
  'x-stored-items',
  'x-form',
]);

/** The pattern that TypeBox emits for a record with arbitrary keys. */
const ANY_KEY = '^.*$';

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The schema name in a reference; undefined without one. */
export const nameOfRef = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;

/** The name set by `named`. */
export const declaredNameOf = (schema: JsonSchema): string | undefined =>
  typeof schema['x-name'] === 'string' ? schema['x-name'] : undefined;

export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Names an anonymous part of an operation. */
export const partName = ({ id }: { id: string }, part: string): string =>
  id.charAt(0).toUpperCase() + id.slice(1) + part.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The named schemas of a document. Every object and enumeration appears once and is referenced elsewhere. An anonymous
 * schema is named after its parent and its key.
 */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  /** Schema as JSON -> explicit name. */
  readonly named = new Map<string, string>();
  readonly #names: Map<string, string>;

  /** @param names explicit names from a first pass, so that earlier uses get them too */
  constructor(names: ReadonlyMap<string, string> = new Map()) {
    this.#names = new Map(names);
  }

  /** @throws Error if another schema has this name */
  add(name: string, schema: JsonSchema): JsonSchema {
    const text = JSON.stringify(schema);
    const existing = this.schemas[name];
    if (existing && JSON.stringify(existing) !== text)
      throw new Error(`two schemas are called ${name}: name one of them`);
    this.schemas[name] = schema;
    this.#names.set(text, name);
    return refTo(name);
  }

  /**
   * Replaces the parts of a schema by references.
   * @param fallbackName the name of an anonymous schema
   */
  of(original: JsonSchema, fallbackName: string): JsonSchema {
    const schema = { ...original, ...original['x-form'] };
    const base = schema['x-narrows'];
    if (base && (schema.enum as unknown[] | undefined)?.length !== 1) return this.#narrowed(base, schema, fallbackName);
    if (Array.isArray(schema.enum)) return this.#enumeration(schema, fallbackName);
    const name = declaredNameOf(schema);
    const plain = this.parts(schema, name ?? fallbackName);
    if (isFree(plain) && name === undefined) return this.#freeObject(plain);
    if (name !== undefined) return this.#named(name, plain);
    if (!isThing(plain)) return plain;
    return this.add(this.#names.get(JSON.stringify(plain)) ?? fallbackName, plain);
  }

  #freeObject({ description }: JsonSchema): JsonSchema {
    const free = this.add('JsonObject', { type: 'object', additionalProperties: true, description: 'Any JSON object' });
    return { ...free, ...(description === undefined ? {} : { description }) };
  }

  #narrowed(base: JsonSchema, schema: JsonSchema, fallbackName: string): JsonSchema {
    const ref = this.of(base, fallbackName);
    const name = nameOfRef(ref);
    const schemaOfName = name === undefined ? undefined : this.schemas[name];
    if (name === undefined || !schemaOfName) throw new Error(`${fallbackName} narrows an unnamed schema: name it`);
    const narrower = this.parts(schema, name);
    return {
      ...refTo(name),
      ...narrowing(name, schemaOfName, Array.isArray(narrower.enum) ? enumeration(narrower) : narrower),
    };
  }

  #named(name: string, plain: JsonSchema): JsonSchema {
    this.named.set(JSON.stringify(plain), name);
    return this.add(name, plain);
  }

  /** Description and default belong to each use, not to the shared enumeration. */
  #enumeration(schema: JsonSchema, fallbackName: string): JsonSchema {
    const { description, default: preset, ...plain } = enumeration(this.parts(schema, fallbackName));
    const declaredName = declaredNameOf(schema);
    if (declaredName !== undefined) this.named.set(JSON.stringify(plain), declaredName);
    const name = this.#names.get(JSON.stringify(plain)) ?? declaredName ?? fallbackName;
    const made = 'enum' in plain ? this.add(name, plain) : plain;
    return {
      ...made,
      ...(description === undefined ? {} : { description }),
      ...(preset === undefined ? {} : { default: preset }),
    };
  }

  /** Keeps the schema itself inline and references its parts. */
  parts(schema: JsonSchema, fallbackName: string): JsonSchema {
    const plain = Object.fromEntries(Object.entries(schema).filter(([key]) => !INTERNAL.has(key))) as JsonSchema;
    const inner = (part: JsonSchema, key: string) => this.of(part, fallbackName + pascal(key));
    const each = (parts: Record<string, JsonSchema>) =>
      Object.fromEntries(
        Object.entries(parts).map(([key, part]) => [key, { ...inner(part, key), ...goName(key, Object.keys(parts)) }]),
      );
    if (Object.keys(plain.properties ?? {}).length === 0) delete plain.properties;
    if (plain.properties) plain.properties = each(plain.properties);
    // Client generators understand maps only as `additionalProperties`.
    const any = plain.patternProperties?.[ANY_KEY];
    if (any) {
      delete plain.patternProperties;
      plain.additionalProperties = Object.keys(any).length === 0 ? true : any;
    }
    if (plain.patternProperties) {
      plain.patternProperties = Object.fromEntries(
        Object.entries(plain.patternProperties).map(([key, part]) => [key, this.of(part, `${fallbackName}Value`)]),
      );
    }
    if (typeof plain.additionalProperties === 'object') {
      plain.additionalProperties = this.of(plain.additionalProperties, `${fallbackName}Value`);
    }
    if (plain.items) plain.items = this.of(plain.items, `${fallbackName}Item`);
    if (plain.anyOf) {
      plain.description ??= plain.anyOf.find(({ description }) => description !== undefined)?.description;
      plain.anyOf = plain.anyOf.map((option) => withoutDescription(this.of(option, fallbackName)));
    }
    return plain;
  }
}

/** Drops keywords that the values imply. */
function enumeration({ enum: allowed, maxLength: _, ...more }: JsonSchema): JsonSchema {
  const values = allowed as unknown[];
  const keywords = values.length > 1 ? { enum: values, ...more } : { const: values[0], ...more };
  return { ...(values.every((value) => typeof value === 'string') ? { type: 'string' } : {}), ...keywords };
}

/** `Connection name` and `connection_name` would get the same Go name. */
function goName(key: string, keys: readonly string[]): JsonSchema {
  const isTaken = keys.some((other) => other !== key && pascal(other) === pascal(key));
  return isTaken && !/^\w+$/.test(key) ? { 'x-go-name': `${pascal(key)}Label` } : {};
}

/** The union itself carries the description. */
const withoutDescription = ({ description: _, ...option }: JsonSchema): JsonSchema => option;

/** An object without declared fields. */
const isFree = (schema: JsonSchema): boolean =>
  schema.type === 'object' &&
  schema.additionalProperties === true &&
  Object.keys(schema).every((key) => ['type', 'additionalProperties', 'description'].includes(key));

/** An object with declared fields. */
const isThing = ({ type, properties }: JsonSchema): boolean =>
  type === 'object' && Object.keys(properties ?? {}).length > 0;

import type { JsonSchema } from '../bundle/schemas.ts';
import { narrowing } from './narrowing.ts';

/** Our own annotations are for the compiler; the one of secrets tells readers something. */
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

/** What a record of anything is made into. */
const ANY_KEY = '^.*$';

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** What a reference refers to; undefined where there is none. */
export const nameOfRef = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;

/** The name that a schema was given (`named`). */
export const ownName = (schema: JsonSchema): string | undefined =>
  typeof schema['x-name'] === 'string' ? schema['x-name'] : undefined;

export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The name of a part of an operation that has none of its own. */
export const partName = ({ id }: { id: string }, part: string): string =>
  id.charAt(0).toUpperCase() + id.slice(1) + part.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The named schemas of a document. Objects and enumerations stand there once and are referred to from everywhere else: a
 * schema with a name of its own (`named`) by that name, any other by the name of what holds it and its own place there.
 */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  /** Text of a schema -> its name, of those with a name of their own. */
  readonly named = new Map<string, string>();
  readonly #names: Map<string, string>;

  /** @param known names that are known from a first round: what comes before them is called so too */
  constructor(known: ReadonlyMap<string, string> = new Map()) {
    this.#names = new Map(known);
  }

  /** @throws Error where two things have one name, or one thing two names */
  add(name: string, schema: JsonSchema): JsonSchema {
    const text = JSON.stringify(schema);
    const known = this.schemas[name];
    if (known && JSON.stringify(known) !== text) throw new Error(`two schemas are called ${name}: name one of them`);
    this.schemas[name] = schema;
    this.#names.set(text, name);
    return refTo(name);
  }

  /**
   * A schema whose parts are referred to.
   * @param place what it is called where it has no name of its own
   */
  of(whole: JsonSchema, place: string): JsonSchema {
    const schema = { ...whole, ...whole['x-form'] };
    const base = schema['x-narrows'];
    if (base && (schema.enum as unknown[] | undefined)?.length !== 1) return this.#narrowed(base, schema, place);
    if (Array.isArray(schema.enum)) return this.#enumeration(schema, place);
    const name = ownName(schema);
    const plain = this.parts(schema, name ?? place);
    if (isFree(plain) && name === undefined) return this.#freeObject(plain);
    if (name !== undefined) return this.#named(name, plain);
    if (!isThing(plain)) return plain;
    return this.add(this.#names.get(JSON.stringify(plain)) ?? place, plain);
  }

  #freeObject({ description }: JsonSchema): JsonSchema {
    const free = this.add('JsonObject', { type: 'object', additionalProperties: true, description: 'Any JSON object' });
    return { ...free, ...(description === undefined ? {} : { description }) };
  }

  #narrowed(base: JsonSchema, schema: JsonSchema, place: string): JsonSchema {
    const ref = this.of(base, place);
    const name = nameOfRef(ref);
    const known = name === undefined ? undefined : this.schemas[name];
    if (name === undefined || !known) throw new Error(`what ${place} narrows has no name`);
    const own = this.parts(schema, name);
    return { ...refTo(name), ...narrowing(name, known, Array.isArray(own.enum) ? enumeration(own) : own) };
  }

  #named(name: string, plain: JsonSchema): JsonSchema {
    this.named.set(JSON.stringify(plain), name);
    return this.add(name, plain);
  }

  /** What an enumeration is for, and which value is the default, is said where it is used. */
  #enumeration(schema: JsonSchema, place: string): JsonSchema {
    const { description, default: preset, ...plain } = enumeration(this.parts(schema, place));
    const own = ownName(schema);
    if (own !== undefined) this.named.set(JSON.stringify(plain), own);
    const name = this.#names.get(JSON.stringify(plain)) ?? own ?? place;
    const made = 'enum' in plain ? this.add(name, plain) : plain;
    return {
      ...made,
      ...(description === undefined ? {} : { description }),
      ...(preset === undefined ? {} : { default: preset }),
    };
  }

  /** A schema as it stands, only its parts referred to. @param place what it is called */
  parts(schema: JsonSchema, place: string): JsonSchema {
    const plain = Object.fromEntries(Object.entries(schema).filter(([key]) => !INTERNAL.has(key))) as JsonSchema;
    const inner = (part: JsonSchema, key: string) => this.of(part, place + pascal(key));
    const each = (parts: Record<string, JsonSchema>) =>
      Object.fromEntries(
        Object.entries(parts).map(([key, part]) => [key, { ...inner(part, key), ...goName(key, Object.keys(parts)) }]),
      );
    if (Object.keys(plain.properties ?? {}).length === 0) delete plain.properties;
    if (plain.properties) plain.properties = each(plain.properties);
    // A map whose keys may be anything: every generator knows it by this word alone.
    const any = plain.patternProperties?.[ANY_KEY];
    if (any) {
      delete plain.patternProperties;
      plain.additionalProperties = Object.keys(any).length === 0 ? true : any;
    }
    if (plain.patternProperties) {
      plain.patternProperties = Object.fromEntries(
        Object.entries(plain.patternProperties).map(([key, part]) => [key, this.of(part, `${place}Value`)]),
      );
    }
    if (typeof plain.additionalProperties === 'object') {
      plain.additionalProperties = this.of(plain.additionalProperties, `${place}Value`);
    }
    if (plain.items) plain.items = this.of(plain.items, `${place}Item`);
    if (plain.anyOf) {
      plain.description ??= plain.anyOf.find(({ description }) => description !== undefined)?.description;
      plain.anyOf = plain.anyOf.map((option) => withoutDescription(this.of(option, place)));
    }
    return plain;
  }
}

/** What its values say already is left out: the type of texts, and how long they are. */
function enumeration({ enum: listed, maxLength: _, ...more }: JsonSchema): JsonSchema {
  const values = listed as unknown[];
  const rest = values.length > 1 ? { enum: values, ...more } : { const: values[0], ...more };
  return { ...(values.every((value) => typeof value === 'string') ? { type: 'string' } : {}), ...rest };
}

/** `Connection name` and `connection_name` are one name in Go, so that the one which is a label is told apart from the key. */
function goName(key: string, all: readonly string[]): JsonSchema {
  const isTaken = all.some((other) => other !== key && pascal(other) === pascal(key));
  return isTaken && !/^\w+$/.test(key) ? { 'x-go-name': `${pascal(key)}Label` } : {};
}

/** Of an alternative: what it is said to be is said of the whole, where readers look for it. */
const withoutDescription = ({ description: _, ...option }: JsonSchema): JsonSchema => option;

/** An object of which nothing is said but what it is for. */
const isFree = (schema: JsonSchema): boolean =>
  schema.type === 'object' &&
  schema.additionalProperties === true &&
  Object.keys(schema).every((key) => ['type', 'additionalProperties', 'description'].includes(key));

/** What every client makes a type of its own of. */
const isThing = ({ type, properties }: JsonSchema): boolean =>
  type === 'object' && Object.keys(properties ?? {}).length > 0;

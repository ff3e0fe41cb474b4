import { isObject, type Json } from '../../../contract/basics.ts';
import { parseExact } from '../../../contract/exactJson.ts';
import { pointed } from '../../../contract/pointers.ts';

const MAX_REFERENCES = 20;
const MAX_LEVELS = 20;
const MAX_BRANCHES = 1000;

/** The schema of a tool's arguments, as far as it says what names and types they have. */
export class ToolSchema {
  readonly #root: unknown;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Names that the schema does not know; empty if it takes any name. */
  unknownOf(names: readonly string[]): string[] {
    const { known, isOpen } = this.#namesOf();
    return isOpen ? [] : names.filter((name) => !known.has(name));
  }

  get names(): string[] {
    return [...this.#namesOf().known];
  }

  /**
   * Gives texts the type that the schema names. What cannot be read as that type stays text, which the gateway refuses with
   * the place of the argument.
   */
  convert(value: unknown): unknown {
    return this.#convert(value, this.#root, 0);
  }

  #convert(value: unknown, schema: unknown, level: number): unknown {
    if (level > MAX_LEVELS) return value;
    if (typeof value === 'string') return this.#convertText(value, schema, level);
    if (Array.isArray(value)) {
      const { items } = this.#resolved(schema);
      return value.map((entry) => this.#convert(entry, items, level + 1));
    }
    if (!isObject(value)) return value;
    const converted = Object.entries(value).map(
      ([name, entry]) => [name, this.#convert(entry, this.#property(schema, name), level + 1)] as const,
    );
    return Object.fromEntries(converted);
  }

  #convertText(text: string, schema: unknown, level: number): unknown {
    const types = this.#typesOf(schema);
    if (types.size === 0 || types.has('string')) return text;
    const trimmed = text.trim();
    if ((types.has('number') || types.has('integer')) && isNumber(trimmed)) return parseJson(trimmed);
    if (types.has('boolean') && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
    if (types.has('null') && trimmed === 'null') return null;
    const parsed = parseJson(trimmed);
    if (types.has('object') && isObject(parsed)) return parsed;
    if (!types.has('array')) return text;
    if (Array.isArray(parsed)) return parsed;
    // The values of a multivalue field are lines.
    return this.#convert(text.split('\n'), schema, level + 1);
  }

  #property(schema: unknown, name: string): unknown {
    return this.#branches(schema)
      .map(({ properties }) => (isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined))
      .find((property) => property !== undefined);
  }

  #typesOf(schema: unknown): Set<unknown> {
    return new Set(
      this.#branches(schema).flatMap(({ type, enum: values, const: constant }) => {
        if (type !== undefined) return type;
        return [...(Array.isArray(values) ? values : []), ...(constant === undefined ? [] : [constant])].map(
          (value) => typeof value,
        );
      }),
    );
  }

  #namesOf(): { known: Set<string>; isOpen: boolean } {
    const branches = this.#branches(this.#root);
    const names = new Set(branches.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : [])));
    const takesMore = ({ additionalProperties: more, patternProperties }: Json) =>
      more === true || isObject(more) || patternProperties !== undefined;
    return { known: names, isOpen: branches.some(takesMore) };
  }

  /** The schema and those that it is composed of, each once: a schema may refer to itself. */
  #branches(schema: unknown): Json[] {
    const branches = new Set<Json>();
    const add = (part: unknown) => {
      if (branches.size < MAX_BRANCHES) branches.add(this.#resolved(part));
    };
    add(schema);
    for (const { allOf, anyOf, oneOf } of branches) [allOf, anyOf, oneOf].filter(Array.isArray).flat().forEach(add);
    return [...branches];
  }

  /** Follows references within the schema; others are not fetched. */
  #resolved(schema: unknown): Json {
    let resolved = schema;
    for (let count = 0; count < MAX_REFERENCES && isObject(resolved) && typeof resolved.$ref === 'string'; count += 1) {
      resolved = pointed(this.#root, resolved.$ref);
    }
    return isObject(resolved) ? resolved : {};
  }
}

/** Whether a text is a number in JSON's form. */
const isNumber = (text: string): boolean =>
  /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) && typeof parseJson(text) !== 'string';

function parseJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

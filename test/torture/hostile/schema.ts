import type { Random } from '../../support/random.ts';
import { CANARY } from './values.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema, looked into freely
export type Schema = any;

/** A text that a pattern may want, tried in this order. */
const SAMPLES = [
  'torture-1',
  'torture_1',
  'us-east-1',
  'ABCDEFGHIJ',
  'AKIAIOSFODNN7EXAMPLE',
  'arn:aws:iam::123456789012:role/torture',
  '0123456789abcdef0123456789abcdef',
  '500m',
  '2Gi',
  '1',
  '2024-10-21',
  '*/5 * * * *',
  'docker',
];

/** Values that a schema allows, as far as a schema can say it; secrets are canaries of their own. */
export class FromSchema {
  readonly #random: Random;
  readonly #schemas: Record<string, Schema>;
  readonly #urls: readonly string[];
  #secrets = 0;

  constructor(random: Random, schemas: Record<string, Schema>, urls: readonly string[]) {
    this.#random = random;
    this.#schemas = schemas;
    this.#urls = urls;
  }

  value(given: Schema, name = '', depth = 0): unknown {
    const schema = this.#resolve(given);
    if (schema['x-secret']) return this.#secret();
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return this.#random.pick(schema.enum);
    const options = schema.anyOf ?? schema.oneOf;
    if (options) return this.value(this.#random.pick(options), name, depth);
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part: Schema) => this.value(part, name, depth)));
    const type = Array.isArray(schema.type) ? this.#random.pick(schema.type as string[]) : schema.type;
    if (type === 'object') return this.#object(schema, depth);
    if (type === 'array') return this.#array(schema, name, depth);
    if (type === 'boolean') return this.#random.chance(0.5);
    if (type === 'integer' || type === 'number') return schema.minimum ?? schema.exclusiveMinimum ?? 1;
    if (type === 'null') return null;
    return this.#text(schema, name);
  }

  /** What a reference names, with what stands beside it: fewer values, further required fields, fields that are narrower. */
  #resolve(schema: Schema): Schema {
    const { $ref, ...beside } = schema ?? {};
    if (typeof $ref !== 'string') return schema ?? {};
    const named = this.#resolve(this.#schemas[$ref.split('/').at(-1) ?? '']);
    const required = [...(named.required ?? []), ...(beside.required ?? [])];
    return { ...named, ...beside, required, properties: { ...named.properties, ...beside.properties } };
  }

  #secret(): string {
    this.#secrets += 1;
    return `${CANARY}${this.#secrets}${this.#random.chance(0.1) ? 'x'.repeat(1000) : ''}`;
  }

  #object(schema: Schema, depth: number): Record<string, unknown> {
    const required = new Set<string>(schema.required ?? []);
    const entries = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
      .filter(([name]) => required.has(name) || (depth < 5 && this.#random.chance(0.5)))
      .map(([name, part]) => [name, this.value(part, name, depth + 1)] as const);
    const [pattern] = Object.values((schema.patternProperties ?? {}) as Record<string, Schema>);
    if (pattern) entries.push(['X-Torture', this.value(pattern, 'X-Torture', depth + 1)]);
    return Object.fromEntries(entries);
  }

  #array(schema: Schema, name: string, depth: number): unknown[] {
    const length = Math.max(schema.minItems ?? 0, this.#random.below(3));
    return Array.from({ length }, () => this.value(schema.items ?? {}, name, depth + 1));
  }

  #text(schema: Schema, name: string): string {
    if (/url|endpoint|host/i.test(name)) return this.#random.pick(this.#urls);
    const fits = (text: string) =>
      text.length >= (schema.minLength ?? 0) && (!schema.pattern || new RegExp(schema.pattern, 'u').test(text));
    return SAMPLES.find((text) => fits(text)) ?? 'torture';
  }
}

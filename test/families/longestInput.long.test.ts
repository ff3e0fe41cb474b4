import { expect } from 'chai';
import { plain } from '../../src/codegen/bundle/compile.ts';
import type { JsonSchema } from '../../src/codegen/bundle/schemas.ts';
import { exampleOf } from '../../src/codegen/openapi/examples.ts';
import { CAPABILITIES } from '../../src/contract/capabilities.ts';
import { FAMILIES } from '../../src/families/configuration/constants.ts';
import { table } from '../../src/table.ts';
import { MemoryApp } from '../support/memory/app.ts';

type Row = (typeof table)[number];
type Json = Record<string, unknown>;

/** Ten times the input may take this many times the CPU time: linear work takes ten, quadratic a hundred. */
const MOST_RATIO = 20;
const MOST_TRIES = 6;
/** Or this many times what parsing and copying the same bodies takes: objects with very many keys take more than their share. */
const MOST_PARSES = 2;
/** Cheaper calls are too short to compare. */
const MIN_MS = 8;
const MEGABYTE = 1024 * 1024;
/** Imports, uploads and the gateway take more: how work grows shows at this size already. */
const MOST_BYTES = 2 * MEGABYTE;

/** Makes the records that updates, tests and references of the examples need. */
const CREATES = [
  'createMcpConnection',
  'saveLlmConfiguration',
  'createVectorStore',
  'saveContainerConnection',
  'registerModel',
  'createAgent',
  'uploadModel',
];

/** A list or a map in a body, filled with so many entries. */
interface Site {
  at: readonly (string | number)[];
  /** More than the schema accepts, or than fits into a body, is not sent. */
  most: number;
  fill(count: number): unknown;
}

describe('the longest input of each endpoint', () => {
  for (const row of table) {
    if (!row.body) continue;
    it(`of ${row.id} takes CPU time that grows with its length, not its square`, async () => {
      for (const { at, most, fill } of sitesOf(row)) {
        const what = `${row.id} ${at.join('.') || 'unknown fields'}`;
        await expectLinear(what, row, most, (count) => bytesOf(row, at, fill(count)));
      }
    });
  }

  for (const family of FAMILIES) {
    it(`records of ${family} in an import take CPU time that grows with their number`, async () => {
      const row = rowOf('importConfiguration');
      const records = (count: number) => Array.from({ length: count }, (_, at) => recordOf(family, at));
      const body = (count: number) => ({
        document: { format: 'ml_extension', format_version: 1, records: records(count) },
      });
      await expectLinear(family, row, 1000, (count) => Buffer.from(JSON.stringify(body(count))));
    });
  }
});

/** Repeats a miss: other work on the machine may have disturbed it. The least of each time counts. */
async function expectLinear(what: string, row: Row, most: number, bodyOf: (count: number) => Buffer): Promise<void> {
  const [small, large] = [bodyOf(Math.max(1, Math.floor(most / 10))), bodyOf(most)];
  const least = { full: Infinity, tenth: Infinity, parses: 0 };
  const isMissed = async () => {
    least.full = Math.min(least.full, await measure(row, large));
    // A tenth counts as MIN_MS at least.
    if (least.full <= MOST_RATIO * MIN_MS) return false;
    least.tenth = Math.min(least.tenth, await measure(row, small));
    least.parses = Math.max(least.parses, parseMs(large) / Math.max(parseMs(small), 1));
    const ratio = least.full / Math.max(least.tenth, MIN_MS);
    return ratio > Math.max(MOST_RATIO, MOST_PARSES * least.parses);
  };
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) if (!(await isMissed())) return;
  expect.fail(`${what}: ${least.tenth} ms, then ${least.full} ms`);
}

function parseMs(body: Buffer): number {
  const before = process.cpuUsage();
  copyOf(JSON.parse(body.toString()));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const copyOf = (value: object): object => ({ ...value, added: true });

const rowOf = (id: string): Row => table.find((row) => row.id === id) as Row;

/** CPU time in milliseconds of one call, on a platform with everything that the examples name. */
async function measure(row: Row, body: Buffer): Promise<number> {
  const app = new MemoryApp();
  app.user('anna', { roles: ['ml_admin'], capabilities: Object.keys(CAPABILITIES) });
  app.roles.define(['ml_admin'], {});
  for (const id of CREATES.filter((id) => id !== row.id)) {
    const create = rowOf(id);
    await app.call('anna', create.method, create.path.replace('/ml', ''), bytesOf(create, [], undefined));
  }
  const example = rowOf('createExperiment');
  const { json } = await app.call('anna', example.method, '/experiments', bytesOf(example, [], undefined));
  const params: Readonly<Record<string, unknown>> = { ...exampleOf(row.id)?.params, experiment_id: json.experiment_id };
  const path = row.path
    .replace('/ml', '')
    .replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  const before = process.cpuUsage();
  const { json: reply } = await app.call('anna', row.method, path, body);
  const { user, system } = process.cpuUsage(before);
  // The gateway passes on that its upstream answers nonsense, as 502.
  expect(reply.error_code, `${row.id} ${JSON.stringify(reply).slice(0, 500)}`).to.not.equal('internal_error');
  return (user + system) / 1000;
}

/** The example of a row with a value at a path. */
function bytesOf(row: Row, at: readonly (string | number)[], value: unknown): Buffer {
  const body = structuredClone(exampleOf(row.id)?.body ?? {}) as Json;
  const filled = value === undefined ? body : put(body, plain(row.body as never), at, value);
  return Buffer.from(JSON.stringify(row.wrapped ? { payload: filled } : filled));
}

function put(node: unknown, schema: JsonSchema, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined)
    return typeof value === 'object' && !Array.isArray(value) ? { ...(node as Json), ...value } : value;
  const below = childOf(schema, key);
  if (typeof key === 'number') return [put(sample(below, 0), below, rest, value)];
  const known = (node as Json)[key];
  return {
    ...(node as Json),
    [key]: rest.length === 0 && Array.isArray(value) ? value : put(known ?? sample(below, 0), below, rest, value),
  };
}

const optionsOf = (schema: JsonSchema): JsonSchema[] =>
  schema.anyOf ? schema.anyOf.flatMap(optionsOf).filter(({ type }) => type !== 'null') : [schema];

function childOf(schema: JsonSchema, key: string | number): JsonSchema {
  for (const option of optionsOf(schema)) {
    const found = typeof key === 'number' ? option.items : (option.properties?.[key] ?? valuesOf(option));
    if (found) return found;
  }
  throw new Error(`no schema of ${key}`);
}

/** The schema of a map's values; undefined for other schemas. */
function valuesOf({ patternProperties, additionalProperties, type, properties }: JsonSchema): JsonSchema | undefined {
  const [values] = Object.values(patternProperties ?? {});
  if (values) return values;
  if (typeof additionalProperties === 'object') return additionalProperties;
  return type === 'object' && !properties ? {} : undefined;
}

/** A valid value, different for each number where the schema permits it. */
function sample(schema: JsonSchema, n: number): unknown {
  const [option = {}] = optionsOf(schema);
  const { type, properties = {}, required = [], pattern, minimum = 1 } = option;
  if ('const' in option) return option.const;
  if (Array.isArray(option.enum)) return option.enum[n % option.enum.length];
  if (type === 'array') return [];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return minimum;
  if (type === 'object')
    return Object.fromEntries((required as string[]).map((key) => [key, sample(properties[key] as JsonSchema, n)]));
  const fitting = [`x${n}`, `X${n}Y`].find((text) => !pattern || new RegExp(String(pattern)).test(text));
  return fitting ?? `x${n}`;
}

/** Each list and each map of a body, and unknown fields beside the known ones. */
function sitesOf(row: Row): Site[] {
  const room = Math.min(row.maxBody ?? MEGABYTE, MOST_BYTES) - bytesOf(row, [], undefined).length - 1000;
  const site = (at: Site['at'], limit: unknown, fill: Site['fill']): Site => {
    // An entry late in the list is the longest.
    const bytes = JSON.stringify(fill(20)).length / 20 + 6;
    return { at, most: Math.min(Number(limit ?? Infinity), Math.floor(room / bytes)), fill };
  };
  const map = (make: (n: number) => unknown) => (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, make(n)]));
  const found: Site[] = [
    site(
      [],
      undefined,
      map(() => 1),
    ),
  ];
  const visit = (schema: JsonSchema, at: Site['at']): void => {
    for (const option of optionsOf(schema)) {
      const { items } = option;
      if (items) {
        const list = (make: (n: number) => unknown) => (count: number) =>
          Array.from({ length: count }, (_, n) => make(n));
        found.push(
          site(
            at,
            option.maxItems,
            list((n) => sample(items, n)),
          ),
        );
        found.push(
          site(
            at,
            option.maxItems,
            list(() => []),
          ),
        );
        visit(items, [...at, 0]);
      }
      const values = valuesOf(option);
      if (values && at.length > 0) {
        found.push(
          site(
            at,
            option.maxProperties,
            map((n) => sample(values, n)),
          ),
        );
        found.push(
          site(
            at,
            option.maxProperties,
            map(() => []),
          ),
        );
        visit(values, [...at, 'k']);
      }
      for (const [key, value] of Object.entries(option.properties ?? {})) visit(value, [...at, key]);
    }
  };
  visit(plain(row.body as never), []);
  return found;
}

/** The example of the family under another name. */
function recordOf(family: (typeof FAMILIES)[number], n: number): Json {
  const of = (id: string) => structuredClone(exampleOf(id)?.body ?? {}) as Json;
  const renamed = (spec: Json, field: string) => ({ family, name: `r${n}`, spec: { ...spec, [field]: `r${n}` } });
  switch (family) {
    case 'agents':
      return renamed(of('createAgent'), 'name');
    case 'container-connections':
      return { ...renamed(of('saveContainerConnection'), 'connection_name'), name: `docker/r${n}` };
    case 'experiments':
      return { family, name: `Same #${n + 1}`, spec: { ...of('createExperiment'), title: 'Same' } };
    case 'llm-providers':
      // All are models of one connection, which has the secrets.
      return {
        ...renamed(of('saveLlmConfiguration'), 'model'),
        name: `General_Chat/Team account/r${n}`,
      };
    case 'mcp-connections':
      return renamed(of('createMcpConnection'), 'name');
    case 'model-registrations':
      return renamed(of('registerModel'), 'model_name');
    case 'model_aliases':
      return renamed(of('createModelAlias'), 'name');
    case 'masking_policies':
      return renamed(of('createMaskingPolicy'), 'name');
    case 'search_tools':
      return renamed(of('createSearchTool'), 'name');
    case 'usage_limits':
      return renamed(of('createUsageLimit'), 'name');
    case 'vector-stores':
      return renamed(of('createVectorStore'), 'name');
  }
}

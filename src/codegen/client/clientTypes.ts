import type { TableRow } from '../bundle/compile.ts';
import type { JsonSchema } from '../bundle/schemas.ts';
import { nameOfRef } from '../openapi/components.ts';
import { type Document, HEAD, type Operation, operationsOf, type Parameter, resolve } from '../openapi/document.ts';
import { withNarrowing } from '../openapi/narrowing.ts';
import { openApi } from '../openapi/openapi.ts';

/** The schemas of the document by name. */
type NamedSchemas = Readonly<Record<string, JsonSchema>>;

const JSON_VALUE = 'JsonValue';
const JSON_VALUE_TYPE = `/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
`;

/**
 * `client/src/schemas.ts`: the named schemas as TypeScript types. Public generators need the compiler API that TypeScript 7
 * removed.
 */
export function clientSchemas(rows: readonly TableRow[]): string {
  const { schemas } = openApi(rows).components;
  const types = Object.entries(schemas).map(([name, schema]) => {
    const about = typeof schema.description === 'string' ? `/** ${comment(schema.description)} */\n` : '';
    return `${about}export type ${name} = ${tsType(schema, schemas)};\n`;
  });
  return [HEAD, JSON_VALUE_TYPE, ...types].join('\n');
}

/** `client/src/operations.ts`: one entry for each operation. */
export function clientOperations(rows: readonly TableRow[]): string {
  const document = openApi(rows);
  const { components } = document;
  const operations = operationsOf(document);
  const types = operations.map(({ operation }) => typeOf(operation, components)).join('\n');
  const words = new Set(types.match(/\w+/g));
  const used = [...Object.keys(components.schemas), JSON_VALUE].filter((name) => words.has(name)).sort();
  return [
    HEAD,
    'import type {',
    ...used.map((name) => `  ${name},`),
    "} from './schemas.ts';",
    '',
    'export interface Operations {',
    types,
    '}',
    '',
    '/** Method and path template of each operation. */',
    'export const operations = {',
    ...operations.map(
      ({ path, method, operation }) => `  ${operation.operationId}: { method: '${method}', path: '${path}' },`,
    ),
    '} as const satisfies Record<keyof Operations, { method: string; path: string }>;',
    '',
  ].join('\n');
}

function typeOf(operation: Operation, { schemas: named, parameters, responses }: Document['components']): string {
  const resolved = (operation.parameters ?? []).map((parameter) => resolve(parameters, parameter));
  const group = (location: Parameter['in']) => resolved.filter((parameter) => parameter.in === location);
  const reply = operation.responses['200'];
  const [params, query] = [group('path'), group('query')];
  const body = operation.requestBody;
  const isQueryNeeded = query.some(({ required }) => required);
  const parts = [
    ...(params.length > 0 ? [`    params: ${object(params, named)};`] : []),
    ...(query.length > 0 ? [`    query${isQueryNeeded ? '' : '?'}: ${object(query, named)};`] : []),
    ...(group('header').some((parameter) => parameter.name === 'If-Match') ? ['    ifMatch?: number;'] : []),
    ...(body
      ? [`    body${body.required ? '' : '?'}: ${tsType(body.content['application/json'].schema, named, 4)};`]
      : []),
    `    reply: ${tsType(reply ? (resolve(responses, reply).content?.['application/json'].schema ?? {}) : {}, named, 4)};`,
  ];
  return [`  /** ${comment(operation.summary)} */`, `  ${operation.operationId}: {`, ...parts, '  };'].join('\n');
}

function object(parameters: readonly Parameter[], named: NamedSchemas): string {
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, description ? { ...schema, description } : schema]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  return tsType(schema, named, 4);
}

/** The TypeScript type of a JSON schema; supports only the keywords that the document uses. */
export function tsType(schema: JsonSchema, named: NamedSchemas = {}, indent = 0): string {
  const inner = (part: JsonSchema) => tsType(part, named, indent);
  const name = nameOfRef(schema);
  if (name !== undefined) {
    return schema.enum ? partOf(name, schema, named) : narrowedType(name, schema, named, indent);
  }
  if (schema.anyOf) return [...new Set(schema.anyOf.map(inner))].join(' | ');
  if (schema.enum) return literals(schema.enum as unknown[]);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.type)) return schema.type.map((type) => inner({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `Array<${inner(schema.items ?? {})}>`;
    case 'object':
      return objectType(schema, named, indent);
    default:
      return schema.properties ? objectType(schema, named, indent) : JSON_VALUE;
  }
}

const literals = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(' | ');

/** Some values of a named enumeration: listed, or as `Exclude` if that is shorter. */
function partOf(name: string, schema: JsonSchema, named: NamedSchemas): string {
  const values = schema.enum as unknown[];
  const others = ((named[name]?.enum ?? []) as unknown[]).filter((value) => !values.includes(value));
  return 0 < others.length && others.length < values.length
    ? `Exclude<${name}, ${literals(others)}>`
    : literals(values);
}

/** A named type, intersected with the fields that are required here or have another type. */
function narrowedType(name: string, schema: JsonSchema, named: NamedSchemas, indent: number): string {
  const { properties: before = {} } = named[name] ?? {};
  const { properties = {}, required } = withNarrowing(named[name] ?? {}, schema);
  const needed = (schema.required ?? []) as string[];
  const typed = (field?: JsonSchema) => field && tsType(field, named, indent);
  const narrowed = Object.entries(properties).filter(
    ([field, part]) => needed.includes(field) || (part !== before[field] && typed(part) !== typed(before[field])),
  );
  return narrowed.length === 0
    ? name
    : `${name} & ${objectType({ properties: Object.fromEntries(narrowed), required }, named, indent)}`;
}

function objectType(schema: JsonSchema, named: NamedSchemas, indent: number): string {
  const entries = Object.entries(schema.properties ?? {});
  const others =
    Object.values(schema.patternProperties ?? {})[0] ??
    (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
  if (entries.length === 0) return `Record<string, ${others ? tsType(others, named, indent) : JSON_VALUE}>`;
  const needed = (schema.required ?? []) as string[];
  const pad = ' '.repeat(indent + 2);
  const lines = entries.map(([name, inner]) => {
    const preset = inner.default === undefined ? '' : ` (default ${inner.default})`;
    const about = typeof inner.description === 'string' ? `${pad}/** ${comment(inner.description)}${preset} */\n` : '';
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${about}${pad}${key}${needed.includes(name) ? '' : '?'}: ${tsType(inner, named, indent + 2)};`;
  });
  if (others) lines.push(`${pad}[key: string]: ${JSON_VALUE} | undefined;`);
  return `{\n${lines.join('\n')}\n${' '.repeat(indent)}}`;
}

const comment = (text: string) => text.replaceAll('*/', '* /').replaceAll('\n', ' ');

import { required } from '../contract/capabilities.ts';
import { version } from '../contract/version.ts';
import { plain, type TableRow } from './compile.ts';
import { Components, refTo } from './components.ts';
import { addFailures, failureOf, REMEDY } from './failures.ts';
import type { JsonSchema } from './schemas.ts';
import { statusesOf } from './statuses.ts';

type Json = Record<string, unknown>;

/** The interface as an OpenAPI 3.1 document: a function of the table. */
export function openApi(rows: readonly TableRow[]): Json {
  const first = new Components();
  documentOf(rows, first);
  return documentOf(rows, new Components(first.named));
}

function documentOf(rows: readonly TableRow[], components: Components): Json {
  const paths: Record<string, Json> = {};
  addFailures(components);
  for (const row of rows) {
    const path = row.path.replace('...}', '}');
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(row, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Machine Learning Extension',
      version,
      description: 'Every path exists below /services and below /servicesNS/{owner}/ml_extension.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: 'https://localhost:8089/services' },
      {
        url: 'https://localhost:8089/servicesNS/{owner}/ml_extension',
        variables: { owner: { default: 'nobody' } },
      },
    ],
    security: [{ basic: [] }, { session: [] }, { bearer: [] }],
    tags: [...new Set(rows.map((row) => row.family))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        session: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Splunk <session key>`' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operation(row: TableRow, components: Components): Json {
  const capabilities = required(row.gate);
  const parameters = [
    ...parametersOf(row, 'path', components),
    ...parametersOf(row, 'query', components),
    ...condition(row),
  ];
  return {
    operationId: row.id,
    tags: [row.family],
    summary: row.summary,
    ...(row.unversioned ? { description: `Takes no version: ${row.unversioned}.` } : {}),
    security: [{ basic: [] }, { session: [] }, { bearer: [] }],
    ...(capabilities.length > 0 ? { 'x-capabilities': { [gateWord(row)]: capabilities } } : {}),
    ...(row.flag ? { 'x-feature-flag': row.flag } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(row.body ? { requestBody: { required: !row.emptyBody, content: json(bodySchema(row, components)) } } : {}),
    responses: {
      200: { description: 'Done', content: json(replySchema(row, components)) },
      ...failures(row, components),
    },
  };
}

const gateWord = (row: TableRow) => (typeof row.gate === 'object' && 'any' in row.gate ? 'any' : 'all');
const json = (schema: unknown) => ({ 'application/json': { schema } });

function parametersOf(row: TableRow, place: 'path' | 'query', components: Components): Json[] {
  const object = place === 'path' ? row.params : row.query;
  const schema = object ? plain(object) : {};
  const needed = (schema.required ?? []) as string[];
  return Object.entries(schema.properties ?? {}).map(([name, inner]) => ({
    name,
    in: place,
    required: place === 'path' || needed.includes(name),
    ...(typeof inner.description === 'string' ? { description: inner.description } : {}),
    schema: components.of(inner, nameFor(row, `_${name}`)),
  }));
}

function condition(row: TableRow): Json[] {
  if (!row.conditional) return [];
  const description = 'Make the change only if the record has this version';
  const schema = { type: 'integer', minimum: 0 };
  return [
    { name: 'version', in: 'query', required: false, description, schema },
    {
      name: 'If-Match',
      in: 'header',
      required: false,
      description: `${description}: \`3\` or \`"3"\``,
      schema: { type: 'string' },
    },
  ];
}

/** What an operation's own parts are called where they have no name. */
const nameFor = ({ id }: TableRow, part: string): string =>
  id.charAt(0).toUpperCase() + id.slice(1) + part.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function bodySchema(row: TableRow, components: Components): JsonSchema {
  const schema = withFile(row, plain(row.body as NonNullable<TableRow['body']>));
  const inner = components.of(schema, nameFor(row, 'Input'));
  if (!row.wrapped) return inner;
  const name = `${(inner.$ref as string).split('/').at(-1)}Payload`;
  return components.add(name, { type: 'object', required: ['payload'], properties: { payload: inner } });
}

/** A file stands in JSON as base64; the same field may come as a part of a form. */
function withFile(row: TableRow, schema: JsonSchema): JsonSchema {
  if (!row.file) return schema;
  const { field } = row.file;
  const file = { ...schema.properties?.[field], contentEncoding: 'base64' };
  return { ...schema, properties: { ...schema.properties, [field]: file } };
}

function replySchema(row: TableRow, components: Components): JsonSchema {
  const schema = plain(row.reply);
  const name = typeof schema['x-name'] === 'string' ? schema['x-name'] : nameFor(row, 'Reply');
  if (row.bare) return components.parts(schema, name);
  const status = row.answersFailure
    ? { type: 'string', enum: ['success', 'fail'], 'x-name': 'Outcome' }
    : { const: 'success' };
  const whole: JsonSchema = {
    ...schema,
    type: 'object',
    required: ['status', ...((schema.required as string[] | undefined) ?? [])],
    properties: {
      status,
      message: { type: 'string' },
      ...(row.answersFailure ? { error_code: refTo('ErrorCode'), remedy: REMEDY } : {}),
      warnings: { type: 'array', items: { type: 'string' } },
      ...schema.properties,
    },
  };
  return components.add(name, components.parts(whole, name));
}

function failures(row: TableRow, components: Components): Json {
  const entries = [...statusesOf(row)].map(([status, codes]) => [
    status,
    status === 401
      ? { description: 'No session, or an invalid one', content: json(refTo('PlatformMessages')) }
      : { description: codes.join(', '), content: json(failureOf(components, codes)) },
  ]);
  return Object.fromEntries(entries);
}

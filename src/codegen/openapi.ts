import { required } from '../contract/capabilities.ts';
import { version } from '../contract/version.ts';
import { plain, type TableRow } from './compile.ts';
import type { JsonSchema } from './schemas.ts';
import { statusesOf } from './statuses.ts';

type Json = Record<string, unknown>;

const REMEDY: JsonSchema = { type: 'string', description: 'What a person can do about this code' };

const FAILURE: JsonSchema = {
  type: 'object',
  required: ['status', 'message', 'error_code', 'remedy', 'request_id', 'messages'],
  properties: {
    status: { const: 'fail' },
    message: { type: 'string', description: 'For a person' },
    error_code: { type: 'string', description: 'See docs/errors.md' },
    remedy: REMEDY,
    request_id: { type: 'string', description: 'Also in the log' },
    messages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'text'],
        properties: { type: { const: 'ERROR' }, text: { type: 'string' } },
      },
    },
    errors: {
      type: 'array',
      description: 'Every problem found (400)',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
    required: {
      type: 'array',
      items: { type: 'string' },
      description: 'Capabilities of the call (missing_capability)',
    },
    current_version: { type: 'integer', description: 'version_conflict' },
    used_by: { type: 'array', items: { type: 'string' }, description: 'in_use' },
    retry_after: { type: 'number', description: 'Seconds (rate_limited)' },
  },
  additionalProperties: true,
};

const PLATFORM_MESSAGES: JsonSchema = {
  type: 'object',
  description: "The platform's own body",
  properties: { messages: { type: 'array', items: { type: 'object', additionalProperties: true } } },
};

/** The interface as an OpenAPI 3.1 document: a function of the table. */
export function openApi(rows: readonly TableRow[]): Json {
  const paths: Record<string, Json> = {};
  for (const row of rows) {
    const path = row.path.replace('...}', '}');
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(row) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Machine Learning Extension',
      version,
      description: 'Every path hangs below /services and below /servicesNS/{owner}/ml_extension.',
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
      schemas: { Failure: FAILURE, PlatformMessages: PLATFORM_MESSAGES },
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        session: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Splunk <session key>`' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operation(row: TableRow): Json {
  const capabilities = required(row.gate);
  const parameters = [...parametersOf(row, 'path'), ...parametersOf(row, 'query'), ...condition(row)];
  return {
    operationId: row.id,
    tags: [row.family],
    summary: row.summary,
    ...(row.unversioned ? { description: `Takes no version: ${row.unversioned}.` } : {}),
    security: [{ basic: [] }, { session: [] }, { bearer: [] }],
    ...(capabilities.length > 0 ? { 'x-capabilities': { [gateWord(row)]: capabilities } } : {}),
    ...(row.flag ? { 'x-feature-flag': row.flag } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(row.body ? { requestBody: { required: !row.emptyBody, content: bodyContent(row) } } : {}),
    responses: { 200: { description: 'Done', content: json(replySchema(row)) }, ...failures(row) },
  };
}

const gateWord = (row: TableRow) => (typeof row.gate === 'object' && 'any' in row.gate ? 'any' : 'all');
const json = (schema: unknown) => ({ 'application/json': { schema } });

function parametersOf(row: TableRow, place: 'path' | 'query'): Json[] {
  const object = place === 'path' ? row.params : row.query;
  const schema = object ? plain(object) : {};
  const needed = (schema.required ?? []) as string[];
  return Object.entries(schema.properties ?? {}).map(([name, inner]) => ({
    name,
    in: place,
    required: place === 'path' || needed.includes(name),
    ...(typeof inner.description === 'string' ? { description: inner.description } : {}),
    schema: published(inner),
  }));
}

function condition(row: TableRow): Json[] {
  if (!row.conditional) return [];
  const description = 'Make the change only while the record has this version';
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

function bodyContent(row: TableRow): Json {
  const schema = bodySchema(row) as JsonSchema;
  if (!row.file) return json(schema);
  const { field } = row.file;
  const inJson = { ...schema.properties?.[field], contentEncoding: 'base64' };
  const asPart = { description: schema.properties?.[field]?.description, contentMediaType: 'application/octet-stream' };
  const withFile = (file: object) => ({ schema: { ...schema, properties: { ...schema.properties, [field]: file } } });
  return { 'application/json': withFile(inJson), 'multipart/form-data': withFile(asPart) };
}

function bodySchema(row: TableRow): unknown {
  const schema = published(plain(row.body as NonNullable<TableRow['body']>));
  return row.wrapped ? { type: 'object', required: ['payload'], properties: { payload: schema } } : schema;
}

function replySchema(row: TableRow): JsonSchema {
  const schema = published(plain(row.reply));
  if (row.bare) return schema;
  const status = row.answersFailure ? { enum: ['success', 'fail'] } : { const: 'success' };
  return {
    ...schema,
    type: 'object',
    required: ['status', ...((schema.required as string[] | undefined) ?? [])],
    properties: {
      status,
      message: { type: 'string' },
      ...(row.answersFailure
        ? { error_code: { type: 'string', description: 'Only with status fail' }, remedy: REMEDY }
        : {}),
      warnings: { type: 'array', items: { type: 'string' } },
      ...schema.properties,
    },
  };
}

function failures(row: TableRow): Json {
  const entries = [...statusesOf(row)].map(([status, codes]) => [
    status,
    status === 401
      ? { description: 'No or bad session', content: json({ $ref: '#/components/schemas/PlatformMessages' }) }
      : { description: codes.join(', '), content: json({ $ref: '#/components/schemas/Failure' }) },
  ]);
  return Object.fromEntries(entries);
}

const INTERNAL = new Set(['x-text', 'x-trim', 'x-fold', 'x-message', 'x-stored-items']);

/** Our own annotations are for the compiler; the secret one tells readers something. */
function published(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) => (INTERNAL.has(key) ? undefined : value));
}

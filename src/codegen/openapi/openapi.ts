import { required } from '../../contract/capabilities.ts';
import type { FaultCode } from '../../contract/codes/codes.ts';
import { Outcome } from '../../contract/schemas/common.ts';
import { version } from '../../contract/version.ts';
import { ABOUT_FAMILIES } from '../../table.ts';
import { plain, type TableRow } from '../bundle/compile.ts';
import type { JsonSchema } from '../bundle/schemas.ts';
import { Components, declaredNameOf, nameOfRef, partName, refTo } from './components.ts';
import type { Document, Operation } from './document.ts';
import { exampleOf, replyOf } from './examples.ts';
import { addFailures, type FailureResponses, failureResponse, noAnswer, protocolError, REMEDY } from './failures.ts';
import { parametersOf, shareParameters } from './parameters.ts';
import { PROTOCOL_ERRORS, statusesOf } from './statuses.ts';

/** Fields of every reply. */
const DONE: JsonSchema = { const: 'success', description: 'The call was done' };
const DONE_OR_FAILED: JsonSchema = {
  ...plain(Outcome),
  description: 'fail: the test was carried out, and what it tested does not work; error_code tells why',
};
const MESSAGE: JsonSchema = { type: 'string', description: 'What was done or found, in a sentence for a person' };
const WARNINGS: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description:
    'What is worth knowing although the call was done, such as fields that were ignored; absent if there is nothing',
};

/** A build needs the same document several times. */
const cache = new WeakMap<readonly TableRow[], Document>();

/** Generates the OpenAPI 3.1 document from the endpoint table. */
export function openApi(rows: readonly TableRow[]): Document {
  const cached = cache.get(rows);
  if (cached) return cached;
  const first = new Components();
  documentOf(rows, first);
  const document = documentOf(rows, new Components(first.named));
  cache.set(rows, document);
  return document;
}

function documentOf(rows: readonly TableRow[], components: Components): Document {
  const paths: Document['paths'] = {};
  const responses: FailureResponses = {};
  addFailures(components);
  for (const row of rows) {
    const path = row.path.replace('...}', '}');
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(row, components, responses) };
  }
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const taken = Object.keys({ ...components.schemas, ...responses });
  const parameters = shareParameters(operations, taken);
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
    tags: [...new Set(rows.map((row) => row.family))].map((name) => ({
      name,
      description: ABOUT_FAMILIES[name as keyof typeof ABOUT_FAMILIES],
    })),
    paths,
    components: {
      schemas: sorted(components.schemas),
      responses: sorted(responses),
      parameters: sorted(parameters),
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        session: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Splunk <session key>`' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

const sorted = <T>(named: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));

function operation(row: TableRow, components: Components, responses: FailureResponses): Operation {
  const capabilities = required(row.gate);
  const example = exampleOf(row.id);
  const parameters = parametersOf(row, components);
  const failed = (status: number, codes: readonly FaultCode[]) =>
    row.rawBody && PROTOCOL_ERRORS.includes(status)
      ? protocolError(responses, codes, replySchema(row, components))
      : failureResponse(responses, codes);
  return {
    operationId: row.id,
    tags: [row.family],
    summary: row.summary,
    description: descriptionOf(row),
    security: [{ basic: [] }, { session: [] }, { bearer: [] }],
    ...(capabilities.length > 0 ? { 'x-capabilities': { [gateWord(row)]: capabilities } } : {}),
    ...(row.flag ? { 'x-feature-flag': row.flag } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(row.body
      ? {
          requestBody: {
            required: !row.emptyBody,
            content: json(bodySchema(row, components), row.wrapped ? { payload: example?.body } : example?.body),
          },
        }
      : {}),
    responses: {
      200: { description: 'Done', content: json(replySchema(row, components), replyOf(row.id)) },
      ...(row.rawBody ? { 202: noAnswer(responses) } : {}),
      ...Object.fromEntries([...statusesOf(row)].map(([status, codes]) => [status, failed(status, codes)])),
    },
  };
}

function descriptionOf(row: TableRow): string {
  const [first, ...others] = required(row.gate).map((name) => `\`${name}\``);
  const which = gateWord(row) === 'any' ? 'one of the capabilities' : 'the capabilities';
  const needs = others.length > 0 ? `${which} ${[first, ...others].join(', ')}` : `the capability ${first}`;
  const sentences = [
    first === undefined ? 'Anyone with a session may call it.' : `Needs ${needs}.`,
    row.flag && `Refused while the feature \`${row.flag}\` is switched off.`,
    row.conditional &&
      'Takes the version that the change is based on, so that nobody overwrites what another has changed.',
    row.unversioned && `Takes no version: ${row.unversioned}.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

const gateWord = (row: TableRow) => (typeof row.gate === 'object' && 'any' in row.gate ? 'any' : 'all');
const json = (schema: JsonSchema, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});

function bodySchema(row: TableRow, components: Components): JsonSchema {
  const schema = withFile(row, plain(row.body as NonNullable<TableRow['body']>));
  const inner = components.of(schema, partName(row, 'Input'));
  if (!row.wrapped) return inner;
  const name = `${nameOfRef(inner)}Payload`;
  return components.add(name, {
    type: 'object',
    required: ['payload'],
    properties: { payload: inner },
    description: 'Endpoints about containers take their fields under the key payload',
  });
}

/** JSON carries a file as base64; a form carries it as a part. */
function withFile(row: TableRow, schema: JsonSchema): JsonSchema {
  if (!row.file) return schema;
  const { field } = row.file;
  const file = { ...schema.properties?.[field], contentEncoding: 'base64' };
  return { ...schema, properties: { ...schema.properties, [field]: file } };
}

function replySchema(row: TableRow, components: Components): JsonSchema {
  const schema = plain(row.reply);
  const name = declaredNameOf(schema) ?? partName(row, 'Reply');
  if (row.bare) return components.of(schema, name);
  const reply: JsonSchema = {
    ...schema,
    type: 'object',
    required: ['status', ...((schema.required as string[] | undefined) ?? [])],
    properties: {
      status: row.answersFailure ? DONE_OR_FAILED : DONE,
      message: MESSAGE,
      ...(row.answersFailure ? { error_code: refTo('ErrorCode'), remedy: REMEDY } : {}),
      warnings: WARNINGS,
      ...schema.properties,
    },
  };
  return components.add(name, components.parts(reply, name));
}

import type { TableRow } from '../bundle/compile.ts';
import type { JsonSchema } from '../bundle/schemas.ts';
import { nameOfRef } from '../openapi/components.ts';
import { type Document, HEAD, operationsOf } from '../openapi/document.ts';
import { withNarrowing } from '../openapi/narrowing.ts';
import { openApi } from '../openapi/openapi.ts';

/** Only clients of other makers and searches call these: each fact of them would be loaded with every page. */
const OF_OTHERS = new Set([
  'createResponse',
  'createMessage',
  'countMessageTokens',
  'createEmbedding',
  'getGatewayModel',
  'beginPrediction',
  'endPrediction',
  'runBatch',
]);

/** The console calls these without a form of their fields. */
const WITHOUT_FORMS = new Set(['serveMcp', 'serveMcpConnection', 'indexDocuments', 'deleteDocuments']);

const consoleOperations = (document: Document) =>
  operationsOf(document).filter(({ operation }) => !OF_OTHERS.has(operation.operationId));

/** `console/generated/rights.ts`: the capabilities of each operation that needs some, so that pages can disable what would be refused. */
export function consoleRights(rows: readonly TableRow[]): string {
  const entries = consoleOperations(openApi(rows)).flatMap(({ operation }) => {
    const { operationId, 'x-capabilities': capabilities, 'x-feature-flag': flag } = operation;
    const right = JSON.stringify({ ...capabilities, ...(flag ? { flag } : {}) });
    return right === '{}' ? [] : [`  ${operationId}: ${right},\n`];
  });
  return [
    HEAD,
    "import type { OperationId } from '../../client/src/index.ts';\n",
    '/** `all` or `any` of these capabilities, and a feature that is switched on. */',
    'export interface Right {\n  all?: string[];\n  any?: string[];\n  flag?: string;\n}\n',
    `export const RIGHTS: Readonly<Partial<Record<OperationId, Right>>> = {\n${entries.join('')}};\n`,
  ].join('\n');
}

/** `console/generated/fields.ts`: type, limits and description of each body field. */
export function consoleFields(rows: readonly TableRow[]): string {
  const document = openApi(rows);
  const withForms = consoleOperations(document).filter(({ operation }) => !WITHOUT_FORMS.has(operation.operationId));
  const bodies = withForms.flatMap(({ operation: { operationId, requestBody } }) => {
    const schema = requestBody?.content['application/json'].schema;
    if (!schema) return [];
    const fields = fieldsOf(document, schema, '', true);
    return [{ operationId, list: `[\n${fields.map((field) => `    ${JSON.stringify(field)},\n`).join('')}  ]` }];
  });
  // A test often has the same body as its save: share the list.
  const first = new Map(bodies.toReversed().map(({ operationId, list }) => [list, operationId]));
  const isShared = (list: string) => bodies.filter((body) => body.list === list).length > 1;
  const shared = [...first].filter(([list]) => isShared(list));
  return [
    HEAD,
    "import type { FieldFacts } from '../parts/form/facts.ts';",
    "import type { OperationId } from '../../client/src/index.ts';\n",
    ...shared.map(([list, id]) => `const ${id}: readonly FieldFacts[] = ${list.replace(/\n {2}( *)/g, '\n$1')};\n`),
    '/** Operation -> the fields of its body, by their dotted paths. */',
    'export const FIELDS: Readonly<Partial<Record<OperationId, readonly FieldFacts[]>>> = {',
    ...bodies.map(({ operationId, list }) => `  ${operationId}: ${isShared(list) ? first.get(list) : list},`),
    '};\n',
  ].join('\n');
}

/** Drops sentences about `null` and omitted fields: forms have buttons for that. */
const forPeople = (about: string | undefined): string | undefined =>
  about?.replace(/(^|[.;] )(Left out, or sent as|null (or '' )?(unsets|deletes|empties|removes)).*$/s, '');

type Facts = Record<string, unknown>;

/** Recurses into objects with declared fields; a map is one field. */
function fieldsOf(document: Document, source: JsonSchema, prefix: string, isRequired: boolean): Facts[] {
  const { schema, isNullable } = resolved(document, source);
  const { properties = {} } = schema;
  const required = (schema.required ?? []) as string[];
  return Object.entries(properties).flatMap(([key, property]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    const inner = resolved(document, property);
    const needs = isRequired && !isNullable && required.includes(key);
    if (inner.schema.type === 'object' && inner.schema.properties)
      return fieldsOf(document, property, path, needs && !inner.isNullable);
    return [factsOf(document, path, property, needs)];
  });
}

function factsOf(document: Document, path: string, property: JsonSchema, isRequired: boolean): Facts {
  const { schema, isNullable, isSecret, about } = resolved(document, property);
  const { kind, more } = kindOf(document, schema);
  const { minimum: min, maximum: max, minLength, maxLength, pattern, default: unset } = schema as Facts;
  const facts = {
    path,
    kind,
    ...more,
    min,
    max,
    minLength,
    maxLength,
    pattern,
    default: unset,
    about: forPeople(about),
  };
  const flags = { required: isRequired, nullable: isNullable, secret: isSecret };
  const isSet = (entry: [string, unknown]) => entry[1] !== undefined && entry[1] !== false;
  return Object.fromEntries([...Object.entries(facts), ...Object.entries(flags)].filter(isSet));
}

function kindOf(document: Document, schema: JsonSchema): { kind: string; more?: Facts } {
  const options = optionsOf(document, schema);
  if (options) return { kind: 'choice', more: { options } };
  switch (schema.type) {
    case 'string':
      return { kind: 'text' };
    case 'integer':
    case 'number':
      return { kind: schema.type };
    case 'boolean':
      return { kind: 'switch' };
    case 'array':
      return listKind(document, schema.items ?? {});
    case 'object':
      return mapKind(document, schema);
    default:
      return { kind: 'json' };
  }
}

function listKind(document: Document, source: JsonSchema): { kind: string; more?: Facts } {
  const { schema } = resolved(document, source);
  if (schema.properties) return { kind: 'list', more: { fields: fieldsOf(document, source, '', true) } };
  return schema.type === 'string' ? { kind: 'texts' } : { kind: 'json' };
}

/** A map of strings, such as headers; anything else is edited as JSON. */
function mapKind(document: Document, { additionalProperties }: JsonSchema): { kind: string; more?: Facts } {
  if (typeof additionalProperties !== 'object') return { kind: 'json' };
  const { schema, isSecret } = resolved(document, additionalProperties as JsonSchema);
  if (schema.type !== 'string') return { kind: 'json' };
  return { kind: 'map', more: isSecret ? { secret: true } : {} };
}

function optionsOf(document: Document, schema: JsonSchema): string[] | undefined {
  if (Array.isArray(schema.enum) && schema.enum.every((value) => typeof value === 'string')) return schema.enum;
  if (typeof schema.const === 'string') return [schema.const];
  const each = schema.anyOf?.map((option) => optionsOf(document, resolved(document, option).schema));
  return each?.every((options) => options !== undefined) ? each.flat() : undefined;
}

interface ResolvedSchema {
  schema: JsonSchema;
  isNullable: boolean;
  isSecret: boolean;
  about: string | undefined;
}

/** Follows references and removes `null` from unions. The nearest description wins. */
function resolved(document: Document, source: JsonSchema): ResolvedSchema {
  const name = nameOfRef(source);
  const target = name === undefined ? source : document.components.schemas[name];
  if (!target) throw new Error(`The document has no schema ${name}`);
  // Forms do not fill in a default beside a reference.
  const { default: _, ...beside } = source;
  const named = name === undefined ? target : withNarrowing(target, beside);
  const about = (source.description ?? named.description) as string | undefined;
  const isSecret = (source['x-secret'] ?? named['x-secret']) === true;
  const options = named.anyOf?.filter(({ type }) => type !== 'null');
  const [only] = options ?? [];
  if (!only || options?.length !== 1 || named.anyOf?.length !== 2)
    return { schema: named, isNullable: false, isSecret, about };
  const inner = resolved(document, only);
  return { ...inner, isNullable: true, isSecret: isSecret || inner.isSecret, about: about ?? inner.about };
}

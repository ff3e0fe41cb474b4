import { isObject } from '../../contract/basics.ts';
import type { Problem } from '../../contract/codes/faults.ts';
import { type JsonSchema, leadsToPrototype, SchemaPaths, type Specification } from './schemaPaths.ts';

export type { Specification } from './schemaPaths.ts';

export type StringMap = Record<string, string>;

/** Field -> place in the request, and place in the response -> field. */
export interface Maps {
  input_feature_map: StringMap;
  output_prediction_map: StringMap;
}

/** Checks the maps against the document; without one, or where it says nothing of JSON, they are taken as they are. */
export function mapProblems(maps: Maps, text: string | undefined): { problems: Problem[]; warnings: string[] } {
  const wrong = [...emptyNames(maps), ...unsafePlaces(maps)];
  if (text === undefined) {
    return { problems: wrong, warnings: ['The maps were not checked: there is no openapi_spec'] };
  }
  const described = invocationOf(text);
  if (typeof described === 'string') {
    return { problems: [...wrong, { field: 'openapi_spec', message: described }], warnings: [] };
  }
  const { request, response, paths } = described;
  const warnings: string[] = [];
  const problems = [
    ...wrong,
    ...checked('input_feature_map', Object.entries(maps.input_feature_map), request, paths, warnings),
    ...checked(
      'output_prediction_map',
      Object.keys(maps.output_prediction_map).map((path) => [path, path]),
      response,
      paths,
      warnings,
    ),
  ];
  return { problems, warnings };
}

/** Call of the model, as a document describes it. */
export interface Invocation {
  request: Content;
  response: Content;
  paths: SchemaPaths;
}

/** `POST /invocations` of the document, or what is wrong with the document. */
export function invocationOf(text: string): Invocation | string {
  const spec = JSON.parse(text) as Specification;
  const operation = operationOf(spec);
  if (typeof operation === 'string') return operation;
  const request = content(spec, operation.requestBody);
  const response = content(spec, answerOf(operation.responses));
  return { request, response, paths: new SchemaPaths(spec) };
}

function emptyNames(maps: Maps): Problem[] {
  return (['input_feature_map', 'output_prediction_map'] as const)
    .filter((field) => Object.keys(maps[field]).some((key) => key.trim() === ''))
    .map((field) => ({ field, message: 'has an entry without a name' }));
}

function unsafePlaces({ input_feature_map: inputs, output_prediction_map: outputs }: Maps): Problem[] {
  const places = [
    ...Object.entries(inputs).map(([feature, path]) => [`input_feature_map.${feature}`, path] as const),
    ...Object.keys(outputs).map((path) => [`output_prediction_map.${path}`, path] as const),
  ];
  return places
    .filter(([, path]) => leadsToPrototype(path))
    .map(([field]) => ({ field, message: 'must not lead through __proto__ or constructor.prototype' }));
}

function operationOf(spec: Specification): Specification | string {
  if (typeof spec.openapi !== 'string' || !/^3\.\d+(\.\d+)?/.test(spec.openapi)) {
    return 'must be an OpenAPI 3 document (openapi: 3.x)';
  }
  const path = isObject(spec.paths) ? spec.paths['/invocations'] : undefined;
  const operation = isObject(path) ? path.post : undefined;
  return isObject(operation) ? operation : 'must describe POST /invocations';
}

/** The first answer that means success. */
function answerOf(responses: unknown): unknown {
  if (!isObject(responses)) return undefined;
  const success = Object.keys(responses)
    .sort()
    .find((status) => /^2(\d\d|XX)$/i.test(status));
  return responses[success ?? 'default'];
}

export interface Content {
  /** Undefined: the document says nothing of JSON here. */
  schema: JsonSchema | undefined;
  /** Values without names: a map may be empty. */
  isCsv: boolean;
}

function content(spec: Specification, body: unknown): Content {
  const types = resolved(spec, body)?.content;
  if (!isObject(types)) return { schema: undefined, isCsv: false };
  const names = Object.keys(types);
  const json = names.find((name) => /^application\/([\w.+-]+\+)?json\b/i.test(name));
  const media = json === undefined ? undefined : types[json];
  const schema = isObject(media) && isObject(media.schema) ? media.schema : undefined;
  return { schema, isCsv: names.some((name) => /^text\/csv\b/i.test(name)) };
}

/** A request body or response may be a reference to one under `components`. */
function resolved(spec: Specification, value: unknown): Specification | undefined {
  if (!isObject(value)) return undefined;
  const reference = value.$ref;
  if (typeof reference !== 'string') return value;
  const [, kind, name] = /^#\/components\/(requestBodies|responses)\/([^/]+)$/.exec(reference) ?? [];
  const shelf = isObject(spec.components) && kind ? spec.components[kind] : undefined;
  const component = isObject(shelf) && name && Object.hasOwn(shelf, name) ? shelf[name] : undefined;
  return isObject(component) ? component : undefined;
}

function checked(
  field: keyof Maps,
  entries: [string, string][],
  { schema, isCsv }: Content,
  paths: SchemaPaths,
  warnings: string[],
): Problem[] {
  if (entries.length === 0) {
    return isCsv ? [] : [{ field, message: 'must not be empty: only text/csv does without names' }];
  }
  if (!schema) {
    warnings.push(`${field} was not checked: openapi_spec has no JSON schema for it`);
    return [];
  }
  return entries
    .filter(([, path]) => !paths.has(schema, path))
    .map(([key, path]) => ({ field: `${field}.${key}`, message: `${cut(path)} is not in the schema of openapi_spec` }));
}

const cut = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

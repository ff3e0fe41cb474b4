import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Document, resolve, type Operation as Written } from '../../../src/codegen/openapi/document.ts';
import { builtApp } from './build.ts';

/** Without references to shared responses and parameters. */
interface Operation extends Written {
  parameters: Document['components']['parameters'][string][];
  responses: Document['components']['responses'];
}

interface Found {
  /** Where the document has it. */
  pointer: string;
  operation: Operation;
}

let document: { paths: Record<string, Record<string, Operation>> } | undefined;
/** The document's paths, those first that a given path is rather than a template of it. */
let templates: { pattern: RegExp; pointer: string; methods: Record<string, Operation>; literal: number }[] | undefined;
let ajv: Ajv2020 | undefined;
/** By the response of the document: many endpoints share one. */
const validators = new Map<object, ValidateFunction>();

function openApi() {
  document ??= read();
  return document;
}

function read() {
  // The copy that this run's app ships, so that a change under way does not fail the run.
  const written = JSON.parse(readFileSync(join(builtApp(), 'bin/lib/openapi.json'), 'utf8')) as Document;
  const { parameters, responses } = written.components;
  const resolveParameters = ({ parameters: ownParameters = [], ...operation }: Written): Operation => ({
    ...operation,
    parameters: ownParameters.map((one) => resolve(parameters, one)),
    responses: mapped(operation.responses, (one) => resolve(responses, one)),
  });
  return { ...written, paths: mapped(written.paths, (item) => mapped(item, resolveParameters)) };
}

const mapped = <T, R>(object: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** What of a reply is looked at. */
interface Answered {
  status: number;
  text: string;
  json: unknown;
}

/**
 * Holds a reply against the shipped OpenAPI document: status declared, code among those of the status, body of the
 * declared shape and nothing beside it. Throws where it is not so. Paths begin with `/ml`.
 */
export function assertDocumented(method: string, path: string, reply: Answered): void {
  const where = `${method} ${path} -> ${reply.status} ${reply.text.slice(0, 500)}`;
  const found = find(method, path);
  // The platform's own words: no session, or a driver that was killed.
  const isPlatforms = reply.status === 401 || (reply.status === 500 && reply.text.includes('ended by signal'));
  if (!found || isPlatforms) return;
  const response = found.operation.responses[reply.status];
  if (!response) throw new Error(`the document knows no such status: ${where}`);
  const pointer = `${found.pointer}/responses/${reply.status}/content/application~1json/schema`;
  let validate = validators.get(response);
  if (!validate) {
    validate = compile(pointer);
    validators.set(response, validate);
  }
  const { json } = reply;
  const { error_code: code } = json as { error_code?: string };
  const codes = response['x-error-codes'];
  const isProtocolError = typeof json === 'object' && json !== null && 'jsonrpc' in json;
  if (codes && !isProtocolError && !codes.includes(code ?? ''))
    throw new Error(`not one of ${codes.join(', ')}: ${where}`);
  if (!validate(json)) throw new Error(`${JSON.stringify(validate.errors)} in ${where}`);
}

export function operations(): { method: string; path: string; operation: Operation }[] {
  return Object.entries(openApi().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function find(method: string, path: string): Found | undefined {
  templates ??= Object.entries(openApi().paths)
    .map(([template, methods]) => {
      const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
      const literal = template.split('/').filter((part) => !part.startsWith('{')).length;
      return { pattern: new RegExp(`^${pattern}/?$`), pointer: `paths/${escaped(template)}`, methods, literal };
    })
    .sort((a, b) => b.literal - a.literal);
  const plain = path.split('?')[0] ?? '';
  const name = method.toLowerCase();
  const match = templates.find(({ pattern, methods }) => methods[name] && pattern.test(plain));
  const operation = match?.methods[name];
  return match && operation && { pointer: `${match.pointer}/${name}`, operation };
}

/** As a part of a JSON pointer. */
const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

const DOCUMENT = 'openapi.json';

/** One for all replies: what their schemas have in common is compiled once. Its schemas are valid, see test/codegen. */
function compile(pointer: string): ValidateFunction {
  ajv ??= new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
    schemas: { [DOCUMENT]: closed(openApi()) as object },
  });
  return ajv.compile({ $ref: `${DOCUMENT}#/${pointer}` });
}

/** Every object that declares its properties has no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const result = mapped(schema as Record<string, unknown>, closed);
  if (typeof result.properties === 'object' && result.type === 'object' && !('additionalProperties' in schema)) {
    result.additionalProperties = false;
  }
  return result;
}

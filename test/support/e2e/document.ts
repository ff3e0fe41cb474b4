import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { builtApp } from './build.ts';

interface Operation {
  operationId: string;
  responses: Record<string, { description: string; content: { 'application/json': { schema: object } } }>;
}

interface Found {
  operation: Operation;
  literal: number;
}

let document:
  | { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, unknown> } }
  | undefined;
const validators = new Map<string, ValidateFunction>();

function openApi() {
  // The copy that this run's app ships, so that a change under way does not fail the run.
  document ??= JSON.parse(readFileSync(join(builtApp(), 'bin/lib/openapi.json'), 'utf8')) as NonNullable<
    typeof document
  >;
  return document;
}

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
  const operation = find(method, path);
  // The platform's own words: no session, or a driver that was killed.
  const isPlatforms = reply.status === 401 || (reply.status === 500 && reply.text.includes('ended by signal'));
  if (!operation || isPlatforms) return;
  const declared = operation.responses[reply.status];
  if (!declared) throw new Error(`the document knows no such status: ${where}`);
  const key = `${operation.operationId} ${reply.status}`;
  let validate = validators.get(key);
  if (!validate) {
    validate = compile(declared.content['application/json'].schema);
    validators.set(key, validate);
  }
  const { json } = reply;
  if (!validate(json)) throw new Error(`${JSON.stringify(validate.errors)} in ${where}`);
}

export function operations(): { method: string; path: string; operation: Operation }[] {
  return Object.entries(openApi().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function find(method: string, path: string): Operation | undefined {
  const plain = path.split('?')[0] ?? '';
  const matches = Object.entries(openApi().paths).flatMap(([template, methods]): Found[] => {
    const operation = methods[method.toLowerCase()];
    const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
    if (!operation || !new RegExp(`^${pattern}/?$`).test(plain)) return [];
    return [{ operation, literal: template.split('/').filter((part) => !part.startsWith('{')).length }];
  });
  return matches.sort((a, b) => b.literal - a.literal)[0]?.operation;
}

function compile(schema: object): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  return ajv.compile({ ...(closed(schema) as object), components: closed(openApi().components) });
}

/** Every object that declares its properties has no others; a part of one is not the whole. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const result = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'allOf' ? value : closed(value)]),
  );
  if (typeof result.properties === 'object' && result.type === 'object' && !('additionalProperties' in schema)) {
    result.additionalProperties = false;
  }
  return result;
}

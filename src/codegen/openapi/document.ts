import type { JsonSchema } from '../bundle/schemas.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
}

interface Content {
  schema: JsonSchema;
  example?: unknown;
}

/** To an entry of `components`. */
export interface Reference {
  $ref: string;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: object[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: { 'application/json': Content } };
  /** Failures are references. */
  responses: Record<string, Response | Reference>;
  'x-capabilities'?: { all?: string[]; any?: string[] };
  'x-feature-flag'?: string;
}

export interface Response {
  description: string;
  /** Absent for replies without a body. */
  content?: { 'application/json': Content };
  'x-error-codes'?: readonly string[];
}

/** The parts of the OpenAPI document that generators read. */
export interface Document {
  openapi: string;
  info: { title: string; version: string; description: string; license: object };
  servers: object[];
  security: object[];
  tags: object[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
    securitySchemes: object;
  };
}

/** First line of each generated file. */
export const HEAD = '// Generated from the OpenAPI document (npm run generate). Do not edit.\n';

export const operationsOf = ({ paths }: Document): { path: string; method: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

/** Follows a reference to a parameter or response. */
export const resolve = <T extends object>(shared: Readonly<Record<string, T>>, part: T | Reference): T =>
  '$ref' in part ? (shared[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)] as T) : part;

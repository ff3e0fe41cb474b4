import type { TableRow } from './compile.ts';
import { openApi } from './openapi.ts';
import type { JsonSchema } from './schemas.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface Operation {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: JsonSchema } } };
  responses: Record<string, { content: { 'application/json': { schema: JsonSchema } } }>;
  'x-capabilities'?: { all?: string[]; any?: string[] };
  'x-feature-flag'?: string;
}

/** The OpenAPI document, as far as the files that are generated from it read it. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** First line of each file that is generated from it. */
export const HEAD = '// Generated from the OpenAPI document (npm run generate). Do not edit.\n';

export const documentOf = (rows: readonly TableRow[]) => openApi(rows) as unknown as Document;

export const operationsOf = ({ paths }: Document): { path: string; method: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

import type { TSchema } from 'typebox';

type JsonSchema = Record<string, unknown> & {
  type?: string;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
};

/**
 * The schema of a stored value: types without bounds, patterns and enumerations, which a later version may widen. Objects may have
 * more members. A field without which the code cannot do states its own schema.
 */
export const storedForm = (schema: TSchema): TSchema => formOf(schema as JsonSchema) as TSchema;

function formOf({ type, enum: values, properties, patternProperties, required, items, anyOf }: JsonSchema): JsonSchema {
  if (anyOf) return { anyOf: anyOf.map(formOf) };
  if (values) return { type: 'string' };
  if (items) return { type: 'array', items: formOf(items) };
  if (properties) return { type: 'object', properties: eachOf(properties), ...(required ? { required } : {}) };
  if (patternProperties) return { type: 'object', patternProperties: eachOf(patternProperties) };
  if (type === undefined) return {};
  return { type: type === 'integer' ? 'number' : type };
}

const eachOf = (schemas: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, formOf(schema)]));

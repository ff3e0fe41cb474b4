import { namesIn } from '../pointers.ts';
import type { Problem } from './faults.ts';

/** The fields of ajv's error object used here. */
export interface SchemaError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
  /** The property whose name does not fit the schema. */
  propertyName?: string;
}

const BODY = '$body';

/** A problem in words, for a model. @param whole what a problem of no field is about: `the answer` */
export const problemText = ({ field, message }: Problem, whole: string): string =>
  `${field === BODY ? whole : field} ${message}`;

/**
 * Converts the validator's errors to one message per field. Never quotes the value, which may be a secret.
 * @param messages path of a schema, or of one of its keywords -> message
 */
export function problemsOf(errors: readonly SchemaError[], messages: Readonly<Record<string, string>>): Problem[] {
  const byField = new Map<string, { message: string; rank: number }>();
  for (const error of errors) {
    const field = fieldOf(error);
    const { schemaPath: path } = error;
    const custom = messages[path] ?? messages[path.slice(0, path.lastIndexOf('/'))];
    const rank = custom ? 3 : rankOf(error);
    if (rank > (byField.get(field)?.rank ?? -1)) byField.set(field, { message: custom ?? describe(error), rank });
  }
  const parents = new Set([...byField.keys()].flatMap(parentsOf));
  return [...byField]
    .filter(([field, { rank }]) => rank > 0 || !parents.has(field))
    .map(([field, { message }]) => ({ field, message }));
}

/** Deeper fields have no more parents: a field may be as long as a body. */
const MAX_PARENTS = 300;

/** `a.b.c` -> `a`, `a.b`. */
export function parentsOf(field: string): string[] {
  const parents: string[] = [];
  for (let dot = field.indexOf('.'); dot >= 0 && parents.length < MAX_PARENTS; dot = field.indexOf('.', dot + 1))
    parents.push(field.slice(0, dot));
  return parents;
}

/** The most specific error of a field wins: a failed alternative says more than its `anyOf`. */
function rankOf(error: SchemaError): number {
  if (error.keyword === 'anyOf' || error.keyword === 'propertyNames') return 0;
  if (error.keyword === 'type') return error.params.type === 'null' ? -1 : 1;
  return 2;
}

function fieldOf(error: SchemaError): string {
  const base = namesIn(error.instancePath);
  const property = error.propertyName ?? error.params[PROPERTY_PARAMS[error.keyword] ?? ''];
  if (property !== undefined) base.push(String(property));
  return base.join('.') || BODY;
}

/** By keyword: the parameter that names the property which is meant. */
const PROPERTY_PARAMS: Readonly<Record<string, string>> = {
  required: 'missingProperty',
  dependentRequired: 'missingProperty',
  dependencies: 'missingProperty',
  additionalProperties: 'additionalProperty',
  unevaluatedProperties: 'unevaluatedProperty',
  propertyNames: 'propertyName',
};

function describe(error: SchemaError): string {
  return error.propertyName === undefined ? describeValue(error) : `has a name that ${describeValue(error)}`;
}

function describeValue(error: SchemaError): string {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'enum':
      return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`;
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`;
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    case 'pattern':
      return `must match ${error.params.pattern}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not allowed: the schema has no such property';
    case 'propertyNames':
      return 'has a name that is not allowed';
    case 'type':
      return `must be ${withArticle(String(error.params.type))}`;
    default:
      return error.message ?? 'is not valid';
  }
}

const withArticle = (type: string) => `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;

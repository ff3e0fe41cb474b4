import type { Problem } from './faults.ts';

/** The part of ajv's error object that is read here. */
export interface SchemaError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}

/**
 * The validator's errors in words for a person, one per field. Never quotes the value: it may be a secret.
 * @param messages path of a schema, or of one of its keywords -> sentence
 */
export function problemsOf(errors: readonly SchemaError[], messages: Readonly<Record<string, string>>): Problem[] {
  const found = new Map<string, { message: string; rank: number }>();
  for (const error of errors) {
    const field = fieldOf(error);
    const { schemaPath: path } = error;
    const own = messages[path] ?? messages[path.slice(0, path.lastIndexOf('/'))];
    const rank = own ? 3 : rankOf(error);
    if (rank > (found.get(field)?.rank ?? -1)) found.set(field, { message: own ?? words(error), rank });
  }
  const fields = [...found.keys()];
  return [...found]
    .filter(([field, { rank }]) => rank > 0 || !fields.some((other) => other.startsWith(`${field}.`)))
    .map(([field, { message }]) => ({ field, message }));
}

/** Of several errors about one field, the most informative is kept: a failed alternative says more than its `anyOf`. */
function rankOf(error: SchemaError): number {
  if (error.keyword === 'anyOf') return 0;
  if (error.keyword === 'type') return error.params.type === 'null' ? -1 : 1;
  return 2;
}

function fieldOf(error: SchemaError): string {
  const base = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') base.push(String(error.params.missingProperty));
  return base.join('.') || '$body';
}

function words(error: SchemaError): string {
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
    case 'type':
      return `must be ${article(String(error.params.type))}`;
    default:
      return error.message ?? 'is not valid';
  }
}

const article = (type: string) => `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;

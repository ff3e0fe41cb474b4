import type { FieldFacts, Values } from './facts.ts';
import { findField, inLabels, labelOf } from './labels.ts';
import { type FormField, factsOf } from './spec.ts';
import { InvalidJson, isEmpty, STORED } from './values.ts';

/** Path -> message. */
export type Problems = Readonly<Record<string, string>>;

/** Validates before the request. */
export function problemsOf(
  fields: readonly FormField[],
  facts: ReadonlyMap<string, FieldFacts>,
  values: Values,
): Problems {
  const problems = fields.flatMap((field) => {
    const { path, label, check } = field;
    const fact = factsOf(field, facts);
    const value = values[path];
    const message = problemOf(fact, value) ?? check?.(value) ?? entryProblem(field, fact, value);
    return message ? [[path, `${label} ${message}`] as const] : [];
  });
  return Object.fromEntries(problems);
}

function problemOf(fact: FieldFacts, value: unknown): string | undefined {
  if (value === STORED) return undefined;
  if (value instanceof InvalidJson) return 'is not valid JSON';
  if (isEmpty(value)) return fact.required ? 'is required' : undefined;
  if (typeof value === 'number') return numberProblem(fact, value);
  return typeof value === 'string' ? textProblem(fact, value) : undefined;
}

/** The first incomplete entry of a list. */
function entryProblem({ entries }: FormField, { fields = [] }: FieldFacts, value: unknown): string | undefined {
  if (!entries || !Array.isArray(value)) return undefined;
  const facts = new Map(fields.map((fact) => [fact.path, fact]));
  for (const [index, entry] of value.entries()) {
    const [problem] = Object.values(problemsOf(entries.fields, facts, entry as Values));
    if (problem && entries.control && isEmpty(entry)) return `are incomplete. Choose ${entries.one} ${index + 1}`;
    if (problem) return `are incomplete. ${entries.one} ${index + 1}: ${problem}`;
  }
  return undefined;
}

function numberProblem({ kind, min, max }: FieldFacts, value: number): string | undefined {
  if (kind === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
  if (min !== undefined && value < min) return `must be at least ${min}`;
  return max !== undefined && value > max ? `must be at most ${max}` : undefined;
}

function textProblem({ maxLength, pattern }: FieldFacts, value: string): string | undefined {
  if (maxLength !== undefined && value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern === undefined || new RegExp(pattern).test(value)) return undefined;
  return pattern.includes('[Hh][Tt][Tt][Pp]') ? 'must be a URL such as https://host/path' : 'has invalid characters';
}

/** Assigns the problems of the server to visible fields. @param all fields of the form, for the labels of hidden ones */
export function assignErrors(
  fields: readonly FormField[],
  errors: readonly { field: string; message: string }[],
  labelledFields: readonly FormField[] = fields,
): { problems: Problems; others: string[] } {
  const problems: Record<string, string> = {};
  const others: string[] = [];
  for (const { field: path, message } of errors) {
    const field = findField(fields, path);
    if (!field) others.push(`${labelOf(labelledFields, path)}: ${inLabels(labelledFields, message)}`);
    else problems[field.path] ??= inLabels(labelledFields, message);
  }
  return { problems, others };
}

/** An empty field does not remove a stored secret. */
export function emptySecrets(fields: readonly FormField[], before: Values, after: Values): Problems {
  const empty = fields.filter(({ path }) => before[path] === STORED && after[path] === '');
  return Object.fromEntries(
    empty.map(({ path, label }) => [path, `${label} is empty: enter a value or keep the stored one`]),
  );
}

import type { Problem } from '../../../contract/faults.ts';
import type { ContainerType } from '../../../ports/containerEngine.ts';
import type { EngineKinds } from '../engines/engineKind.ts';
import type { Field, FieldTable } from '../engines/field.ts';
import type { Fields, OpenField } from '../engines/fields.ts';
import { openFields } from '../engines/registry.ts';

/** A connection as it would be: its open fields, and the names of the secrets that it would have. */
export interface Candidate {
  type: ContainerType;
  fields: Fields;
  secrets: readonly string[];
  /** Annotations that the administrator lets pass. */
  allowed: readonly string[];
  /** Only a part of it is known: what is absent is not missed. */
  partly?: boolean;
}

/** PEM and base64 of it are the long ones; no address, name or list is as long as this. */
const LONGEST = 4096;

/** What is wrong with single values, whatever else the connection has. */
function valueProblems(table: FieldTable, fields: Fields, allowed: readonly string[]): Problem[] {
  return Object.entries<Field>(table).flatMap(([field, { rule, isLong }]) => {
    const value = fields[field as OpenField];
    if (value === undefined) return [];
    // Before any pattern sees it.
    if (value.length > LONGEST && !isLong) return [{ field, message: `must be at most ${LONGEST} characters` }];
    const message = rule?.(value, allowed);
    return message ? [{ field, message }] : [];
  });
}

/** Everything about a connection that can be told without reading a file or asking an engine. */
export function connectionProblems(
  kinds: EngineKinds,
  { type, fields, secrets, allowed, partly = false }: Candidate,
): Problem[] {
  const table: FieldTable = openFields(kinds);
  const problems = valueProblems(table, fields, allowed);
  if (partly) return problems;
  const problem = (field: string, message: string) => {
    problems.push({ field, message });
  };
  const has = (field: string) => fields[field as OpenField] !== undefined || secrets.includes(field);
  const need = (field: string, why: string) => {
    if (!has(field)) problem(field, `is required ${why}`);
  };
  kinds[type].check({ fields, has, need, problem });
  for (const [field, { needs }] of Object.entries(table)) if (needs && has(field)) need(needs.field, needs.why);
  return problems;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSENDABLE = /[\u0000-\u001f\u007f]/;

/** Secrets become headers and environment variables: a line break inside one would end it. Keys are text of several lines. */
export function secretProblems(given: Readonly<Record<string, string | null>>): Problem[] {
  return Object.entries(given)
    .filter(([name, value]) => name !== 'client_key' && value !== null && UNSENDABLE.test(value))
    .map(([field]) => ({ field, message: 'must not contain control characters or line breaks' }));
}

import { isObject } from '../../../contract/basics.ts';
import { cellOfJson } from '../answerSchema.ts';
import type { Cells } from '../rowAnswers.ts';

const MAX_FIELDS = 100;
/** The platform keeps names that begin with `_` for itself. */
const NAME = /^[^_\p{C}][^\p{C}]{0,63}$/u;

/**
 * The fields of the object that an agent answers with, and empty ones where it has none: those that the schema names come first.
 * @param schema of the answers of the agent
 * @param output of the run; absent unless it succeeded
 */
export function typedFields(schema: unknown, output: unknown): Cells {
  if (!isObject(schema)) return {};
  const object = isObject(output) ? output : {};
  const declared = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const names = [...new Set([...declared, ...Object.keys(object)])].filter((name) => NAME.test(name));
  return Object.fromEntries(names.slice(0, MAX_FIELDS).map((name) => [name, cellOfJson(object[name])]));
}

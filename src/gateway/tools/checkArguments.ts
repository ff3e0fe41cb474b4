import { type Json, MAX_ARGUMENTS_BYTES, MAX_JSON_LEVELS } from '../../contract/basics.ts';
import { invalid, type Problem } from '../../contract/codes/faults.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import type { SchemaChecks } from '../../ports/platform/schemaChecks.ts';

/**
 * Checks arguments against the schema of a server's tool.
 * @returns a warning if they were not checked: then the server judges
 * @throws Fault `validation_failed`
 */
export async function checkArguments(schemas: SchemaChecks, schema: Json | undefined, args: Json): Promise<string[]> {
  const json = argumentsText(args);
  if (!schema) return [];
  if (Buffer.byteLength(json) > MAX_ARGUMENTS_BYTES)
    return [`The arguments are longer than ${MAX_ARGUMENTS_BYTES} bytes, so they were not checked against the schema.`];
  const { problems, unchecked } = await schemas.check(schema, json, 'server');
  if (problems.length > 0) throw invalid(problems.map(ofArguments));
  return unchecked === 'limit' ? ['The arguments were not checked against the schema, since that took too long.'] : [];
}

/** Checks arguments of a tool of this app, which nobody else checks. @throws Fault `validation_failed` */
export async function assertArguments(schemas: SchemaChecks, schema: Json, args: Json): Promise<void> {
  const { problems, unchecked } = await schemas.check(schema, argumentsText(args), 'server');
  if (problems.length > 0) throw invalid(problems.map(ofArguments));
  if (unchecked) throw invalid([{ field: 'arguments', message: 'cannot be checked within a second' }]);
}

function argumentsText(args: Json): string {
  // Deeper ones could not be written as JSON.
  if (nestsDeeperThan(args, MAX_JSON_LEVELS))
    throw invalid([{ field: 'arguments', message: `is nested deeper than ${MAX_JSON_LEVELS} levels` }]);
  return stringifyExact(args);
}

const ofArguments = ({ field, message }: Problem): Problem => ({
  field: field === '$body' ? 'arguments' : `arguments.${field}`,
  message,
});

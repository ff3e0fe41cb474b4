import type { Json } from '../../../contract/basics.ts';
import { invalid } from '../../../contract/codes/faults.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { MAX_OUTPUT_SCHEMA_BYTES } from '../../../contract/families/agents.ts';
import type { SchemaChecks } from '../../../ports/platform/schemaChecks.ts';

const FIELD = 'output_schema';

/**
 * Checks the schema of the answers of an agent.
 * @throws Fault `validation_failed` for one that is too large, is not of an object, or cannot be compiled
 */
export async function assertOutputSchema(schemas: SchemaChecks, schema: Json | null | undefined): Promise<void> {
  if (!schema) return;
  const problem = problemOf(schema);
  if (problem !== undefined) throw invalid([{ field: FIELD, message: problem }]);
  await schemas.assertUsable(schema, FIELD);
}

function problemOf(schema: Json): string | undefined {
  if (Buffer.byteLength(stringifyExact(schema)) > MAX_OUTPUT_SCHEMA_BYTES) {
    return `must not be longer than ${MAX_OUTPUT_SCHEMA_BYTES} bytes of JSON`;
  }
  return schema.type === 'object' ? undefined : "must be the schema of an object: its type must be 'object'";
}

import { MAX_JSON_LEVELS, MAX_SCHEMA_BYTES } from '../../contract/basics.ts';
import { invalid } from '../../contract/codes/faults.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import type { SchemaChecks } from '../../ports/platform/schemaChecks.ts';
import { EndableThread } from '../threads/endableThread.ts';
import type { CheckAnswer, CheckOrder } from './messages.ts';

/** Larger values could use up the memory of the thread, which would end the process. */
const MAX_VALUE_CHARS = 1024 * 1024;
/** A caller's pattern or nesting may take forever. */
const CPU_MS = 1000;

/**
 * Compiles and checks schemas in a thread, so that no schema, pattern or value holds up this process.
 * @param program the file that calls `serveOrders` with `createChecker`
 */
export function createSchemaChecks(program: URL): SchemaChecks {
  const thread = new EndableThread<CheckOrder, CheckAnswer>(program, CPU_MS);
  return {
    async assertUsable(schema, field) {
      const { text, problem } = schemaText(schema);
      const answer =
        text === undefined ? undefined : await thread.run({ schema: text, owner: 'caller', value: undefined });
      if (answer?.isUsable) return;
      throw invalid([{ field, message: problem ?? 'is not a JSON schema that can be compiled within a second' }]);
    },
    async check(schema, json, owner) {
      if (json.length > MAX_VALUE_CHARS) return { problems: [], unchecked: 'limit' };
      const { text } = schemaText(schema);
      if (text === undefined) return { problems: [], unchecked: 'schema' };
      const answer = await thread.run({ schema: text, owner, value: json });
      if (answer && !answer.isUsable) return { problems: [], unchecked: 'schema' };
      return answer?.isChecked ? { problems: answer.problems } : { problems: [], unchecked: 'limit' };
    },
  };
}

function schemaText(schema: Record<string, unknown>): { text?: string; problem?: string } {
  // Deeper ones could not be written as JSON.
  if (nestsDeeperThan(schema, MAX_JSON_LEVELS)) return { problem: `is nested deeper than ${MAX_JSON_LEVELS} levels` };
  const text = stringifyExact(schema);
  if (Buffer.byteLength(text) <= MAX_SCHEMA_BYTES) return { text };
  return { problem: `must not be longer than ${MAX_SCHEMA_BYTES} bytes of JSON` };
}

import { problemText } from '../../contract/codes/problems.ts';
import type { ChatReply } from '../../families/llm-providers/public.ts';
import type { SchemaChecks } from '../../ports/llm/schemaChecks.ts';

/** Problems of an answer that should match a schema. */
export async function answerProblems(
  schemas: SchemaChecks,
  schema: Record<string, unknown>,
  { message, toolCalls, finishReason }: ChatReply,
): Promise<string[]> {
  // A call of the caller's tools, a refusal or a blocked answer is no structured output.
  if (toolCalls.length > 0 || finishReason === 'content_filter' || message.refusal) return [];
  if (finishReason === 'length') return ['the answer was cut off at the token limit'];
  let value: unknown;
  try {
    value = JSON.parse(message.content);
  } catch {
    return ['the answer is not JSON'];
  }
  return (await schemas.problems(schema, value)).map((problem) => problemText(problem, 'the answer'));
}

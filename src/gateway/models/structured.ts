import type { ChatReply } from '../../families/llm-providers/public.ts';
import type { SchemaChecks } from '../../ports/llm/schemaChecks.ts';

interface AnswerCheck {
  problems: string[];
  /** That the answer was not checked. */
  warnings: string[];
}

/** Checks an answer that should match a schema. */
export async function checkAnswer(
  schemas: SchemaChecks,
  schema: Record<string, unknown>,
  { message, toolCalls, finishReason }: ChatReply,
): Promise<AnswerCheck> {
  // A call of the caller's tools, a refusal or a blocked answer is no structured output.
  if (toolCalls.length > 0 || finishReason === 'content_filter' || message.refusal) return NO_PROBLEMS;
  if (finishReason === 'length') return { problems: ['the answer was cut off at the token limit'], warnings: [] };
  try {
    JSON.parse(message.content);
  } catch {
    return { problems: ['the answer is not JSON'], warnings: [] };
  }
  const { problems, unchecked } = await schemas.check(schema, message.content, 'caller');
  return {
    problems: problems.map((problem) => `${problem.field} ${problem.message}`),
    warnings: unchecked
      ? ['The answer was not checked against the schema: it is too long, or the check took too long']
      : [],
  };
}

const NO_PROBLEMS: AnswerCheck = { problems: [], warnings: [] };

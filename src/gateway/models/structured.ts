import { problemText } from '../../contract/codes/problems.ts';
import { isJson } from '../../domain/values/json.ts';
import type { ChatReply } from '../../families/llm-providers/public.ts';
import type { SchemaChecks } from '../../ports/platform/schemaChecks.ts';

interface CheckedAnswer {
  message: { content: string; refusal?: string | null | undefined };
  toolCalls: readonly unknown[];
  finishReason: string;
}

interface AnswerCheck {
  problems: string[];
  /** That the answer was not checked. */
  warnings: string[];
}

const MAX_PROBLEMS = 5;

/** The first problems of an answer, in words. */
export const firstProblems = (problems: readonly string[]): string => problems.slice(0, MAX_PROBLEMS).join('; ');

/** Words for a model that has to answer once more. */
export const textToAskAgain = (problems: readonly string[]): string =>
  `The answer does not match the JSON schema: ${firstProblems(problems)}. Answer again with JSON that matches it.`;

/** In place of an empty answer, which providers refuse in a conversation. */
export const NO_ANSWER = '(no answer)';

/** Checks an answer that should match a schema. */
export async function checkAnswer(
  schemas: SchemaChecks,
  schema: Record<string, unknown>,
  { message, toolCalls, finishReason }: CheckedAnswer,
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
    problems: problems.map((problem) => problemText(problem, 'the answer')),
    warnings: unchecked
      ? ['The answer was not checked against the schema: it is too long, or the check took too long']
      : [],
  };
}

const NO_PROBLEMS: AnswerCheck = { problems: [], warnings: [] };
/** Where JSON was asked for: the JSON of the one block of code that the model has written it in. */
export function withJson(reply: ChatReply): ChatReply {
  const { content } = reply.message;
  if (!content.includes(FENCE) || isJson(content)) return reply;
  const json = [[inFence(content)], blocksIn(content)].find(
    ([only = '', ...more]) => more.length === 0 && isJson(only),
  );
  return json ? { ...reply, message: { ...reply.message, content: json[0] as string } } : reply;
}

const FENCE = '```';

/** A text that is one block, which may stand on one line and need not be closed. */
function inFence(text: string): string {
  const block = text.trim();
  if (!block.startsWith(FENCE)) return '';
  const inner = block.slice(FENCE.length).replace(/^[\w+-]*/, '');
  return (inner.endsWith(FENCE) ? inner.slice(0, -FENCE.length) : inner).trim();
}

/** The blocks between lines of a text. */
function blocksIn(text: string): string[] {
  const blocks: string[] = [];
  let lines: string[] | undefined;
  for (const line of text.split('\n')) {
    if (!line.trimStart().startsWith(FENCE)) lines?.push(line);
    else if (lines) {
      blocks.push(lines.join('\n').trim());
      lines = undefined;
    } else lines = [];
  }
  return blocks;
}

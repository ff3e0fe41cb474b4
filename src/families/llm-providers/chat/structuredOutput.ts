import type { ChatAnswer, ChatRequest } from './chat.ts';
import { answerToolText } from './ownTexts.ts';
import { objectSchema } from './turns.ts';

/** The tool whose arguments are the answer, for models without schemas of their own. */
const ANSWER_TOOL = 'structured_answer';

/** Models known to have none: the others are asked natively first. */
const WITHOUT_SCHEMAS =
  /claude-(?:v?2|instant|3)|claude-(?:opus|sonnet)-4-(?:0|2025)|amazon\.(?:nova|titan)|meta\.llama/;
export const lacksSchemas = (model: string): boolean => WITHOUT_SCHEMAS.test(model);

/** The same request with a tool that the model must call to answer; undefined without a schema. */
export function withAnswerTool(request: ChatRequest): ChatRequest | undefined {
  const { responseFormat: format, tools = [], toolChoice } = request;
  if (format?.type !== 'json_schema') return undefined;
  const description = format.description ?? answerToolText(format.name);
  const tool = { name: ANSWER_TOOL, description, parameters: objectSchema(format.schema) };
  const mayCall = tools.length > 0 && toolChoice !== 'none';
  return {
    ...request,
    responseFormat: undefined,
    tools: [...tools, tool],
    toolChoice: mayCall ? (typeof toolChoice === 'object' ? toolChoice : 'required') : { name: ANSWER_TOOL },
  };
}

/** A call of the answer tool is the content. */
export function readAnswerTool(answer: ChatAnswer): ChatAnswer {
  const call = answer.toolCalls.find(({ name }) => name === ANSWER_TOOL);
  if (!call) return answer;
  const others = answer.toolCalls.filter(({ name }) => name !== ANSWER_TOOL);
  // With calls of other tools there is more to come, so the answer is premature.
  if (others.length > 0) return { ...answer, toolCalls: others };
  return {
    ...answer,
    message: { ...answer.message, content: call.arguments },
    toolCalls: [],
    finishReason: answer.finishReason === 'tool_calls' ? 'stop' : answer.finishReason,
  };
}

import { type ChatMessage, LLMock } from '@copilotkit/aimock';
import { type Asked, type Scripted, startProvider } from '../../../../support/peers/llm.ts';
import { answerTo } from './answers.ts';
import type { Answer, Question } from './question.ts';
import { PROMPTS } from './session.ts';
import type { WireFormat } from './wireFormat.ts';

export interface MockProvider {
  url: string;
  /** Chats in the order in which they came. */
  chats: Asked['body'][];
  /** Why the provider would have refused requests; each was answered 400. */
  problems: string[];
  close(): Promise<void>;
}

const CONTEXT = 'x-aimock-context';

/**
 * aimock, which reads and writes the providers' formats by code that is not ours, behind a check of what it lets pass: unknown
 * roles, turns that do not alternate, calls without results, blank texts. It has no embeddings in Gemini's and Bedrock's formats.
 */
export async function startMockProvider(
  format: WireFormat,
  answerOf: (question: Question) => Answer = answerTo,
): Promise<MockProvider> {
  const chats: Asked['body'][] = [];
  const problems: string[] = [];
  const mock = new LLMock({ port: 0 });
  mock.addFixture({
    match: {},
    // It knows neither a forced tool nor a schema, so these are read from the request itself.
    response: ({ messages, _context: index }) => {
      const asked = format.question(chats[Number(index)] ?? {});
      const answer = answerOf({ ...asked, messages: messages.map(toMessage) });
      return toFixture(answer, format);
    },
  });
  await mock.start();
  const answer = async (asked: Asked): Promise<Scripted> => {
    const embedded = format.embeddings?.(asked);
    const found = embedded?.problems ?? format.problems(asked);
    if (found.length > 0) {
      problems.push(
        ...found.map((problem) => `${asked.path}: ${problem}: ${JSON.stringify(asked.body).slice(0, 2000)}`),
      );
      return format.refusal(found.join('; '));
    }
    if (embedded) return embedded.vectors;
    if (JSON.stringify(asked.body).includes(PROMPTS.overload)) return format.overloaded;
    const index = chats.push(asked.body) - 1;
    const reply = await fetch(`${mock.url}${asked.path}`, {
      method: asked.method,
      headers: { 'content-type': 'application/json', [CONTEXT]: String(index) },
      body: JSON.stringify(asked.body),
    });
    const body = await reply.json();
    const isCut = format.cut !== undefined && JSON.stringify(asked.body).includes(PROMPTS.cut);
    return { status: reply.status, body: isCut ? format.cut?.(body) : body };
  };
  const front = await startProvider(answer);
  const close = async () => {
    await front.close();
    await mock.stop();
  };
  return { url: front.url, chats, problems, close };
}

const USAGE = { prompt_tokens: 7, completion_tokens: 2 };

const toFixture = (answer: Answer, { filtered = 'stop' }: WireFormat) =>
  'text' in answer
    ? {
        content: answer.text,
        usage: USAGE,
        ...(answer.finish && { finishReason: answer.finish === 'length' ? 'length' : filtered }),
      }
    : {
        ...(answer.reasoning && { reasoning: answer.reasoning }),
        toolCalls: answer.calls.map(({ name, arguments: values }) => ({ name, arguments: JSON.stringify(values) })),
        usage: USAGE,
      };

function toMessage({ role, content }: ChatMessage): Question['messages'][number] {
  if (typeof content === 'string' || !content) return { role, text: content ?? '' };
  return { role, text: content.map(({ text }) => text ?? '').join('') };
}

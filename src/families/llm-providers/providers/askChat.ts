import { OutboundError } from '../../../contract/codes/outbound.ts';
import { withMasks } from '../../../domain/net/redact.ts';
import type { Outgoing } from '../../../masking/checkedBody.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import { answerWarnings, withUniqueIds } from '../chat/answers.ts';
import { assertMasked } from '../chat/assertMasked.ts';
import type { ChatAnswer, ChatRequest } from '../chat/chat.ts';
import { readAnswerTool } from '../chat/structuredOutput.ts';
import { aliasParameters, aliasTools } from '../chat/toolAliases.ts';
import { toolNames } from '../chat/turns.ts';
import type { ChatForm, ChatForms } from './dialect.ts';
import { assertSupported, type ChatReply } from './provider.ts';

/** Requests of one chat: the contract allows one repetition. A connection test may try every form. */
const MAX_REQUESTS = 2;

export interface ChatTries {
  /** Masked in the answer. */
  secrets: readonly string[];
  toolName?: RegExp | undefined;
  parameterName?: RegExp | undefined;
  continuesAnswers?: boolean | undefined;
  carrier?: string | undefined;
  forms(request: Outgoing<ChatRequest>): ChatForms;
  /** @throws OutboundError */
  send(form: ChatForm): Promise<{ status: number; answer: ChatAnswer }>;
  /** Whether a form may succeed after this error of the one before. */
  mayFollow(form: ChatForm, error: OutboundError): boolean;
}

/** Sends the first form of a chat, and another one if the provider refuses it for a reason that the other answers. */
export async function askChat(
  asked: Outgoing<ChatRequest>,
  upstream: Upstream,
  { secrets, toolName, parameterName, continuesAnswers, carrier, forms, send, mayFollow }: ChatTries,
): Promise<ChatReply> {
  const { request: whole, unsupported } = continuesAnswers ? { request: asked, unsupported: [] } : withoutBegun(asked);
  const parameters = aliasParameters(whole, parameterName);
  const { request, restore } = aliasTools(parameters.request, toolName);
  const { requests, ...translated } = forms(request);
  const warnings = [
    ...assertSupported(request, { ...translated, unsupported: [...unsupported, ...translated.unsupported] }),
    ...(hasForeignCarrier(request, carrier) ? [OF_ANOTHER_MAKER] : []),
  ];
  const most = request.isProbe ? requests.length : MAX_REQUESTS;
  let left = requests;
  for (let tries = 1; ; tries += 1) {
    const [form, ...others] = left;
    if (form === undefined) throw new Error('a dialect has at least one form of each chat');
    assertMasked(request, form.body);
    try {
      const { status, answer: given } = await upstream.request(() => send(form), { mayRepeat: tries === 1 });
      const answer = withFreshIds(withStop(given, request), request);
      if (form.warning !== undefined) warnings.push(form.warning);
      warnings.push(...answerWarnings(answer));
      return { status, warnings, ...masked(parameters.restore(restore(readAnswerTool(answer))), secrets) };
    } catch (thrown) {
      if (!(thrown instanceof OutboundError)) throw thrown;
      // The reason for which an answer ended may be quoted.
      const error = thrown.saying(withMasks(thrown.message, secrets), { cause: thrown.cause });
      const next = others.findIndex((other) => mayFollow(other, error));
      if (tries >= most || upstream.hasRepeated || next < 0) throw error;
      left = others.slice(next);
    }
  }
}

/** Leaves out the answer that the model is to go on with. */
function withoutBegun<T extends ChatRequest>(request: T): { request: T; unsupported: string[] } {
  const { continues, messages } = request;
  if (continues === undefined || messages.at(-1)?.role !== 'assistant') return { request, unsupported: [] };
  return { request: { ...request, messages: messages.slice(0, -1) }, unsupported: [continues] };
}

const OF_ANOTHER_MAKER = 'The reasoning of earlier answers was left out: a provider of another maker signed it';

const hasForeignCarrier = ({ messages }: ChatRequest, own = ''): boolean =>
  messages.some((message) => message.role === 'assistant' && message.carrier && !Object.hasOwn(message.carrier, own));

/** Servers have words of their own in the place of the text that ended an answer. */
function withStop({ stopSequence, ...answer }: ChatAnswer, { stop = [] }: ChatRequest): ChatAnswer {
  return stopSequence !== undefined && stop.includes(stopSequence) ? { ...answer, stopSequence } : answer;
}

const withFreshIds = (answer: ChatAnswer, { messages }: ChatRequest): ChatAnswer => ({
  ...answer,
  toolCalls: withUniqueIds(answer.toolCalls, toolNames(messages).keys()),
});

/** Masks what the model has written: a model, or a proxy before it, may repeat the headers of the request. */
function masked(answer: ChatAnswer, secrets: readonly string[]): ChatAnswer {
  const { finishReason, usage, ...written } = answer;
  return { finishReason, usage, ...withMasks(written, secrets) };
}

import { OutboundError } from '../../../contract/codes/outbound.ts';
import { containsSecret, withoutSecrets } from '../../../domain/net/redact.ts';
import { answerWarnings } from '../chat/answers.ts';
import type { ChatAnswer, ChatRequest } from '../chat/chat.ts';
import { readAnswerTool } from '../chat/structuredOutput.ts';
import { aliasTools } from '../chat/toolAliases.ts';
import type { ChatForm, ChatForms } from './dialect.ts';
import { assertSupported, type ChatReply } from './provider.ts';

/** Requests of one chat: the contract allows one repetition. A connection test may try every form. */
const MAX_REQUESTS = 2;

export interface ChatTries {
  /** A model that repeats one must not show it. */
  secrets: readonly string[];
  toolName?: RegExp | undefined;
  forms(request: ChatRequest): ChatForms;
  /** @throws OutboundError */
  send(form: ChatForm): Promise<{ status: number; answer: ChatAnswer }>;
  /** Whether a form may succeed after this error of the one before. */
  mayFollow(form: ChatForm, error: OutboundError): boolean;
}

/** Sends the first form of a chat, and another one if the provider refuses it for a reason that the other answers. */
export async function askChat(
  asked: ChatRequest,
  { secrets, toolName, forms, send, mayFollow }: ChatTries,
): Promise<ChatReply> {
  const { request, restore } = aliasTools(asked, toolName);
  const { requests, ...translated } = forms(request);
  const warnings = [...assertSupported(request, translated)];
  const most = request.isProbe ? requests.length : request.isRepeat ? 1 : MAX_REQUESTS;
  let left = requests;
  for (let attempts = 1; ; attempts++) {
    const [form, ...rest] = left;
    if (form === undefined) throw new Error('a dialect has at least one form of each chat');
    try {
      const { status, answer } = await send(form);
      if (form.warning !== undefined) warnings.push(form.warning);
      warnings.push(...answerWarnings(answer));
      return { status, attempts, warnings, ...restore(readAnswerTool(masked(answer, secrets))) };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      error.attempts = attempts;
      const next = rest.findIndex((one) => mayFollow(one, error));
      if (attempts >= most || next < 0) throw error;
      left = rest.slice(next);
    }
  }
}

/** The mask of a shorter secret would tell who guesses it, and stand in ordinary texts. */
const SHORTEST_MASKED = 12;

/** An answer without secrets that the server repeats. What goes back to the provider unread stays as it is. */
function masked(answer: ChatAnswer, secrets: readonly string[]): ChatAnswer {
  const long = secrets.filter((secret) => secret.length >= SHORTEST_MASKED);
  const clean = (text: string): string =>
    containsSecret(text, long) ? withoutSecrets(Buffer.from(text), long).toString() : text;
  const { content, refusal, reasoning } = answer.message;
  return {
    ...answer,
    message: {
      ...answer.message,
      content: clean(content),
      ...(refusal === undefined ? {} : { refusal: clean(refusal) }),
      ...(reasoning === undefined ? {} : { reasoning: clean(reasoning) }),
    },
    toolCalls: answer.toolCalls.map((call) => ({ ...call, arguments: clean(call.arguments) })),
    ...(answer.model === undefined ? {} : { model: clean(answer.model) }),
  };
}

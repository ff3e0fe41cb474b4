import type { Json } from '../../contract/basics.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import { SENTENCE } from '../../masking/masking.ts';
import type { Outgoing, Walk } from '../../masking/outgoing.ts';
import { NO_TOKENS } from '../../metering/tokens.ts';
import type { AgentAnswer } from '../../ports/cloud/agentCloud.ts';
import type { Upstream } from '../../ports/platform/upstream.ts';
import type { ValuedAnswer } from '../masking/answers.ts';
import { withCheckedBodies } from '../masking/chats.ts';
import { type MaskingScope, maskFor } from '../masking/masker.ts';
import { mapStrings } from '../masking/strings.ts';
import type { Operation, OperationContext, Target } from '../operation.ts';

const PAUSE_S = 1;
const MAX_PAUSE_S = 5;

/** The texts and names that an agent is asked with. */
export interface AgentQuestion {
  texts: { input: string | Json; system_prompt?: string | undefined; task_prompt?: string | undefined };
  /** Names of its model, tools and stores. */
  names: Json;
  session: string;
}

/** Where an agent runs, ready for one request. */
export interface OpenRuntime {
  /** In records of use. */
  target: Target;
  /** @throws OutboundError */
  invoke(question: Outgoing<AgentQuestion>, upstream: Upstream): Promise<AgentAnswer>;
}

export interface Invocation {
  runtime: OpenRuntime;
  question: AgentQuestion;
  /** Where its placeholders agree. */
  scope: MaskingScope;
  /** For sites that log contents. */
  input: unknown;
  /** Message of a call that takes too long. */
  lateText: string;
  /** @throws OutboundError for an answer that says that the agent failed */
  textOf(answer: AgentAnswer): string;
}

/** Asks an agent that runs elsewhere, for all that it does. Repeats once what was certainly not done. */
export const invoke: Operation<Invocation, Target, ValuedAnswer<string>, string> = {
  name: 'invoke_agent',
  hasEffects: true,
  pauseBefore({ code, retryAfter = PAUSE_S }) {
    if (code !== 'connection_refused' && code !== 'rate_limited') return undefined;
    return retryAfter > MAX_PAUSE_S ? undefined : retryAfter * 1000;
  },
  async open(context, invocation) {
    const { target } = invocation.runtime;
    return async () => ({
      input: invocation.input,
      targets: [target],
      open: async () => target,
      send: (upstream) => ask(context, invocation, upstream),
      result: ({ answer, logged }) => ({ response: answer, tokens: NO_TOKENS, charge: undefined, output: logged }),
    });
  },
};

async function ask(
  context: OperationContext,
  { runtime, question, scope, lateText, textOf }: Invocation,
  upstream: Upstream,
): Promise<ValuedAnswer<string>> {
  const { signal } = upstream;
  const task = { operation: 'invoke_agent', target: runtime.target, scope } as const;
  const { content, masked } = await maskFor(context, task, question, withTexts);
  if (masked) context.use.input = content.texts.input;
  const sent = masked && Object.keys(masked.counts).length > 0 ? withSentence(content) : content;
  try {
    const answer = await withCheckedBodies(() =>
      upstream.request(() => unlessAborted(runtime.invoke(sent, upstream), signal)),
    );
    const text = textOf(answer);
    if (!masked) return { answer: text, logged: text };
    const restored = masked.restorer.text(text);
    context.use.countRestored(masked.restorer.counts);
    return { answer: restored, logged: text };
  } catch (error) {
    throw signal.aborted ? cutOff(signal, lateText) : error;
  }
}

const withTexts: Walk<AgentQuestion> = (question, replace, _, read) => {
  const { texts } = question;
  if (typeof texts.input !== 'string') read(texts.input);
  return { ...question, texts: mapStrings(texts, replace) };
};

/** Says in the system prompt what placeholders are. */
function withSentence(question: Outgoing<AgentQuestion>): Outgoing<AgentQuestion> {
  const { system_prompt: prompt = '' } = question.texts;
  return { ...question, texts: { ...question.texts, system_prompt: [prompt, SENTENCE].filter(Boolean).join('\n\n') } };
}

/** A call that was cut off says why. */
function cutOff({ reason }: AbortSignal, lateText: string): OutboundError {
  const isLate = reason instanceof DOMException && reason.name === 'TimeoutError';
  if (isLate) return new OutboundError('timeout', lateText);
  return new OutboundError('connection_reset', 'The call was cut off, since the run was cancelled or taken over');
}

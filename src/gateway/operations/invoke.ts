import { OutboundError } from '../../contract/codes/outbound.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import { NO_TOKENS } from '../../metering/tokens.ts';
import type { AgentAnswer, AgentRequest } from '../../ports/cloud/agentCloud.ts';
import type { Upstream } from '../../ports/platform/upstream.ts';
import type { Operation, Target } from '../operation.ts';

const PAUSE_S = 1;
const MAX_PAUSE_S = 5;

/** Where an agent runs, ready for one request. */
export interface OpenRuntime {
  /** In records of use. */
  target: Target;
  /** @throws OutboundError */
  invoke(request: AgentRequest, upstream: Upstream): Promise<AgentAnswer>;
}

export interface Invocation {
  runtime: OpenRuntime;
  request: AgentRequest;
  /** For sites that log contents. */
  input: unknown;
  /** Message of a call that takes too long. */
  lateText: string;
  /** @throws OutboundError for an answer that says that the agent failed */
  textOf(answer: AgentAnswer): string;
}

/** Asks an agent that runs elsewhere, for all that it does. Repeats once what was certainly not done. */
export const invoke: Operation<Invocation, Target, string, string> = {
  name: 'invoke_agent',
  hasEffects: true,
  pauseBefore({ code, retryAfter = PAUSE_S }) {
    if (code !== 'connection_refused' && code !== 'rate_limited') return undefined;
    return retryAfter > MAX_PAUSE_S ? undefined : retryAfter * 1000;
  },
  async open(_context, invocation) {
    const { target } = invocation.runtime;
    return async () => ({
      input: invocation.input,
      targets: [target],
      open: async () => target,
      send: (upstream) => ask(invocation, upstream),
      result: (text) => ({ response: text, tokens: NO_TOKENS, charge: undefined, output: text }),
    });
  },
};

async function ask({ runtime, request, lateText, textOf }: Invocation, upstream: Upstream): Promise<string> {
  const { signal } = upstream;
  try {
    return textOf(await upstream.request(() => unlessAborted(runtime.invoke(request, upstream), signal)));
  } catch (error) {
    throw signal.aborted ? cutOff(signal, lateText) : error;
  }
}

/** A call that was cut off says why. */
function cutOff({ reason }: AbortSignal, lateText: string): OutboundError {
  const isLate = reason instanceof DOMException && reason.name === 'TimeoutError';
  if (isLate) return new OutboundError('timeout', lateText);
  return new OutboundError('connection_reset', 'The call was cut off, since the run was cancelled or taken over');
}

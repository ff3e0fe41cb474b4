import { OutboundError } from '../../contract/outbound.ts';
import { startDeadline } from '../../domain/deadline.ts';
import { redact } from '../../domain/redact.ts';
import type { Deadline } from '../../ports/deadline.ts';
import type { LlmDependencies } from '../../ports/llmDependencies.ts';
import type { Aim } from './aim.ts';
import { LIMITS } from './names.ts';
import type { Listed, LlmClient, Said } from './providers/provider.ts';
import { LLM_PROVIDERS } from './providers/registry.ts';
import { missingToCall } from './rules.ts';

export interface Outcome<T> {
  /** Undefined when the call failed. */
  value?: T;
  error?: OutboundError;
  elapsedMs: number;
}

const SNIPPET = 200;

export const chatWith = (aim: Aim, peers: LlmDependencies): Promise<Outcome<Said>> => call(aim, peers, chat);
export const listWith = (aim: Aim, peers: LlmDependencies): Promise<Outcome<Listed>> =>
  call(aim, peers, (client, _, deadline) => client.list(deadline));

/** What the model said, fit for a reply. */
export function snippet(text: string, { target }: Aim): string {
  return redact(text, [target.accessToken, target.cloudAccessToken], SNIPPET);
}

/** One deadline over everything; what the provider or the network does is an outcome, never an exception. */
async function call<T>(
  aim: Aim,
  peers: LlmDependencies,
  run: (client: LlmClient, aim: Aim, deadline: Deadline) => Promise<T>,
): Promise<Outcome<T>> {
  const { service, target, secretFields } = aim;
  const started = performance.now();
  const elapsedMs = () => performance.now() - started;
  const missing = missingToCall(service, target.settings, secretFields);
  if (missing.length > 0) {
    const error = new OutboundError('configuration_invalid', `${service} needs ${missing.join(', ')}`);
    return { error, elapsedMs: elapsedMs() };
  }
  const seconds = target.settings.request_timeout ?? LIMITS.request_timeout.default;
  using deadline = startDeadline(seconds * 1000);
  try {
    const value = await run(LLM_PROVIDERS[service].client(target, peers), aim, deadline);
    return { value, elapsedMs: elapsedMs() };
  } catch (error) {
    if (error instanceof OutboundError) return { error, elapsedMs: elapsedMs() };
    if (!deadline.signal.aborted) throw error;
    return { error: new OutboundError('timeout', 'The provider did not answer in time'), elapsedMs: elapsedMs() };
  }
}

async function chat(client: LlmClient, { service, model = '' }: Aim, deadline: Deadline): Promise<Said> {
  const { listsFirst, isListed = (id, ids) => ids.includes(id) } = LLM_PROVIDERS[service];
  const listed = listsFirst ? await listing(client, deadline, listsFirst) : undefined;
  if (listed && !isListed(model, listed.ids)) {
    const count = `${listed.ids.length} model${listed.ids.length === 1 ? '' : 's'}`;
    throw new OutboundError('model_not_found', `The server answers, but the model is not among its ${count}`, {
      httpStatus: listed.status,
    });
  }
  return client.chat(model, deadline);
}

/** Where the list is no certain part of the dialect, a server without one is asked for the model right away. */
async function listing(client: LlmClient, deadline: Deadline, how: 'must' | 'may'): Promise<Listed | undefined> {
  try {
    return await client.list(deadline);
  } catch (error) {
    const isAbsent = error instanceof OutboundError && [404, 405, 501].includes(error.httpStatus ?? 0);
    if (how === 'may' && isAbsent) return undefined;
    throw error;
  }
}

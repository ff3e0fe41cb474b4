import { OutboundError } from '../../../contract/codes/outbound.ts';
import { bounded } from '../../../domain/async/deadline.ts';
import { unmetered } from '../../../domain/async/unmetered.ts';
import { redact } from '../../../domain/net/redact.ts';
import type { LlmDependencies } from '../../../ports/llm/llmDependencies.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { type ChatReply, type LlmClient, lacksList, type ModelList, testChat } from '../providers/provider.ts';
import type { LlmTarget } from '../records/target.ts';
import { openClient } from './openModel.ts';

export interface Outcome<T> {
  /** Undefined when the call failed. */
  value?: T;
  error?: OutboundError;
  elapsedMs: number;
}

const SNIPPET = 200;
/** A driver serves one request at a time, so none waits longer, whatever `request_timeout` allows. */
const MAX_WAIT_MS = 25_000;

/** @param outer where less time is left than the configuration gives a call; the same for `listWith` */
export const chatWith = (to: LlmTarget, deps: LlmDependencies, outer?: Deadline): Promise<Outcome<ChatReply>> =>
  call(to, deps, chat, outer);
export const listWith = (to: LlmTarget, deps: LlmDependencies, outer?: Deadline): Promise<Outcome<ModelList>> =>
  call(to, deps, (client, _, deadline) => client.list(deadline), outer);
/** Requests the list, which is free of charge, or calls the model if the server has no list. */
export const verifyWith = (to: LlmTarget, deps: LlmDependencies): Promise<Outcome<ChatReply | ModelList>> =>
  call(to, deps, async (client, to, deadline) => {
    try {
      return await client.list(deadline);
    } catch (error) {
      if (!lacksList(error)) throw error;
      return chat(client, to, deadline);
    }
  });

/** The beginning of the model's answer, redacted. */
export function snippet(text: string, { target }: LlmTarget): string {
  return redact(text, target.hidden, SNIPPET);
}

/** Failures of the provider or the network are outcomes, never exceptions. */
async function call<T>(
  to: LlmTarget,
  deps: LlmDependencies,
  run: (client: LlmClient, to: LlmTarget, deadline: Deadline) => Promise<T>,
  outer?: Deadline,
): Promise<Outcome<T>> {
  const started = performance.now();
  const elapsedMs = () => performance.now() - started;
  try {
    const { client, timeoutMs } = openClient(to, deps);
    using deadline = bounded(Math.min(timeoutMs, MAX_WAIT_MS), outer);
    const value = await run(client, to, deadline).catch((error: unknown) => {
      if (error instanceof OutboundError || !deadline.signal.aborted) throw error;
      throw new OutboundError('timeout', 'The provider did not answer in time');
    });
    return { value, elapsedMs: elapsedMs() };
  } catch (error) {
    if (error instanceof OutboundError) return { error, elapsedMs: elapsedMs() };
    throw error;
  }
}

function chat(client: LlmClient, { model = '' }: LlmTarget, deadline: Deadline): Promise<ChatReply> {
  return testChat(client, model, unmetered(deadline));
}

import { isResting } from '../../../../src/contract/families/runs.ts';
import { ml } from '../../../api/client.ts';
import { pauseAfter } from '../../../api/pauses.ts';
import { describeError } from '../../../api/problems.ts';
import { definitionOf, type Settings } from './settings.ts';
import { addTurn, answerOf, type Conversation, changeTurn, currentConversation, type Run, setLive } from './turns.ts';

/** So long another process takes the step that is due. */
const BUSY_MS = 1000;
/** Failures of calls in a row after which a run is given up. */
const MOST_FAILURES = 8;

/** Ends the work on the live turn. */
let abort = new AbortController();

/** Asks, and keeps the turn up to date until it is answered, waits for approval, fails or is stopped. */
export function ask(question: string, settings: Settings, canRun: boolean): Promise<void> {
  const conversation = currentConversation();
  const id = addTurn(question, settings);
  return workOn(conversation.session, id, (signal) =>
    canRun
      ? startRun(conversation, id, question, settings, signal)
      : complete(conversation, id, question, settings, signal),
  );
}

/** Decides about a call that waits; when it was the last one, the run goes on. */
export function decide(id: number, run: Run, step: number, decision: 'approve' | 'reject', comment: string): void {
  const { session } = currentConversation();
  const params = { run_id: run.run_id };
  const body = { step, decision, ...(decision === 'reject' && comment !== '' ? { comment } : {}) };
  void workOn(session, id, async (signal) => {
    changeTurn(session, id, { failure: undefined });
    await ml.call('approveRun', { params, body }, { signal });
    const decided = currentConversation().turns.find((turn) => turn.id === id)?.decided ?? [];
    changeTurn(session, id, { decided: [...decided, step] });
    // The run shows that it goes on once a step was taken.
    await takeSteps(session, id, { ...run, state: 'running' }, signal);
  });
}

/** Ends the live turn or the run that waits, here and there. */
export async function stop(id: number): Promise<void> {
  const { session, turns } = currentConversation();
  abort.abort();
  const run = turns.find((turn) => turn.id === id)?.run;
  setLive(session, undefined);
  changeTurn(session, id, { isStopped: true });
  if (!run) return;
  try {
    const { config } = await ml.call('cancelRun', { params: { run_id: run.run_id } });
    changeTurn(session, id, { run: config });
  } catch (failure) {
    changeTurn(session, id, { failure });
  }
}

async function workOn(session: string, id: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  abort = new AbortController();
  const { signal } = abort;
  setLive(session, id);
  try {
    await work(signal);
  } catch (failure) {
    if (!signal.aborted) changeTurn(session, id, { failure });
  } finally {
    if (!signal.aborted) setLive(session, undefined);
  }
}

async function startRun(
  { session, system }: Conversation,
  id: number,
  input: string,
  settings: Settings,
  signal: AbortSignal,
): Promise<void> {
  const definition = definitionOf(settings, system);
  // Not aborted by Stop, which needs the id of the run to cancel it.
  const { config } = await ml.call('startRun', {
    body: { definition, input, session_id: session, worker: 'caller', wait_s: 0 },
  });
  changeTurn(session, id, { run: config });
  if (signal.aborted) return stop(id);
  await takeSteps(session, id, config, signal);
}

/** Takes steps until the run rests. A step that outlasts the proxy goes on without it, and the next call says that it is busy. */
async function takeSteps(session: string, id: number, run: Run, signal: AbortSignal): Promise<void> {
  const params = { run_id: run.run_id };
  let failures = 0;
  for (let { state } = run; !isResting(state); ) {
    try {
      const { busy } = await ml.call('stepRun', { params, body: {} }, { signal });
      const { config } = await ml.call('getRun', { params }, { signal });
      if (signal.aborted) return;
      const hasGoneOn = config.state !== 'waiting_for_approval';
      changeTurn(session, id, { run: config, ...(hasGoneOn ? { decided: undefined } : {}) });
      ({ state } = config);
      failures = 0;
      if (busy) await pause(BUSY_MS, signal);
    } catch (error) {
      if (signal.aborted || !describeError(error).isPassing || failures >= MOST_FAILURES) throw error;
      await pause(pauseAfter(failures), signal);
      failures += 1;
    }
  }
}

/** Asks without a run: the answer has to come within the 30 s of the proxy. */
async function complete(
  { session, system, turns }: Conversation,
  id: number,
  question: string,
  { model, max_tokens, temperature }: Settings,
  signal: AbortSignal,
): Promise<void> {
  const earlier = turns.flatMap((turn) => {
    const answer = answerOf(turn);
    return answer === undefined ? [] : [said('user', turn.question), said('assistant', answer)];
  });
  const messages = [...(system === '' ? [] : [said('system', system)]), ...earlier, said('user', question)];
  const body = { model, messages, max_tokens, temperature };
  const completion = await ml.call('createChatCompletion', { body }, { signal });
  changeTurn(session, id, { completion });
}

const said = (role: 'system' | 'user' | 'assistant', content: string) => ({ role, content });

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

import { isIdle } from '../../../../src/contract/families/runs.ts';
import { ml } from '../../../api/client.ts';
import { takeSteps } from '../../../parts/runs/takeSteps.ts';
import { definitionOf, type Settings } from './settings.ts';
import { addTurn, answerOf, type Conversation, changeTurn, currentConversation, type Run, setLive } from './turns.ts';

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
    await takeStepsOf(session, id, run, signal);
  });
}

/** Ends the live turn or the waiting run, in the page and on the server. */
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
  // Only the start of an alert has none.
  if (!config) return;
  changeTurn(session, id, { run: config });
  if (signal.aborted) return stop(id);
  if (!isIdle(config.state)) await takeStepsOf(session, id, config, signal);
}

/** Takes the steps of a turn's run until it is idle. */
const takeStepsOf = (session: string, id: number, { run_id }: Run, signal: AbortSignal): Promise<void> =>
  takeSteps(
    run_id,
    (run) => {
      const hasGoneOn = run.state !== 'waiting_for_approval';
      changeTurn(session, id, { run, ...(hasGoneOn ? { decided: undefined } : {}) });
    },
    signal,
  );

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

import type { Json } from '../../../contract/basics.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { argumentsText } from '../../../domain/values/json.ts';
import { NO_ANSWER } from '../../models/structured.ts';
import { faultOf } from '../answers/answerFaults.ts';
import type { RunDoc, StepDoc, TurnCall } from '../documents/stored.ts';

/** Maximum of a conversation, in characters of JSON. */
export const MAX_MEMORY = 4 * 1024 * 1024;

/** A message of OpenAI's Chat Completions. */
export type RunMessage = Json & { role: string };

/**
 * The conversation for the model: prompts, the session, the input, and every turn so far with the results of its calls.
 * @param note follows the prompts
 * @throws Fault `context_length_exceeded` above 4 MB
 */
export function messagesOf(run: RunDoc, steps: readonly StepDoc[], note = ''): RunMessage[] {
  const { system_prompt: system = '', task_prompt: task = '' } = run.definition;
  const prompt = [system, task, note].filter((text) => text.trim() !== '').join('\n\n');
  const messages: RunMessage[] = [
    ...(prompt === '' ? [] : [{ role: 'system', content: prompt }]),
    ...run.history,
    { role: 'user', content: textOf(run.input) },
    ...answerBlocks(steps).flat(),
  ];
  if (stringifyExact(messages).length > MAX_MEMORY) {
    throw new Fault('context_length_exceeded', 'The conversation is longer than 4 MB');
  }
  return messages;
}

/** The answers of the model, each with the calls that it asked for and their results, or with why it was asked again. */
export function answerBlocks(steps: readonly StepDoc[]): RunMessage[][] {
  const stored = new Map(steps.map((step) => [step.index, step]));
  const turns = steps.filter(({ kind, state }) => kind === 'model' && state === 'done');
  return turns.map((turn) => turnMessages(turn, stored));
}

function turnMessages(turn: StepDoc, steps: ReadonlyMap<number, StepDoc>): RunMessage[] {
  const { index, output = '', calls = [], echoed } = turn;
  if (calls.length === 0) {
    const again = faultOf(turn);
    const answer = { role: 'assistant', content: output === '' && again ? NO_ANSWER : output };
    return [answer, ...(again ? [{ role: 'user', content: again.request }] : [])];
  }
  const made = calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: objectText(call) },
    ...(call.extra ? { extra_content: call.extra } : {}),
  }));
  const results = calls.map(({ id }, position) => ({
    role: 'tool',
    tool_call_id: id,
    content: steps.get(index + 1 + position)?.output ?? '',
  }));
  return [{ role: 'assistant', content: output === '' ? null : output, ...echoed, tool_calls: made }, ...results];
}

/** Providers refuse arguments that are no object, also in what they wrote themselves. */
function objectText({ arguments: text }: TurnCall): string {
  return argumentsText(text) ?? JSON.stringify({ not_an_object: text });
}

export const textOf = (input: string | Json): string => (typeof input === 'string' ? input : stringifyExact(input));

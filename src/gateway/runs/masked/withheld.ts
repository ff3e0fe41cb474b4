import type { RunDoc } from '../documents/stored.ts';
import { textOf } from '../steps/messages.ts';
import type { ShownResult } from './connectionCodes.ts';

/** Whether a text of a request is the result of a tool, in whose place the model can read why it is withheld. */
export function withholdable(
  { input, history, definition }: Pick<RunDoc, 'input' | 'history' | 'definition'>,
  results: readonly Pick<ShownResult, 'text'>[],
): (text: string) => boolean {
  const earlier = history.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const texts = new Set<unknown>([...results.map(({ text }) => text), ...earlier]);
  const { system_prompt, task_prompt } = definition;
  for (const asked of [textOf(input), system_prompt, task_prompt]) texts.delete(asked);
  return (text) => texts.has(text);
}

import type { Answer, Question } from './question.ts';

/** What clients say, by the answer that they get for it in every wire format. */
export const PROMPTS = {
  steps: 'Work through the steps.',
  object: 'How many are left?',
  refusal: 'Say what nobody may say.',
  cut: 'Talk without an end.',
  overload: 'Come when nobody has time.',
} as const;

/** Results of tools that a session has before its answer. Two calls come in one turn, so there are twenty turns of calls. */
const RESULTS = 21;
const PAIR = 10;
/** The step whose result is a picture. */
export const PICTURE_STEP = 5;
export const DONE = `done after ${RESULTS} results`;

/** The answer to one of the prompts; undefined for other conversations. */
export function sessionAnswer({ messages }: Question): Answer | undefined {
  const isAsked = (prompt: string) => messages.some(({ role, text }) => role === 'user' && text.includes(prompt));
  if (isAsked(PROMPTS.refusal)) return { text: 'That is not for me to say.', finish: 'content_filter' };
  if (isAsked(PROMPTS.cut)) return { text: 'on and on and', finish: 'length' };
  if (!isAsked(PROMPTS.steps)) return undefined;
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (results >= RESULTS) return { text: DONE };
  const steps = results === PAIR ? [results + 1, results + 2] : [results + 1];
  return {
    reasoning: 'One step after the other.',
    calls: steps.map((step) => ({ name: 'look', arguments: { step } })),
  };
}

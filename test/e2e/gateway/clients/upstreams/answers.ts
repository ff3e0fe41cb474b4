import type { Answer, Question, Schema } from './question.ts';
import { sessionAnswer } from './session.ts';

const JOKE = '{"setup":"a","punchline":"b"}';

/** Calls the tools where it may, else says what it was asked; the same answer in every wire format. */
export function answerTo(question: Question): Answer {
  const session = sessionAnswer(question);
  if (session) return session;
  const { messages, tools, choice, format } = question;
  const { role, text } = messages.at(-1) ?? { role: '', text: '' };
  if (tools.length > 0 && role !== 'tool' && choice !== 'none') {
    const isNamed = tools.some(({ name }) => name === choice);
    const calls = tools
      .filter(({ name }) => !isNamed || name === choice)
      .map(({ name, schema }) => ({ name, arguments: exampleOf(schema, text) as object }));
    return { calls };
  }
  if (format === 'json' || messages.some(wantsJson)) return { text: JOKE };
  if (format === undefined) return { text: `${messages.map((one) => one.role).join(',')}: ${text}` };
  const isWrong = messages.some((one) => one.text.includes('wrong'));
  return { text: isWrong ? '{"n":"one"}' : JSON.stringify(exampleOf(format, text)) };
}

/** Providers without a mode for it are told so. */
const wantsJson = ({ role, text }: Question['messages'][number]): boolean =>
  role === 'system' && text.includes('one JSON object');

/** A value of a schema; texts are what the prompt quotes. */
function exampleOf({ type, properties, anyOf }: Schema, prompt: string): unknown {
  if (anyOf) return exampleOf(anyOf[0] ?? {}, prompt);
  if (type === 'integer' || type === 'number') return 3;
  if (type === 'string') return /'(.+?)'/.exec(prompt)?.[1] ?? 'Zürich';
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, one]) => [name, exampleOf(one, prompt)]));
}

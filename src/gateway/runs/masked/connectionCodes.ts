import type { ChatRequest } from '../../../families/llm-providers/public.ts';
import type { MaskedContent } from '../../../masking/outgoing.ts';
import type { RunHistory, StepDoc, TurnCall } from '../documents/stored.ts';
import type { RunTool } from '../steps/runTools.ts';

/** The result of a call, as it stands in the conversation. */
export interface ShownResult {
  /** The MCP connection whose own words it has; undefined for what the app or a person wrote, and for other tools. */
  connection: string | undefined;
  text: string;
}

/** The results of the calls of all answers, in the order of the conversation. @param steps in order */
export function shownResults({ decisions }: Pick<RunHistory, 'decisions'>, steps: readonly StepDoc[]): ShownResult[] {
  const stored = new Map(steps.map((step) => [step.index, step]));
  const byPeople = new Set(decisions.filter(({ result }) => result !== undefined).map(({ index }) => index));
  const turns = steps.filter(({ kind, state }) => kind === 'model' && state === 'done');
  return turns.flatMap(({ index, calls = [] }) =>
    calls.map((call, position) => {
      const step = stored.get(index + 1 + position);
      const isOwn = step !== undefined && isAnswered(step) && !byPeople.has(step.index);
      return { connection: isOwn ? connectionOf(call) : undefined, text: step?.output ?? '' };
    }),
  );
}

/** Whether the output of a step is what the tool answered. */
const isAnswered = ({ state, error_code: code }: StepDoc): boolean =>
  state === 'done' || (state === 'failed' && code === 'tool_error');

const connectionOf = ({ target }: TurnCall): string | undefined =>
  target?.kind === 'tool' ? target.connection : undefined;

/**
 * Codes of the values that each connection has brought, in results and in the definitions of its tools. A code that stood there before
 * it was masked, in whatever surroundings, is none: a server could send back what it was sent.
 * @param results of the run, whose messages are the last ones of tools
 */
export function codesByConnection(
  tools: readonly Pick<RunTool, 'served' | 'target'>[],
  results: readonly ShownResult[],
  { content, restorer }: MaskedContent<ChatRequest>,
): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>();
  const add = (connection: string, text: string, masked: string): void => {
    const earlier = text.toLowerCase();
    const own = codes.get(connection) ?? new Set();
    for (const code of restorer.codesIn(masked)) if (!earlier.includes(code)) own.add(code);
    codes.set(connection, own);
  };
  const messages = content.messages.filter((message) => message.role === 'tool').slice(-results.length);
  for (const [index, { connection, text }] of results.entries()) {
    const message = messages[index];
    if (connection !== undefined && message) add(connection, text, message.content);
  }
  for (const { served, target } of tools) {
    const masked = content.tools?.find(({ name }) => name === served.name);
    if (target.kind === 'tool' && masked) add(target.connection, JSON.stringify(served), JSON.stringify(masked));
  }
  return codes;
}

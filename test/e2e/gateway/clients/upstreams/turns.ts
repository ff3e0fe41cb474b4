/** A part of a turn, whatever the wire format. */
export type Block = { text: string } | { call: string } | { result: string } | { media: string } | { unknown: string };

export interface Turn {
  role: 'user' | 'model';
  blocks: readonly Block[];
}

/** What the providers refuse in a conversation, beside fields that they do not know. */
export function turnProblems(turns: readonly Turn[]): string[] {
  return [
    ...(turns[0]?.role === 'user' ? [] : ['the first turn is not the user’s']),
    ...(turns.at(-1)?.role === 'user' ? [] : ['the last turn is not the user’s']),
    ...turns.flatMap((turn, index) => {
      const problems = [
        ...orderProblems(turn, turns[index - 1]),
        ...blockProblems(turn),
        ...pairProblems(turns, index),
      ];
      return problems.map((problem) => `turn ${index}: ${problem}`);
    }),
  ];
}

const orderProblems = ({ role }: Turn, before: Turn | undefined): string[] =>
  role === before?.role ? [`follows another turn of the ${role}`] : [];

function blockProblems({ role, blocks }: Turn): string[] {
  if (blocks.length === 0) return ['is empty'];
  const lastResult = blocks.findLastIndex((block) => 'result' in block);
  return [
    ...blocks.flatMap((block) => {
      if ('unknown' in block) return [`unknown block ${block.unknown}`];
      if ('text' in block && block.text.trim() === '') return ['blank text'];
      if ('call' in block && role === 'user') return ['a call by the user'];
      return 'result' in block && role === 'model' ? ['a result by the model'] : [];
    }),
    ...(blocks.slice(0, lastResult + 1).every((block) => 'result' in block) ? [] : ['results do not come first']),
  ];
}

/** Every call is answered once, in the next turn. */
function pairProblems(turns: readonly Turn[], index: number): string[] {
  const results = turns[index]?.blocks.flatMap((block) => ('result' in block ? [block.result] : [])) ?? [];
  const calls = turns[index - 1]?.blocks.flatMap((block) => ('call' in block ? [block.call] : [])) ?? [];
  const isPaired = results.toSorted().join() === calls.toSorted().join() && new Set(results).size === results.length;
  return isPaired ? [] : [`results of ${results.join()} after calls of ${calls.join()}`];
}

export const problemsOf = (checks: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(checks).flatMap(([problem, holds]) => (holds ? [problem] : []));

const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
export const isToolName = (name: string): boolean => TOOL_NAME.test(name);

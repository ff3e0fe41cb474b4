const [OPEN, CLOSE] = ['<think>', '</think>'];

/** Splits blocks of reasoning from the answer behind them: servers without a parser for them leave them in the text. */
export function splitReasoning(text: string): { content: string; reasoning: string } {
  const first = unopened(text);
  const blocks = first === undefined ? [] : [first];
  let answer = first === undefined ? text : text.slice(first.length + CLOSE.length);
  for (let next = answer.trimStart(); next.startsWith(OPEN); next = answer.trimStart()) {
    const end = next.indexOf(CLOSE);
    // The answer may end within its reasoning.
    blocks.push(next.slice(OPEN.length, end < 0 ? undefined : end));
    answer = end < 0 ? '' : next.slice(end + CLOSE.length);
  }
  if (blocks.length === 0) return { content: text, reasoning: '' };
  return { content: answer.trimStart(), reasoning: joinedReasoning(blocks) };
}

/** The template of the prompt may have opened the block, so that the answer has its end alone, at the end of a line. */
function unopened(text: string): string | undefined {
  const end = text.indexOf(CLOSE);
  if (end < 0) return undefined;
  const before = text.slice(0, end);
  const isAtEndOfLine = /^[^\S\n]*(?:\n|$)/.test(text.slice(end + CLOSE.length));
  return isAtEndOfLine && !before.includes(OPEN) ? before : undefined;
}

/** Pieces of reasoning as one text. */
export const joinedReasoning = (pieces: readonly string[]): string =>
  pieces
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .join('\n\n');

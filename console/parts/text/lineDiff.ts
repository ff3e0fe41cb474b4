export interface DiffLine {
  /** `gap` stands for lines that are the same on both sides. */
  kind: 'same' | 'added' | 'removed' | 'gap';
  text: string;
}

/** Unchanged lines around each change. */
const CONTEXT = 2;
/** Texts whose differing parts have more pairs of lines are shown as replaced: comparing takes quadratic time. */
const MAX_PAIRS = 1_000_000;

/** The changes from one text to another, line by line. Empty if there are none. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ kind: 'same', text }));
  const middle = changesOf(old.slice(start, old.length - end), now.slice(start, now.length - end));
  if (middle.length === 0) return [];
  return withGaps([...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))]);
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/\r\n|[\n\r\u2028\u2029]/));

/** By the longest common subsequence. */
function changesOf(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (old.length * now.length > MAX_PAIRS) return [...old.map(removed), ...now.map(added)];
  // Entry (i, j): length of the longest common subsequence of what begins there.
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const lengthAt = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === now[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [a, b] = [old[i], now[j]];
    if (a !== undefined && a === b) {
      lines.push({ kind: 'same', text: a });
      [i, j] = [i + 1, j + 1];
    } else if (a !== undefined && (b === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push(removed(a));
      i += 1;
    } else {
      lines.push(added(b ?? ''));
      j += 1;
    }
  }
  return lines;
}

/** Replaces unchanged lines that are far from a change. */
function withGaps(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== 'same');
  const shown: DiffLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (isNear(index)) shown.push(line);
    else if (shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap', text: '' });
  }
  return shown;
}

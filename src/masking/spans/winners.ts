import { rankOf } from '../policy/kinds.ts';
import { holdsWord, isWordAt } from '../text/letters.ts';
import type { Span } from './span.ts';

/**
 * One span for each character: secrets win over kinds with a checksum, these over others; then the longer and the left one.
 * A part of a loser that no other span covers stays masked.
 * @returns spans from left to right; `isPart` where a loser lost some of it
 */
export function winners(spans: readonly Span[], text: string): (Span & { isPart?: boolean })[] {
  const ranked = spans.map((span) => ({ span, length: span.end - span.start, rank: rankOf(span.kind) }));
  ranked.sort(
    (first, second) =>
      first.rank.level - second.rank.level ||
      second.length - first.length ||
      first.span.start - second.span.start ||
      first.rank.order - second.rank.order,
  );
  const taken = new Uint8Array(text.length);
  const won: (Span & { isPart?: boolean })[] = [];
  const losers: Span[] = [];
  for (const { span } of ranked) {
    if (span.end <= span.start) continue;
    if (isFree(taken, span.start, span.end)) {
      taken.fill(1, span.start, span.end);
      won.push(span);
    } else losers.push(span);
  }
  for (const loser of losers) won.push(...freeParts(taken, loser, text));
  return won.sort((first, second) => first.start - second.start);
}

function isFree(taken: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (taken[index] === 1) return false;
  return true;
}

function* freeParts(taken: Uint8Array, loser: Span, text: string): Generator<Span & { isPart: boolean }> {
  let index = loser.start;
  while (index < loser.end) {
    while (index < loser.end && taken[index] === 1) index += 1;
    let [start, end] = [index, index];
    while (end < loser.end && taken[end] === 0) end += 1;
    index = end;
    if (!holdsWord(text, start, end)) continue;
    while (!isWordAt(text, start)) start += 1;
    while (!isWordAt(text, end - 1)) end -= 1;
    taken.fill(1, start, end);
    yield { start, end, kind: loser.kind, plain: text.slice(start, end), field: loser.field, isPart: true };
  }
}

import type { Sink } from '../spans/span.ts';
import { viewOf } from '../text/view.ts';
import { isNoSecret, SECRET_KEY } from './passwords.ts';

const QUOTED = new RegExp(
  `${SECRET_KEY}(?:\\\\{0,7}["'])?[ \\t]{0,2}(?:=>|=|:(?!//))[ \\t]{0,2}(\\\\{0,7})(["'])`,
  'gi',
);
const UNQUOTED = new RegExp(
  `${SECRET_KEY}[ \\t]{0,2}=[ \\t]{0,2}([^\\s,;"'<>{}&|\`()\\[\\]\\\\][^\\s,;"'<&|\`\\\\]{0,511})`,
  'gi',
);
const LONGEST = 1024;

/** Passwords in the text as it stands: a quote closes at its own depth of escape, and percent signs may be part of the value. */
export function rawPasswords(text: string, sink: Sink): void {
  for (const match of text.matchAll(QUOTED)) {
    const start = match.index + match[0].length;
    const end = endOfQuoted(text, start, match[2] ?? '"', match[1]?.length ?? 0);
    if (end > start && !isNoSecret(text.slice(start, end))) {
      sink.take('password', start, end, viewOf(text.slice(start, end)).text);
    }
  }
  if (!text.includes('%')) return;
  for (const match of text.matchAll(UNQUOTED)) {
    const value = match[1] ?? '';
    const end = match.index + match[0].length;
    if (value.includes('%') && !isNoSecret(value)) {
      sink.take('password', end - value.length, end, viewOf(value).text);
    }
  }
}

function endOfQuoted(text: string, from: number, quote: string, backslashes: number): number {
  const period = 2 * (backslashes + 1);
  for (
    let index = text.indexOf(quote, from);
    index >= 0 && index - from < LONGEST;
    index = text.indexOf(quote, index + 1)
  ) {
    let first = index;
    while (first > from && text.charAt(first - 1) === '\\') first -= 1;
    const count = index - first;
    if (count < backslashes || count % period === backslashes) return index - Math.min(count, backslashes);
  }
  return from;
}

import type { Token } from './lexer.ts';

/** A comparison among the terms of a stage, such as `index=web`. */
export interface Term {
  /** Field without quotes and escapes. */
  key: string;
  operator: string;
  /** First value without quotes; that of `IN (a, b)` is `(`. */
  value: string;
  position: number;
  /** Whether the value is a single word or string, or `now()`. */
  isSimple: boolean;
  /** Index of the key among the tokens. */
  index: number;
}

const COMPARISONS = new Set(['=', '==', '!=', '<', '>', '<=', '>=', '::', 'IN']);

/** Text of a token without quotes; a backslash outside of strings stands for the next character. */
export function textOf(text: string, { kind, start, end }: Token): string {
  if (kind === 'string') return text.slice(start + 1, end - 1).replace(/\\(["'\\])/g, '$1');
  return text.slice(start, end).replace(/\\(.)/gs, '$1');
}

/** Comparisons of a stage, in the order of the text. */
export function termsOf(text: string, tokens: readonly Token[]): Term[] {
  return tokens.flatMap((token, index) => termAt(text, tokens, token, index) ?? []);
}

function termAt(text: string, tokens: readonly Token[], token: Token, index: number): Term | undefined {
  if (token.kind !== 'word' && token.kind !== 'string') return undefined;
  const written = textOf(text, token);
  const colons = token.kind === 'word' ? written.indexOf('::') : -1;
  if (colons > 0) {
    const [key, value] = [written.slice(0, colons), written.slice(colons + 2)];
    return { key, operator: '::', value, position: token.start, isSimple: false, index };
  }
  const next = tokens[index + 1];
  const operator = next ? operatorOf(text, next) : '';
  if (!COMPARISONS.has(operator)) return undefined;
  const first = tokens[index + 2];
  const value = first ? textOf(text, first) : '';
  return { key: written, operator, value, position: token.start, isSimple: isSimple(text, tokens, index + 2), index };
}

function operatorOf(text: string, token: Token): string {
  if (token.kind === 'operator') return text.slice(token.start, token.end);
  return token.kind === 'word' ? text.slice(token.start, token.end).toUpperCase() : '';
}

/** Whether a value ends where its token ends: nothing is joined to it, and it is no call but `now()`. */
function isSimple(text: string, tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (!token || (token.kind !== 'word' && token.kind !== 'string')) return false;
  const after = text.charAt(token.end);
  if (after === '(') return textOf(text, token) === 'now' && text.slice(token.end, token.end + 2) === '()';
  return after === '' || ' \t\r\n)],|'.includes(after);
}

/** Tokens that touch each other, as one text each, with its first token: `datamodel:"Web"`. */
export function runsOf(text: string, tokens: readonly Token[]): { run: string; position: number }[] {
  const runs: { run: string; position: number }[] = [];
  let end = -1;
  for (const token of tokens) {
    const part = text.slice(token.start, token.end);
    const last = runs.at(-1);
    if (last && token.start === end) last.run += part;
    else runs.push({ run: part, position: token.start });
    end = token.end;
  }
  return runs;
}

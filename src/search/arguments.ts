import { type Arguments, SearchError, type Values } from './command.ts';

const KEY = /\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*/y;
const VALUE = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"'=]+)/y;
const MAX_EXCERPT = 60;

/** @throws SearchError */
export function parseArguments<A extends Arguments>(text: string, known: A): Values<A> {
  const pairs = parsePairs(text, Object.keys(known));
  for (const [name, { isRequired, syntax }] of Object.entries(known)) {
    if (isRequired && !pairs.has(name))
      throw new SearchError(`The argument ${name} is missing: write ${name}=${syntax}`);
  }
  return Object.fromEntries([...pairs].map(([name, value]) => [name, known[name]?.read(value, name)])) as Values<A>;
}

/**
 * Parses `name=value` pairs, with optional quotes and spaces around the `=`.
 * @throws SearchError for other syntax, and for unknown and repeated names
 */
function parsePairs(text: string, known: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match)
      throw new SearchError(`Cannot read the arguments at "${excerpt(text.slice(at).trim())}": write name=value`);
    at = pattern.lastIndex;
    return match;
  };
  while (text.slice(at).trim() !== '') {
    const name = String(take(KEY)[1]).toLowerCase();
    const [, double, single, bare] = take(VALUE);
    if (!known.includes(name)) throw new SearchError(`Unknown argument ${excerpt(name)}: use ${known.join(', ')}`);
    if (found.has(name)) throw new SearchError(`The argument ${name} is given twice`);
    found.set(name, bare ?? unescaped(double ?? single ?? ''));
    if (at < text.length && !/\s/.test(text.charAt(at))) {
      throw new SearchError(`Cannot read the arguments at "${excerpt(text.slice(at))}": write name=value`);
    }
  }
  return found;
}

/** Other backslashes are kept: paths and patterns contain them. */
const unescaped = (text: string): string => text.replace(/\\(["'\\])/g, '$1');

/** Shortens user input to one line for a message. */
export function excerpt(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT)}…` : line;
}

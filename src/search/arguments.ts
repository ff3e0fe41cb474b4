import { type Arguments, SearchError, type Values } from './command.ts';

const KEY = /\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*/y;
const VALUE = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"'=]+)/y;
const MAX_EXCERPT = 60;

/** What a search gave a command. */
export interface Given<A extends Arguments> {
  values: Values<A>;
  /** Arguments that only the command itself knows, by their names as written. */
  others: ReadonlyMap<string, string>;
}

/** @param takesOthers whether unknown names are kept instead of refused @throws SearchError */
export function parseArguments<A extends Arguments>(text: string, known: A, takesOthers = false): Given<A> {
  const { pairs, others } = parsePairs(text, Object.keys(known), takesOthers);
  for (const [name, { isRequired, syntax }] of Object.entries(known)) {
    if (isRequired && !pairs.has(name))
      throw new SearchError(`The argument ${name} is missing: write ${name}=${syntax}`);
  }
  const values = Object.fromEntries([...pairs].map(([name, value]) => [name, known[name]?.read(value, name)]));
  return { values: values as Values<A>, others };
}

type Pairs = Map<string, string>;

/**
 * Parses `name=value` pairs, with optional quotes and spaces around the `=`.
 * @throws SearchError for other syntax, and for unknown and repeated names
 */
function parsePairs(text: string, known: readonly string[], takesOthers: boolean): { pairs: Pairs; others: Pairs } {
  const pairs: Pairs = new Map();
  const others: Pairs = new Map();
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
    const written = String(take(KEY)[1]);
    const [, double, single, bare] = take(VALUE);
    const isKnown = known.includes(written.toLowerCase());
    const name = isKnown ? written.toLowerCase() : written;
    if (!isKnown && !takesOthers) {
      throw new SearchError(`Unknown argument ${excerpt(name.toLowerCase())}: use ${known.join(', ')}`);
    }
    const found = isKnown ? pairs : others;
    if (found.has(name)) throw new SearchError(`The argument ${excerpt(name)} is given twice`);
    found.set(name, bare ?? unescaped(double ?? single ?? ''));
    if (at < text.length && !/\s/.test(text.charAt(at))) {
      throw new SearchError(`Cannot read the arguments at "${excerpt(text.slice(at))}": write name=value`);
    }
  }
  return { pairs, others };
}

/** Other backslashes are kept: paths and patterns contain them. */
const unescaped = (text: string): string => text.replace(/\\(["'\\])/g, '$1');

/** Shortens user input to one line for a message. */
export function excerpt(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT)}…` : line;
}

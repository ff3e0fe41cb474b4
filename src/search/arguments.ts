import { type Arguments, type Command, type Plan, SearchError, type Values } from './command.ts';

const KEY = /\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*/y;
const VALUE = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"'=]+)/y;
const MAX_EXCERPT = 60;

/** @param text the arguments as the search has them @throws SearchError */
export function planOf<A extends Arguments, P extends Plan>(command: Command<A, P>, text: string): P {
  const { values, others } = parseArguments(text, command.arguments, command.others !== undefined);
  return command.prepare(values, others);
}

/** Arguments of a search. */
export interface ArgumentValues<A extends Arguments> {
  values: Values<A>;
  /** Arguments that only the command itself knows, by their names as written. */
  others: ReadonlyMap<string, string>;
}

/** @param takesOthers whether unknown names are kept instead of refused @throws SearchError */
export function parseArguments<A extends Arguments>(text: string, declared: A, takesOthers = false): ArgumentValues<A> {
  const { pairs, others } = parsePairs(text, Object.keys(declared), takesOthers);
  for (const [name, { isRequired, syntax }] of Object.entries(declared)) {
    if (isRequired && !pairs.has(name))
      throw new SearchError(`The argument ${name} is missing: write ${name}=${syntax}`);
  }
  const values = Object.fromEntries([...pairs].map(([name, value]) => [name, declared[name]?.read(value, name)]));
  return { values: values as Values<A>, others };
}

type Pairs = Map<string, string>;

/**
 * Parses `name=value` pairs, with optional quotes and spaces around the `=`.
 * @throws SearchError for other syntax, and for unknown and repeated names
 */
function parsePairs(text: string, names: readonly string[], takesOthers: boolean): { pairs: Pairs; others: Pairs } {
  const pairs: Pairs = new Map();
  const others: Pairs = new Map();
  let position = 0;
  const take = (pattern: RegExp): RegExpExecArray => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (!match)
      throw new SearchError(`Cannot read the arguments at "${excerpt(text.slice(position).trim())}": write name=value`);
    position = pattern.lastIndex;
    return match;
  };
  while (text.slice(position).trim() !== '') {
    const written = String(take(KEY)[1]);
    const [, double, single, bare] = take(VALUE);
    const isKnown = names.includes(written.toLowerCase());
    const name = isKnown ? written.toLowerCase() : written;
    if (!isKnown && !takesOthers) {
      throw new SearchError(`Unknown argument ${excerpt(name.toLowerCase())}: use ${names.join(', ')}`);
    }
    const target = isKnown ? pairs : others;
    if (target.has(name)) throw new SearchError(`The argument ${excerpt(name)} is given twice`);
    target.set(name, bare ?? unescaped(double ?? single ?? ''));
    if (position < text.length && !/\s/.test(text.charAt(position))) {
      throw new SearchError(`Cannot read the arguments at "${excerpt(text.slice(position))}": write name=value`);
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

/** A parsed `capability` setting: true if a caller with these capabilities may pass. */
export interface CapabilityExpression {
  readonly text: string;
  allows(capabilities: ReadonlySet<string>): boolean;
}

type Node = (capabilities: ReadonlySet<string>) => boolean;

/**
 * Parses names joined by `or`, `and`, `not` and parentheses; `not` binds tightest, `or` loosest. Errors quote the text
 * and the position.
 */
export function parseCapabilityExpression(text: string): CapabilityExpression {
  const tokens = tokenize(text);
  let next = 0;
  const fail = (what: string): never => {
    const token = tokens[next];
    const where = token ? `at "${token.text}" (character ${token.position + 1})` : 'at the end';
    throw new Error(`bad capability expression "${text}": ${what} ${where}`);
  };
  const take = (word: string): boolean => {
    if (tokens[next]?.word !== word) return false;
    next += 1;
    return true;
  };

  const parseOr = (): Node => {
    const parts = [parseAnd()];
    while (take('or')) parts.push(parseAnd());
    return parts.length === 1 && parts[0] ? parts[0] : (held) => parts.some((part) => part(held));
  };
  const parseAnd = (): Node => {
    const parts = [parseNot()];
    while (take('and')) parts.push(parseNot());
    return parts.length === 1 && parts[0] ? parts[0] : (held) => parts.every((part) => part(held));
  };
  const parseNot = (): Node => {
    if (!take('not')) return parseAtom();
    const part = parseNot();
    return (held) => !part(held);
  };
  const parseAtom = (): Node => {
    if (take('(')) {
      const inner = parseOr();
      return take(')') ? inner : fail('a closing parenthesis is missing');
    }
    const token = tokens[next];
    if (!token || OPERATORS.has(token.word)) return fail('a capability name is missing');
    next += 1;
    return (held) => held.has(token.text);
  };

  const root = parseOr();
  if (next < tokens.length) fail('an operator is missing');
  return { text, allows: root };
}

const OPERATORS = new Set(['and', 'or', 'not', '(', ')']);

interface Token {
  text: string;
  /** Operators in lower case; names unchanged. */
  word: string;
  position: number;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(/[()]|[A-Za-z0-9_]+|\S/g)) {
    const [word] = match;
    if (!/^[()]$|^\w+$/.test(word)) {
      throw new Error(`bad capability expression "${text}": "${word}" at character ${match.index + 1} is not allowed`);
    }
    const lower = word.toLowerCase();
    tokens.push({ text: word, word: OPERATORS.has(lower) ? lower : word, position: match.index });
  }
  return tokens;
}

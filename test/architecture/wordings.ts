import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parse } from 'acorn';
import { transformSync } from 'esbuild';
import { root } from './sources.ts';

/** First words of comments that read as fragments, names of locals that do not tell what they hold, and types that are participles. */
export const FIRST_WORDS = ['Of', 'What', 'Who', 'Those', 'So many'] as const;
export const VAGUE_NAMES = ['found', 'one', 'known', 'at', 'rest', 'all', 'seen'] as const;
const VAGUE_TYPES =
  /^(?:[A-Z][a-z]+ed|Done|Found|Given|Gone|Held|Kept|Known|Made|Meant|Said|Seen|Sent|Shown|Taken|Told)$/;

/** Wordings to avoid. */
export interface Wordings {
  /** Such as `What (line 7)`. */
  comments: string[];
  /** Such as `found`. */
  names: string[];
  /** Such as `Taken`. */
  types: string[];
}

/** Classes of failures, with the place of the message among the arguments of their constructor. */
const FAILURES: Readonly<Record<string, number>> = { Fault: 1, OutboundError: 1, SearchError: 0 };
/** Stands for an expression in a message. */
const HOLE = '…';

export const ONE_SENTENCE = 'a message of one sentence has no full stop';
export const SENTENCES = 'a message of several sentences ends with a full stop';
export const CAPITAL = 'a message starts with a capital letter or a name with _';

type AnyNode = Node & Record<string, unknown>;

/** Paths of all TypeScript files that people write, below the root of the repository. */
export function writtenFiles(): string[] {
  const patterns = ['{src,platform/src,client/src,tools}/**/*.ts', 'console/**/*.{ts,tsx}'];
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
    .filter((path) => !readFileSync(join(root, path), 'utf8').startsWith('// Generated'))
    .sort();
}

export const wordingsOfFile = (path: string): Wordings =>
  wordingsOfText(readFileSync(join(root, path), 'utf8'), path.endsWith('.tsx') ? 'tsx' : 'ts');

export const wordingsOfText = (text: string, language: 'ts' | 'tsx' = 'ts'): Wordings => ({
  comments: commentsOf(text),
  names: namesOf(text, language),
  types: [...text.matchAll(TYPE)].flatMap(([, name = '']) => (VAGUE_TYPES.test(name) ? [name] : [])),
});

const TYPE = /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm;
const LINE_COMMENT = /^\s*\/\//;
/** A comment at the start of a line or after code, with the first line of its text. */
const COMMENT = /(?:^|\s|\{)(?:\/\/|\/\*\*?)\s+(\S.*)$/;
const BLOCK_START = /^\s*\/\*\*?\s*$/;
const STARTS = new RegExp(`^(?:${FIRST_WORDS.join('|')})\\b`);

/** Looks at lines rather than tokens: the compiler's parser is not at hand, and others drop the comments of types. */
function commentsOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const before = lines[index - 1] ?? '';
    const isContinued = LINE_COMMENT.test(line) && LINE_COMMENT.test(before);
    const content = BLOCK_START.test(before) ? line.replace(/^\s*\*\s*/, '') : COMMENT.exec(line)?.[1];
    const start = isContinued ? undefined : content && STARTS.exec(content)?.[0];
    return start ? [`${start} (line ${index + 1})`] : [];
  });
}

/**
 * Declared variables and parameters, also in destructuring. `{ at }` is left out: the name is that of a field. So are parameters
 * of function types, which hold no value.
 */
function namesOf(text: string, loader: 'ts' | 'tsx'): string[] {
  const declared = [...nodes(programOf(text, loader))].flatMap((node): unknown[] => {
    if (node.type === 'VariableDeclarator') return [node.id];
    return Array.isArray(node.params) ? node.params : [];
  });
  const names = declared.flatMap((pattern) => boundNames(pattern as AnyNode | null));
  return names.filter((name) => (VAGUE_NAMES as readonly string[]).includes(name));
}

/** The program as JavaScript: types and JSX gone, names and lines of declarations kept. */
function programOf(text: string, loader: 'ts' | 'tsx'): Node {
  const { code } = transformSync(text, { loader, jsx: 'automatic', target: 'esnext', format: 'esm' });
  return parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
}

function* nodes(node: unknown): Generator<AnyNode> {
  if (Array.isArray(node)) for (const item of node) yield* nodes(item);
  else if (typeof node === 'object' && node !== null && 'type' in node) {
    yield node as AnyNode;
    for (const value of Object.values(node)) yield* nodes(value);
  }
}

function boundNames(pattern: AnyNode | null): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [String(pattern.name)];
    case 'AssignmentPattern':
      return boundNames(pattern.left as AnyNode);
    case 'RestElement':
      return boundNames(pattern.argument as AnyNode);
    case 'ArrayPattern':
      return (pattern.elements as (AnyNode | null)[]).flatMap(boundNames);
    case 'ObjectPattern':
      return (pattern.properties as AnyNode[]).flatMap((property) => {
        if (property.type === 'RestElement') return boundNames(property);
        return property.shorthand ? [] : boundNames(property.value as AnyNode);
      });
    default:
      return [];
  }
}

/** The messages of failures that a source file makes, each with its problem if it has one. */
export function messagesOf(text: string): { message: string; problem: string | undefined }[] {
  return [...nodes(programOf(text, 'ts'))].flatMap((node) => {
    const failure = node.type === 'NewExpression' ? String((node.callee as AnyNode).name) : '';
    const place = FAILURES[failure];
    if (place === undefined) return [];
    // Messages of search commands start with the name of an argument.
    const hasAnyStart = failure === 'SearchError';
    const messages = literalsOf((node.arguments as AnyNode[])[place]);
    return messages.map((message) => ({ message, problem: problemOf(message, hasAnyStart) }));
  });
}

function problemOf(message: string, hasAnyStart: boolean): string | undefined {
  const sentences = message.split(/(?<=[a-z0-9)"…][.?!]|^…) (?=[A-Z…])/);
  if (sentences.length === 1 && /[^.]\.$/.test(message)) return ONE_SENTENCE;
  if (sentences.length > 1 && !/[.?!…]$/.test(message)) return SENTENCES;
  const [word = ''] = message.split(/[ :]/);
  return !hasAnyStart && /^[a-z]/.test(word) && !word.includes('_') ? CAPITAL : undefined;
}

function literalsOf(node: AnyNode | undefined): string[] {
  switch (node?.type) {
    case 'Literal':
      return [String(node.value)];
    case 'TemplateLiteral':
      return [(node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(HOLE)];
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap((branch) => literalsOf(branch as AnyNode));
    default:
      return [];
  }
}

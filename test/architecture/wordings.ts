import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parse } from 'acorn';
import { transformSync } from 'esbuild';
import { root } from './sources.ts';

/** First words of comments that read as fragments, and names of locals that do not tell what they hold. */
export const FIRST_WORDS = ['Of', 'What', 'Who', 'Those', 'So many'] as const;
export const VAGUE_NAMES = ['found', 'one', 'known', 'at', 'rest', 'all', 'seen'] as const;

/** Wordings to avoid. */
export interface Wordings {
  /** Such as `What (line 7)`. */
  comments: string[];
  /** Such as `found`. */
  names: string[];
}

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
});

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
  // As JavaScript: types and JSX gone, names and lines of declarations kept.
  const { code } = transformSync(text, { loader, jsx: 'automatic', target: 'esnext', format: 'esm' });
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const declared = [...nodes(program)].flatMap((node): unknown[] => {
    if (node.type === 'VariableDeclarator') return [node.id];
    return Array.isArray(node.params) ? node.params : [];
  });
  const names = declared.flatMap((pattern) => boundNames(pattern as AnyNode | null));
  return names.filter((name) => (VAGUE_NAMES as readonly string[]).includes(name));
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

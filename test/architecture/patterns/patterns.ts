import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { type Node, type Program, parse } from 'acorn';
import { analyse } from 'scslre';
import type { Endpoint } from '../../../src/contract/rows/endpoint.ts';

/** A regular expression, and where it stands. */
export interface Pattern {
  where: string;
  source: string;
  flags: string;
}

export interface Found {
  patterns: Pattern[];
  /** Expressions made of what is only known at run time: nobody can tell how they behave. */
  unknown: string[];
}

type Any = Node & Record<string, unknown>;
type Constants = Map<string, string>;

/** Every regular expression of source files: literals, and what constants make of `new RegExp(…)`. */
export function patternsOfSources(root: string, paths: readonly string[]): Found {
  const files = paths.map((path) => ({ path, program: parsed(readFileSync(join(root, path), 'utf8')) }));
  const constants: Constants = new Map(files.flatMap(({ program }) => constantsOf(program)));
  const found: Found = { patterns: [], unknown: [] };
  for (const { path, program } of files) collect(program, path, constants, found);
  return found;
}

/** The same of one text, for tests of the checker. */
export function patternsOfText(text: string): Found {
  const program = parsed(text);
  const found: Found = { patterns: [], unknown: [] };
  collect(program, 'text', new Map(constantsOf(program)), found);
  return found;
}

function parsed(text: string): Program {
  return parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module', locations: true });
}

function* nodes(node: unknown): Generator<Any> {
  if (Array.isArray(node)) for (const one of node) yield* nodes(one);
  else if (typeof node === 'object' && node !== null && 'type' in node) {
    yield node as Any;
    for (const [key, value] of Object.entries(node)) if (key !== 'loc') yield* nodes(value);
  }
}

/** `const NAME = 'text'` of any file, by name: names of patterns and sizes are unique enough. */
function constantsOf(program: Program): [string, string][] {
  return [...nodes(program)].flatMap((node): [string, string][] => {
    if (node.type !== 'VariableDeclarator') return [];
    const value = textOf(node.init as Any | null, new Map());
    return value === undefined ? [] : [[(node.id as unknown as { name: string }).name, value]];
  });
}

function textOf(node: Any | null, constants: Constants): string | undefined {
  if (node?.type === 'Literal' && node.regex === undefined) return String(node.value);
  if (node?.type === 'Identifier') return constants.get(String(node.name));
  if (node?.type !== 'TemplateLiteral') return undefined;
  const quasis = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  const values = (node.expressions as Any[]).map((expression) => textOf(expression, constants));
  if (values.includes(undefined)) return undefined;
  return quasis.map((quasi, index) => quasi + (values[index] ?? '')).join('');
}

function collect(program: Program, path: string, constants: Constants, found: Found): void {
  for (const node of nodes(program)) {
    const where = `${path}:${node.loc?.start.line}`;
    if (node.type === 'Literal' && node.regex !== undefined) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      found.patterns.push({ where, source: pattern, flags });
    }
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
    if (!isCall || (node.callee as Any).name !== 'RegExp') continue;
    const [source, flags] = (node.arguments as Any[]).map((argument) => textOf(argument, constants));
    if (source === undefined) found.unknown.push(where);
    else found.patterns.push({ where, source, flags: flags ?? '' });
  }
}

/** A text field whose pattern is looked at by the validator. */
export interface PatternField extends Pattern {
  /** False: the keys of an object are what is matched. */
  isText: boolean;
  maxLength: number | undefined;
}

type Schema = Record<string, unknown>;

/** Patterns of the schemas of requests: `pattern` of texts and `patternProperties` of keys. */
export function patternsOfTable(table: readonly Endpoint[]): PatternField[] {
  return table.flatMap((row) =>
    (['params', 'query', 'body'] as const).flatMap((part) =>
      row[part] ? patternsOfSchema(JSON.parse(JSON.stringify(row[part])), `${row.id} ${part}`) : [],
    ),
  );
}

function patternsOfSchema(schema: unknown, where: string): PatternField[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((one, index) => patternsOfSchema(one, `${where}/${index}`));
  const { pattern, maxLength, patternProperties } = schema as Schema;
  const of = (source: string, isText: boolean) => ({
    where,
    source,
    flags: 'u',
    isText,
    maxLength: maxLength as number,
  });
  // A property may be called `pattern`: then it is a schema.
  const own = typeof pattern === 'string' ? [of(pattern, true)] : [];
  const keys = Object.keys((patternProperties as Schema | undefined) ?? {}).map((source) => of(source, false));
  const inner = Object.entries(schema).flatMap(([key, value]) => patternsOfSchema(value, `${where}/${key}`));
  return [...own, ...keys, ...inner];
}

/**
 * Why a text can be found that costs more than its length; undefined when there is none.
 * `Trade`: two repetitions that share letters; `Self`: a repetition that can be cut in many ways; `Move`: a repetition that is
 * tried anew from each letter of what it has already read.
 */
export function slowness({ source, flags }: Pattern): string | undefined {
  const { reports } = analyse({ source, flags });
  const words = reports.map((report) => `${report.type}${report.exponential ? ', exponential' : ''}`);
  return words.length > 0 ? [...new Set(words)].join('; ') : undefined;
}

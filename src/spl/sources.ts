import type { GuardFault } from './kinds.ts';
import type { Token } from './lexer.ts';
import type { Stage } from './stages.ts';
import { type Term, termsOf, textOf } from './terms.ts';

/** Commands whose arguments are search terms, with time limits among them. */
const SEARCHING = new Set([
  ...['search', 'tstats', 'mstats', 'metasearch', 'mcatalog', 'mpreview', 'msearch', 'searchtxn'],
  ...['eventcount', 'metadata', 'datamodel', 'pivot', 'from'],
]);
/** Commands that always name a metric, a data model or a dataset. */
const NAMING = new Set(['mstats', 'pivot', 'from', 'datamodel']);
const SOURCES = new Set(['index', 'sourcetype', 'source', 'host', 'eventtype', 'datamodel', 'metric_name']);
const MAX_LISTED = 200;
const POSITIVE = new Set(['=', '==', '::', 'IN']);

/** Whether the arguments of a command are search terms. */
export const searches = (command: string): boolean => SEARCHING.has(command);

/** The fault of a stage that reads events without naming which. */
export function sourceFault(text: string, stage: Stage, readsEvents: boolean): GuardFault | undefined {
  if (!readsEvents || !SEARCHING.has(stage.command) || NAMING.has(stage.command)) return undefined;
  const negated = negatedTokens(text, stage.tokens);
  const isNamed = termsOf(text, stage.tokens).some(
    (term) => !negated.has(term.index) && names(text, stage.tokens, term),
  );
  if (isNamed) return undefined;
  const message = `Command ${stage.command} must name what it reads: an index, data model, sourcetype, source, host or event type, such as index=main (index=* alone does not count)`;
  return { reason: 'index', command: stage.command, position: stage.position, message };
}

function names(text: string, tokens: readonly Token[], { key, operator, value, index }: Term): boolean {
  if (!SOURCES.has(key.toLowerCase()) || !POSITIVE.has(operator)) return false;
  const values = operator === 'IN' ? listAfter(text, tokens, index + 2) : [value];
  return values.length > 0 && values.every((each) => /[^\W_]/.test(each));
}

/** Values of `(a, b)`, up to a number that bounds the time that this takes. */
function listAfter(text: string, tokens: readonly Token[], open: number): string[] {
  const values: string[] = [];
  for (const token of tokens.slice(open + 1, open + 1 + MAX_LISTED)) {
    const value = textOf(text, token);
    if (value === ')') break;
    if (value !== ',') values.push(value);
  }
  return values;
}

/** Indexes of the tokens below a `NOT`: the next term or what its parentheses hold. */
function negatedTokens(text: string, tokens: readonly Token[]): Set<number> {
  const negated = new Set<number>();
  let index = 0;
  while (index < tokens.length) {
    const token = tokens[index];
    index += 1;
    if (token?.kind !== 'word' || textOf(text, token).toUpperCase() !== 'NOT') continue;
    for (const end = endOfTerm(text, tokens, index); index < end; index += 1) negated.add(index);
  }
  return negated;
}

function endOfTerm(text: string, tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    const word = token.kind === 'string' ? '' : textOf(text, token);
    if (word === '(') depth += 1;
    else if (word === ')') depth -= 1;
    const isRepeated = word.toUpperCase() === 'NOT' && depth === 0;
    if (depth <= 0 && !isRepeated) return index + 1;
  }
  return tokens.length;
}

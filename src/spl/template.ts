import { valueProblem, written } from './argumentValues.ts';
import { runsOrSends } from './commands/policy.ts';
import { prepare, withCommand } from './guard.ts';
import { judgeText } from './judgement.ts';
import type { GuardFault, SearchPolicy, SearchView, TemplateArgument } from './kinds.ts';
import { lex, OTHER_READINGS, type Token, trimBlanks, USUAL } from './lexer.ts';
import { type Context, contextsOf, type MarkedTemplate, markPlaces } from './placeholders.ts';
import { textOf } from './terms.ts';

export type { TemplateArgument } from './kinds.ts';

/** A fault with the path of its field, such as `arguments/0/default` or `values/user`. */
export interface TemplateFault {
  path: string;
  message: string;
}

/** Types whose values are no names, so that they are no commands either. */
const NAMELESS: readonly string[] = ['integer', 'number', 'boolean', 'time'] satisfies TemplateArgument['type'][];
/** Words that may stand outside of quotes. */
const PLAIN_WORD = /^[A-Za-z0-9_][\w.:-]*$/;

/** Searches within strings of `map` that are looked into. */
const MAX_MAPS = 3;

/** Faults of a template: of its text, its arguments and the places where they stand. */
export function checkTemplate(search: string, args: readonly TemplateArgument[]): TemplateFault[] {
  const marked = markPlaces(search);
  if (typeof marked === 'string') return [{ path: 'search', message: marked }];
  if (trimBlanks(marked.text) === '') return [{ path: 'search', message: 'The search is empty' }];
  const contexts = contextsOf(marked);
  if (typeof contexts === 'string') return [{ path: 'search', message: contexts }];
  const declared = new Map(args.map((argument) => [argument.name, argument]));
  return [
    ...args.flatMap((argument, index) => argumentFaults(argument, index, args, marked)),
    ...marked.places.flatMap(({ name }, index) => {
      const problem = placeProblem(declared.get(name), contexts[index] as Context);
      return problem === undefined ? [] : [{ path: 'search', message: `Argument ${name} ${problem}` }];
    }),
  ];
}

function argumentFaults(
  argument: TemplateArgument,
  index: number,
  args: readonly TemplateArgument[],
  { places }: MarkedTemplate,
): TemplateFault[] {
  const { name, minimum, maximum, is_required } = argument;
  const faults: TemplateFault[] = [];
  const add = (field: string, problem: string): void => {
    faults.push({ path: `arguments/${index}/${field}`, message: `Argument ${name} ${problem}` });
  };
  if (args.findIndex((other) => other.name === name) < index) add('name', 'is declared twice');
  if (!places.some((place) => place.name === name))
    add('name', `is not used; write $${name}$ in the search or remove it`);
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) add('minimum', 'must not be above maximum');
  for (const [position, value] of (argument.enum ?? []).entries()) {
    const problem = valueProblem(value, argument);
    if (problem !== undefined) add(`enum/${position}`, problem);
  }
  const problem = argument.default === undefined ? undefined : valueProblem(argument.default, argument);
  if (problem !== undefined) add('default', problem);
  if (!is_required && argument.default === undefined) add('default', 'is not required, so it needs a default');
  return faults;
}

function placeProblem(argument: TemplateArgument | undefined, context: Context): string | undefined {
  if (!argument) return 'is not declared; add it to the arguments, or write $$ for a dollar sign';
  if (context.refusal !== undefined) return context.refusal;
  if (context.isSearchText && !NAMELESS.includes(argument.type))
    return 'stands in the text of another search, where only integers, numbers, booleans and times may';
  const values = argument.enum ?? [];
  if (context.isRegex && values.length === 0) return 'stands in a regular expression, so it needs an enum';
  const isWordList = values.length > 0 && values.every((value) => PLAIN_WORD.test(String(value)));
  if (argument.type !== 'string' || context.isQuoted || isWordList) return undefined;
  return 'is a string and stands outside of double quotes: put it in quotes, use another type (index, sourcetype, field) or an enum of plain words';
}

/** The filled text, or why it may not run. */
export type FilledTemplate = { search: string } | { fault: TemplateFault & { code: 'invalid' | 'search_not_allowed' } };

/**
 * Fills values in. The result has the tokens of the template in every reading, so a value never becomes more than a value. With a
 * view, macros are expanded as the caller sees them, and the expanded text is compared too.
 */
export function fillTemplate(
  search: string,
  args: readonly TemplateArgument[],
  values: Readonly<Record<string, unknown>>,
  view?: SearchView,
): FilledTemplate {
  const [invalid] = [...checkTemplate(search, args), ...valueFaults(args, values)];
  if (invalid) return { fault: { ...invalid, code: 'invalid' } };
  const marked = markPlaces(search) as MarkedTemplate;
  const contexts = contextsOf(marked) as Context[];
  const texts = new Map(
    marked.places.map(({ name, mark }, index) => {
      const value = args.find((argument) => argument.name === name);
      const given = Object.hasOwn(values, name) ? (values[name] ?? value?.default) : value?.default;
      return [mark, written(given, contexts[index]?.isQuoted === true)];
    }),
  );
  const text = marked.text.replace(/[\ue000-\uf8ff]/g, (mark) => texts.get(mark) ?? '');
  if (!hasSameTokens(marked.text, text)) return { fault: notAllowed('A value changes the stages of the search') };
  if (!view) return { search: asDispatched(text) };
  const [expected, prepared] = [prepare(marked.text, view), prepare(text, view)];
  if ('reason' in prepared) return { fault: notAllowed(prepared.message) };
  const hasSameStages = !('reason' in expected) && hasSameTokens(expected.search, prepared.search);
  if (!hasSameStages || hasMisplaced({ ...marked, text: expected.search }, args)) {
    return { fault: notAllowed('A macro of the search lets a value change its stages') };
  }
  return { search: prepared.search };
}

/** The text with its first command; a macro may hold that, as only its expansion tells. */
function asDispatched(text: string): string {
  const trimmed = trimBlanks(text);
  return trimmed.startsWith('`') ? trimmed : withCommand(trimmed);
}

const notAllowed = (message: string): TemplateFault & { code: 'search_not_allowed' } => ({
  path: 'values',
  message,
  code: 'search_not_allowed',
});

function valueFaults(args: readonly TemplateArgument[], values: Readonly<Record<string, unknown>>): TemplateFault[] {
  const unknown = Object.keys(values).filter((name) => !args.some((argument) => argument.name === name));
  return [
    ...unknown.map((name) => ({ path: `values/${name}`, message: `The search has no argument ${name}` })),
    ...args.flatMap((argument) => {
      const { name, is_required } = argument;
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      const isMissing = value === undefined || value === null;
      if (isMissing && (!is_required || argument.default !== undefined)) return [];
      const problem = isMissing ? 'is required' : valueProblem(value, argument);
      return problem === undefined ? [] : [{ path: `values/${name}`, message: `Argument ${name} ${problem}` }];
    }),
  ];
}

/** Whether two texts have tokens of the same kinds in the same order, however they are read. */
function hasSameTokens(template: string, filled: string): boolean {
  return [USUAL, ...OTHER_READINGS].every((reading) => {
    const [expected, actual] = [lex(template, reading), lex(filled, reading)];
    if (!Array.isArray(expected) || !Array.isArray(actual)) return Array.isArray(expected) === Array.isArray(actual);
    return expected.length === actual.length && expected.every(({ kind }, index) => kind === actual[index]?.kind);
  });
}

/** Whether a macro puts an argument where it may not stand, such as one that ends with a bar. */
function hasMisplaced(marked: MarkedTemplate, args: readonly TemplateArgument[]): boolean {
  const contexts = contextsOf(marked);
  if (typeof contexts === 'string') return true;
  return marked.places.some(({ name }, index) => {
    const argument = args.find((each) => each.name === name);
    return placeProblem(argument, contexts[index] as Context) !== undefined;
  });
}

/** The first fault of a filled search that is said to read only: a value may name what the template did not. */
export function filledFault(search: string, view: SearchView, policy: SearchPolicy): GuardFault | undefined {
  const [fault] = judgeText(search, { view, policy: { ...policy, requireIndex: false }, time: null }).faults;
  return fault;
}

/** How the guard judges a template, whatever its values are. */
export interface TemplateJudgement {
  /** Whether it has only commands and lookups that read. */
  read_only: boolean;
  /** Commands at any depth, each once, in lower case. */
  commands: string[];
  /** Commands that run a program or send data: these need `admin_all_objects` at save. */
  refused: string[];
}

/** Judges a template that `checkTemplate` finds without fault; times and `require_index` are not judged. */
export function judgeTemplate(
  search: string,
  args: readonly TemplateArgument[],
  view: SearchView,
  policy: SearchPolicy,
): TemplateJudgement {
  const marked = markPlaces(search);
  if (typeof marked === 'string') return { read_only: false, commands: [], refused: [] };
  const prepared = prepare(marked.text, view);
  const text = 'reason' in prepared ? asDispatched(marked.text) : prepared.search;
  const words = commandWords(text, 0);
  const refused = [...new Set(words.filter(runsOrSends))];
  if ('reason' in prepared) return { read_only: false, commands: [...new Set(words)], refused };
  const listed = withWords(marked, text, args);
  const rules = { view: lookupOfAll(view, listed.lists), policy: { ...policy, requireIndex: false }, time: null };
  const { faults, commands } = judgeText(listed.text, rules);
  return { read_only: faults.length === 0, commands: [...new Set(faults.length > 0 ? words : commands)], refused };
}

/** The text with a word of its own for each argument that has an enum of plain words, and the values of these words. */
function withWords(
  { places }: MarkedTemplate,
  text: string,
  args: readonly TemplateArgument[],
): { text: string; lists: ReadonlyMap<string, string[]> } {
  const lists = new Map<string, string[]>();
  let listed = text;
  for (const [index, { name, mark }] of places.entries()) {
    const values = args.find((argument) => argument.name === name)?.enum?.map(String) ?? [];
    if (values.length === 0 || !values.every((value) => PLAIN_WORD.test(value))) continue;
    const word = `argument_${index}_of_template`;
    lists.set(word, values);
    listed = listed.replaceAll(mark, word);
  }
  return { text: listed, lists };
}

/** A view in which a lookup that an argument names is what all values of the argument are. */
function lookupOfAll(view: SearchView, lists: ReadonlyMap<string, string[]>): SearchView {
  return {
    macro: (name, count) => view.macro(name, count),
    lookup(name) {
      const kinds = (lists.get(name) ?? [name]).map((each) => view.lookup(each));
      if (kinds.includes(null)) return null;
      return kinds.includes('external') ? 'external' : (kinds[0] ?? null);
    },
  };
}

/**
 * Words where a command stands in any way to read the text, also in the search that is a string of `map`; works for texts that
 * cannot be judged. Of searches that are nested too deeply all words count.
 */
function commandWords(text: string, depth: number): string[] {
  if (depth > MAX_MAPS) return text.toLowerCase().match(/[a-z_][\w-]*/g) ?? [];
  const readings = [USUAL, ...OTHER_READINGS].map((reading) => lex(text, reading));
  return readings.flatMap((tokens) => (Array.isArray(tokens) ? commandWordsIn(text, tokens, depth) : []));
}

function commandWordsIn(text: string, tokens: readonly Token[], depth: number): string[] {
  const words: string[] = [];
  const isMapped: boolean[] = [false];
  let isCommand = true;
  for (const token of tokens) {
    const { kind } = token;
    if (kind === 'macro' || kind === 'comment') continue;
    if (kind === 'open') isMapped.push(false);
    else if (kind === 'close') isMapped.pop();
    else if (kind === 'string' && isMapped.at(-1)) words.push(...commandWords(textOf(text, token), depth + 1));
    if ((kind === 'word' || kind === 'string') && isCommand) {
      words.push(textOf(text, token).trim().toLowerCase());
      isMapped.splice(-1, 1, words.at(-1) === 'map');
    }
    isCommand = kind === 'bar' || kind === 'open' || (isCommand && kind === 'operator');
  }
  return words;
}

import { parserError, unquoted } from './scan.ts';

/** A stanza of macros.conf. */
export interface Macro {
  definition?: string | undefined;
  args?: string | undefined;
  iseval?: boolean | undefined;
  validation?: string | undefined;
  errormsg?: string | undefined;
}

export interface MacroSource {
  /** The macro as the caller sees it. @param name with the number of arguments, `name(2)`, if it has any */
  find(name: string): Macro | undefined;
  /** The value of an eval expression without fields; throws the error of `eval`. */
  evaluate(expression: string): string | number | boolean | string[] | undefined;
}

const MOST_DEPTH = 100;
/** Limits a search whose macros multiply its text. */
const MOST_CHARACTERS = 1_000_000;
const NAME = /^[\w-]+$/;

/** Removes comments (three backticks) and expands macros, both outside of strings. Throws splunkd's refusals. */
export function expandMacros(search: string, source: MacroSource): string {
  const budget = { characters: MOST_CHARACTERS };
  return expand(search, source, 0, budget);
}

function expand(text: string, source: MacroSource, depth: number, budget: { characters: number }): string {
  if (depth > MOST_DEPTH)
    throw parserError(
      `Reached maximum recursion depth (${MOST_DEPTH}) while expanding macros. Check for infinitely recursive macro definitions.`,
    );
  let expanded = '';
  let start = 0;
  for (let position = 0; position < text.length; position += 1) {
    const char = text.charAt(position);
    if (char === '\\') position += 1;
    else if (char === '"') position = endOfString(text, position);
    else if (char === '`') {
      expanded += text.slice(start, position);
      if (text.startsWith('```', position)) {
        const end = text.indexOf('```', position + 3);
        if (end < 0) throw parserError('Missing comment closing tickmarks.');
        expanded += ' ';
        position = end + 2;
      } else {
        const end = endOfCall(text, position + 1);
        expanded += expand(definitionOf(text.slice(position + 1, end), source), source, depth + 1, budget);
        position = end;
      }
      start = position + 1;
    }
  }
  expanded += text.slice(start);
  budget.characters -= expanded.length;
  if (budget.characters < 0)
    throw parserError(`The search is longer than ${MOST_CHARACTERS} characters after its macros are expanded.`);
  return expanded;
}

/** The position of the closing quote; the end of the text if there is none, which the parser refuses later. */
function endOfString(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position += 1) {
    if (text[position] === '\\') position += 1;
    else if (text[position] === '"') return position;
  }
  return text.length;
}

function endOfCall(text: string, start: number): number {
  for (let position = start; position < text.length; position += 1) {
    if (text[position] === '"') position = endOfString(text, position);
    else if (text[position] === '`') return position;
  }
  throw parserError('Missing a closing tick mark for macro expansion.');
}

function definitionOf(call: string, source: MacroSource): string {
  const expression = call.trim();
  if (expression === '') throw parserError('You must provide a macro expression.');
  const [, name = '', list] = /^([^(]*)(?:\((.*))?$/s.exec(expression) ?? [];
  if (name.trim() === '')
    throw parserError(`The macro expression '${expression}' is invalid. A macro name is required.`);
  if (!NAME.test(name.trim())) throw invalidName(name.trim());
  if (list !== undefined && !list.endsWith(')'))
    throw parserError(`The macro expression '${expression}' is invalid. Expected closing ')'.`);
  const values = list === undefined ? [] : argumentsOf(expression, list.slice(0, -1));
  const key = values.length === 0 ? name.trim() : `${name.trim()}(${values.length})`;
  const macro = source.find(key);
  if (macro === undefined)
    throw parserError(
      `The search specifies a macro '${key}' that cannot be found. Reasons include: the macro name is misspelled, you do not have "read" permission for the macro, or the macro has not been shared with this application. Click Settings, Advanced search, Search Macros to view macro information.`,
    );
  return definitionWith(key, macro, boundTo(expression, key, macro, values), source);
}

function invalidName(name: string) {
  return parserError(
    `The name '${name}' is invalid. Macro and argument names might only include alphanumerics, '_' and '-'.`,
  );
}

function definitionWith(key: string, macro: Macro, bound: ReadonlyMap<string, string>, source: MacroSource): string {
  if (macro.definition === undefined)
    throw parserError(`Unable to find a definition for macro '${key}'. It is expected in the 'definition' conf key.`);
  validate(key, macro, bound, source);
  const definition = substituted(macro.definition, bound);
  if (macro.iseval !== true) return definition;
  const value = evaluated(definition, source);
  if (typeof value !== 'string')
    throw parserError(`The definition of macro '${key}' is expected to be an eval expression that returns a string.`);
  return value;
}

function evaluated(expression: string, source: MacroSource) {
  try {
    return source.evaluate(expression);
  } catch {
    return undefined;
  }
}

/** False, or a text, refuses the arguments; nothing and true accept them. */
function validate(key: string, macro: Macro, bound: ReadonlyMap<string, string>, source: MacroSource): void {
  const { validation = '', errormsg = '' } = macro;
  if (validation.trim() === '') return;
  const expression = substituted(validation, bound);
  let result: ReturnType<MacroSource['evaluate']>;
  try {
    result = source.evaluate(expression);
  } catch {
    throw parserError(`The validation expression is invalid: '${expression}'.`);
  }
  if (result === true || result === undefined) return;
  if (result !== false && typeof result !== 'string')
    throw parserError(`The validation expression is invalid: '${expression}'.`);
  const reason = typeof result === 'string' ? result : substituted(errormsg, bound);
  throw parserError(`Encountered the following error while validating macro '${key}': ${reason}.`);
}

/** Replaces `$name$` everywhere, in strings too. */
function substituted(text: string, bound: ReadonlyMap<string, string>): string {
  return text.replace(/\$([\w-]+)\$/g, (whole, name: string) => bound.get(name) ?? whole);
}

/** The values by the names of the definition; a call names all of its arguments or none. */
function boundTo(
  expression: string,
  key: string,
  macro: Macro,
  values: readonly string[],
): ReadonlyMap<string, string> {
  const names = (macro.args ?? '').split(',').map((name) => name.trim());
  if (values.length === 0) return new Map();
  if ((macro.args ?? '').trim() === '')
    throw parserError(`The argument list for macro '${key}' is missing. It is expected in the 'args' conf key.`);
  for (const name of names) if (!NAME.test(name)) throw invalidName(name);
  if (new Set(names).size < names.length)
    throw parserError(`The argument list for macro '${key}' is invalid. It contains repeated names.`);
  if (names.length !== values.length)
    throw parserError(`The argument list for macro '${key}' is invalid. Expected ${values.length} elements.`);
  const named = values.map((value) => /^([\w-]+)\s*=(.*)$/s.exec(value.trim()));
  const isNamed = named.map((match) => match !== null && names.includes(match[1] ?? ''));
  if (!isNamed.includes(true)) return new Map(names.map((name, index) => [name, plainValue(values[index] ?? '')]));
  if (isNamed.includes(false))
    throw parserError(
      `The macro expression '${expression}' is invalid. All arguments must be named or none can be named.`,
    );
  const bound = new Map(named.map((match) => [match?.[1] ?? '', plainValue(match?.[2] ?? '')]));
  if (bound.size !== names.length)
    throw parserError(
      `The macro expression '${expression}' is invalid. The argument list does not match the definition.`,
    );
  return bound;
}

/** The quotes around an argument are not part of it. */
function plainValue(text: string): string {
  const value = text.trim();
  return /^"(?:[^"\\]|\\.)*"$/s.test(value) ? unquoted(value) : value;
}

/** Splits at commas outside of strings and parentheses. */
function argumentsOf(expression: string, list: string): string[] {
  if (list.trim() === '') return [];
  const values: string[] = [];
  let start = 0;
  let depth = 0;
  for (let position = 0; position < list.length; position += 1) {
    const char = list[position];
    if (char === '"') position = endOfString(list, position);
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth < 0) throw parserError(`Macro argument expression '${expression}' has mismatched parens.`);
    if (char !== ',' || depth > 0) continue;
    values.push(list.slice(start, position));
    start = position + 1;
  }
  if (depth > 0) throw parserError(`Macro argument expression '${expression}' has mismatched parens.`);
  return [...values, list.slice(start)];
}

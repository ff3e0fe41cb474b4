import { evalExpression, isTrue } from '../pipeline/eval.ts';
import { ArgumentError } from '../pipeline/spl.ts';
import { type Cell, cellText, type Row } from '../results/rows.ts';

/** One aggregation, such as `avg(bytes) as mean`. */
export interface Aggregation {
  /** The column of its result. */
  name: string;
  /** As typed, without its rename. */
  source: string;
  create(): Accumulator;
}

/** Collects the rows of one group. */
export interface Accumulator {
  add(row: Row): void;
  /** Undefined leaves the cell empty. */
  value(): Cell | undefined;
}

/** Aggregations and the words after them. */
export interface AggregationList {
  aggregations: Aggregation[];
  /** The text from the first word that is no aggregation, such as `by host`. */
  tail: string;
}

type Reader = (row: Row) => string[];
type Summary = (values: string[], rows: { time: number; value: string }[]) => Cell | undefined;

const MOST_LISTED = 100;
const numeric = (values: string[]): number[] =>
  values.flatMap((value) => (value.trim() === '' || Number.isNaN(Number(value)) ? [] : [Number(value)]));
const numberText = (value: number | undefined): string | undefined =>
  value === undefined || !Number.isFinite(value) ? undefined : String(Number(value.toPrecision(15)));
const sum = (numbers: number[]): number => numbers.reduce((total, value) => total + value, 0);

function ofNumbers(calculate: (numbers: number[]) => number): Summary {
  return (values) => {
    const numbers = numeric(values);
    return numbers.length === 0 ? undefined : numberText(calculate(numbers));
  };
}

function variance(numbers: number[], divisor: number): number {
  const mean = sum(numbers) / numbers.length;
  return divisor <= 0 ? 0 : sum(numbers.map((value) => (value - mean) ** 2)) / divisor;
}

/** Numbers by value, other text in the order of its characters; numbers come first. */
export function compareValues(a: string, b: string): number {
  const [left, right] = [numeric([a])[0], numeric([b])[0]];
  if (left !== undefined && right !== undefined) return left - right;
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Numbers by value if all are numbers, else all as text. */
function ordered(values: string[]): string[] {
  return [...values].sort(numeric(values).length === values.length ? compareValues : byText);
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function mode(values: string[]): string | undefined {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts].sort(([a, left], [b, right]) => right.length - left.length || byText(a, b))[0]?.[0];
}

function percentile(percent: number): Summary {
  return ofNumbers((numbers) => {
    const sorted = [...numbers].sort((a, b) => a - b);
    const position = (percent / 100) * (sorted.length - 1);
    const [low = 0, high = 0] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
    return low + (high - low) * (position - Math.floor(position));
  });
}

const byTime = (rows: { time: number; value: string }[], sign: 1 | -1): string | undefined =>
  rows.filter(({ time }) => !Number.isNaN(time)).sort((a, b) => sign * (a.time - b.time))[0]?.value;

const SUMMARIES: Readonly<Record<string, Summary>> = {
  count: (values) => String(values.length),
  dc: (values) => String(new Set(values).size),
  sum: ofNumbers(sum),
  sumsq: ofNumbers((numbers) => sum(numbers.map((value) => value ** 2))),
  avg: ofNumbers((numbers) => sum(numbers) / numbers.length),
  min: (values) => ordered(values)[0],
  max: (values) => ordered(values).at(-1),
  range: ofNumbers((numbers) => {
    const sorted = [...numbers].sort((a, b) => a - b);
    return (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  }),
  median: percentile(50),
  mode,
  stdev: ofNumbers((numbers) => Math.sqrt(variance(numbers, numbers.length - 1))),
  stdevp: ofNumbers((numbers) => Math.sqrt(variance(numbers, numbers.length))),
  var: ofNumbers((numbers) => variance(numbers, numbers.length - 1)),
  varp: ofNumbers((numbers) => variance(numbers, numbers.length)),
  values: (values) => single([...new Set(values)].sort(byText)),
  list: (values) => single(values.slice(0, MOST_LISTED)),
  first: (values) => values[0],
  last: (values) => values.at(-1),
  earliest: (_values, rows) => byTime(rows, 1),
  latest: (_values, rows) => byTime(rows, -1),
};
const ALIASES: Readonly<Record<string, string>> = { c: 'count', distinct_count: 'dc', mean: 'avg' };

/** A multivalue field of one value is that value. */
function single(values: string[]): Cell | undefined {
  return values.length < 2 ? values[0] : values;
}

function summaryOf(name: string): Summary | undefined {
  const [, percent] = /^(?:p|perc|exactperc|upperperc)(\d{1,2}(?:\.\d+)?)$/.exec(name) ?? [];
  if (percent !== undefined) return percentile(Number(percent));
  const fullName = Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? '') : name;
  return Object.hasOwn(SUMMARIES, fullName) ? SUMMARIES[fullName] : undefined;
}

/** Parses aggregations up to a word that is none. @param command names the command in refusals */
export function parseAggregations(command: string, text: string): AggregationList {
  const aggregations: Aggregation[] = [];
  let left = text.trim();
  for (;;) {
    left = left.replace(/^[\s,]+/, '');
    const [, name = ''] = /^([A-Za-z_][\w.]*)/.exec(left) ?? [];
    const inner = argumentOf(left.slice(name.length));
    const summary = summaryOf(name.toLowerCase());
    if (summary === undefined || (inner === undefined && !/^(?:c|count)$/i.test(name))) {
      if (inner !== undefined)
        throw refused(
          command,
          `The aggregation specifier '${name}(${inner.text})' is invalid. The aggregation specifier must be in [func_name]([key]) format.`,
        );
      break;
    }
    const typed = left.slice(0, name.length + (inner?.length ?? 0));
    left = left.slice(typed.length);
    const [clause = '', alias] = /^\s+as\s+("(?:[^"\\]|\\.)*"|[^\s,]+)/i.exec(left) ?? [];
    if (clause === '' && /^\s+as\b/i.test(left)) throw refused(command, "You must specify a field name after 'as'.");
    left = left.slice(clause.length);
    aggregations.push(
      aggregation(command, { typed, argument: inner?.text.trim() ?? '', alias: unquotedName(alias), summary }),
    );
  }
  const columns = aggregations.map(({ name }) => name);
  if (new Set(columns).size < columns.length) {
    const twice = columns.find((name, index) => columns.indexOf(name) < index) ?? '';
    throw refused(command, `The output field '${twice}' is specified more than once.`);
  }
  return { aggregations, tail: left };
}

function refused(command: string, text: string): ArgumentError {
  return new ArgumentError(`Error in '${command}' command: ${text}`);
}

export function unquotedName(text: string | undefined): string | undefined {
  return text?.replace(/^"(.*)"$|^'(.*)'$/s, '$1$2');
}

/** The text in the parentheses that follow a name, and their length. */
function argumentOf(text: string): { text: string; length: number } | undefined {
  if (!text.startsWith('(')) return undefined;
  let depth = 0;
  let inString = false;
  for (let position = 0; position < text.length; position += 1) {
    const char = text[position];
    if (char === '\\') position += 1;
    else if (char === '"') inString = !inString;
    else if (!inString && char === '(') depth += 1;
    else if (!inString && char === ')') depth -= 1;
    if (depth === 0) return { text: text.slice(1, position), length: position + 1 };
  }
  return undefined;
}

interface Specifier {
  typed: string;
  argument: string;
  alias: string | undefined;
  summary: Summary;
}

function aggregation(command: string, { typed, argument, alias, summary }: Specifier): Aggregation {
  const [, expression] = /^eval\s*\((.*)\)$/is.exec(argument) ?? [];
  if (expression !== undefined && alias === undefined)
    throw refused(
      command,
      `You must specify a rename for the aggregation specifier on the dynamically evaluated field '${typed}'.`,
    );
  if (argument.includes('*') && expression === undefined)
    throw refused(command, `The embedded platform does not support wildcards in aggregations, such as '${typed}'.`);
  const read = expression === undefined ? readerOf(argument) : evalReader(command, expression);
  const name = alias ?? typed;
  if (name.startsWith('__'))
    throw refused(
      command,
      `The field name '${name}' is invalid. All fields starting with '__' are reserved for internal use. Rename your field.`,
    );
  return { name, source: typed, create: () => new Values(read, summary) };
}

/** Without a field, each row counts. */
function readerOf(argument: string): Reader {
  const field = unquotedName(argument) ?? '';
  if (field === '') return () => ['1'];
  return (row) => [row[field] ?? []].flat().filter((value) => value !== '');
}

/** A condition counts where it is true, any other expression where it has a value. */
function evalReader(command: string, expression: string): Reader {
  const evaluate = evalExpression(command, expression);
  return (row) => {
    const value = evaluate(row);
    if (typeof value === 'boolean') return isTrue(value) ? ['1'] : [];
    if (value === undefined || value === '') return [];
    return Array.isArray(value) ? value : [String(value)];
  };
}

class Values implements Accumulator {
  readonly #read: Reader;
  readonly #summary: Summary;
  readonly #values: string[] = [];
  readonly #rows: { time: number; value: string }[] = [];

  constructor(read: Reader, summary: Summary) {
    this.#read = read;
    this.#summary = summary;
  }

  add(row: Row): void {
    const time = Number(cellText(row._time) || 'none');
    for (const value of this.#read(row)) {
      this.#values.push(value);
      this.#rows.push({ time, value });
    }
  }

  value(): Cell | undefined {
    return this.#summary(this.#values, this.#rows);
  }
}

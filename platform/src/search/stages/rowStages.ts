import { wildcard } from '../../eai/wildcard.ts';
import { searchRegex } from '../language/regex.ts';
import { unquoted } from '../language/scan.ts';
import { nameOf, wordsOf } from '../language/words.ts';
import type { SearchPart } from '../pipeline/spl.ts';
import { type Batch, type Cell, cellText, newRow, type Row, type Stage } from '../results/rows.ts';
import { compareValues } from './aggregates.ts';
import { Arguments, allRows, eachRow, fieldNames, invalidArgument, refused } from './arguments.ts';
import { wildcardTexts } from './foreach.ts';

export function head(part: SearchPart): Stage {
  const args = new Arguments(part, ['limit']);
  const [word, more] = args.words;
  if (more !== undefined || (word !== undefined && !/^\d{1,9}$/.test(word))) throw invalidArgument(part, more ?? word);
  let left = word === undefined ? args.integer('limit', 10) : Number(word);
  return {
    push: ({ columns, rows }) => {
      const head = rows.slice(0, left);
      left -= head.length;
      return { columns, rows: head };
    },
    full: () => left === 0,
  };
}

/** The last rows, in reverse order. */
export function tail(part: SearchPart): Stage {
  const [word = '10', more] = part.args;
  if (more !== undefined || !/^\d{1,9}$/.test(word)) throw invalidArgument(part, more ?? word);
  const count = Number(word);
  return allRows(({ columns, rows }) => ({ columns, rows: count === 0 ? [] : rows.slice(-count).reverse() }));
}

export function reverse(part: SearchPart): Stage {
  if (part.args.length > 0) throw invalidArgument(part, part.args[0]);
  return allRows(({ columns, rows }) => ({ columns, rows: [...rows].reverse() }));
}

function names(part: SearchPart, text: string): string[] {
  const fields = fieldNames(text);
  if (fields.length === 0)
    throw refused(part.name, 'Must specify at least one valid field name (can contain wildcards).');
  return fields;
}

export function table(part: SearchPart): Stage {
  const patterns = names(part, part.text);
  return {
    push: (batch) => {
      const columns = patterns.flatMap((name) => (name.includes('*') ? batch.columns.filter(wildcard(name)) : [name]));
      return pick(batch, [...new Set(columns)]);
    },
  };
}

/** `fields a b` keeps these and the internal fields, `fields - a b` removes them. */
export function fields(part: SearchPart): Stage {
  const [, sign = '', list = ''] = /^([+-]?)(.*)$/s.exec(part.text) ?? [];
  const tests = names(part, list).map(wildcard);
  const named = (name: string) => tests.some((test) => test(name));
  const keep = sign === '-' ? (name: string) => !named(name) : (name: string) => named(name) || name.startsWith('_');
  return { push: (batch) => pick(batch, batch.columns.filter(keep)) };
}

function pick(batch: Batch, columns: string[]): Batch {
  const rows = batch.rows.map((row) => {
    const picked = newRow();
    for (const name of columns) {
      const cell = row[name];
      if (cell !== undefined) picked[name] = cell;
    }
    return picked;
  });
  return { columns, rows };
}

/** `rename a AS b`; wildcards of both sides correspond. */
export function rename(part: SearchPart): Stage {
  const usage = () => refused(part.name, 'Usage: rename [old_name AS/TO/-> new_name]+.');
  const words = wordsOf(part.text);
  const pairs: { from: string; to: string }[] = [];
  for (let index = 0; index < words.length; index += 3) {
    const [from, keyword = '', to] = words.slice(index, index + 3);
    if (from === undefined || to === undefined || !['as', 'to', '->'].includes(keyword.toLowerCase())) throw usage();
    const pair = { from: nameOf(from), to: nameOf(to) };
    const stars = (name: string) => name.split('*').length;
    if (stars(pair.from) !== stars(pair.to))
      throw refused(part.name, `Wildcard mismatch: '${pair.from}' as '${pair.to}'.`);
    pairs.push(pair);
  }
  if (pairs.length === 0) throw usage();
  return { push: (batch) => pairs.reduce(renamed, batch) };
}

function renamed(batch: Batch, { from, to }: { from: string; to: string }): Batch {
  const changes = new Map<string, string>();
  if (!from.includes('*')) changes.set(from, to);
  else {
    for (const column of batch.columns) {
      const texts = wildcardTexts(from, column);
      if (texts !== undefined)
        changes.set(
          column,
          to.replace(/\*/g, () => texts.shift() ?? ''),
        );
    }
  }
  const targets = new Set(changes.values());
  const columns = batch.columns
    .filter((name) => changes.has(name) || !targets.has(name))
    .map((name) => changes.get(name) ?? name);
  const rows = batch.rows.map((row) => {
    const result = newRow();
    for (const [name, cell] of Object.entries(row)) if (!changes.has(name) && !targets.has(name)) result[name] = cell;
    for (const [name, target] of changes) {
      const cell = row[name];
      if (cell !== undefined) result[target] = cell;
    }
    return result;
  });
  return { columns: [...new Set(columns)], rows };
}

/** Keeps the first rows of each combination of values. */
export function dedup(part: SearchPart): Stage {
  const args = new Arguments(part, ['keepempty', 'keepevents', 'consecutive']);
  if (args.boolean('keepevents', false) || args.boolean('consecutive', false))
    throw refused(part.name, "The embedded platform does not support the options 'keepevents' and 'consecutive'.");
  const keepEmpty = args.boolean('keepempty', false);
  const [first = '', ...others] = args.fields();
  const isCount = /^\d{1,9}$/.test(first);
  const most = isCount ? Number(first) : 1;
  const fields = isCount ? others : [first, ...others].filter((name) => name !== '');
  if (fields.length === 0 || most === 0) throw refused(part.name, 'Usage: dedup [<int>] <field-list> [<option>]*.');
  if (fields.some((name) => /^sortby$/i.test(name)))
    throw refused(part.name, "The embedded platform does not support 'sortby'.");
  const counts = new Map<string, number>();
  return eachRow((row) => {
    const values = fields.map((field) => row[field]);
    if (values.includes(undefined)) return keepEmpty ? row : undefined;
    const key = JSON.stringify(values);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= most ? row : undefined;
  });
}

/** Rows that `sort` keeps unless it says how many. */
const MOST_SORTED = 10_000;

/** `sort - a, num(b)`: an amount, then fields with a sign; 0 stands for all rows. */
export function sort(part: SearchPart): Stage {
  const words = wordsOf(part.text.replaceAll('+', ' + ').replaceAll('- ', ' - '));
  const [amount] = words[0]?.startsWith('limit=') === true ? [words[0].slice('limit='.length)] : words;
  const hasAmount = amount !== undefined && /^\d{1,9}$/.test(amount);
  const keyWords = hasAmount ? words.slice(1) : words;
  const order = keyWords.at(-1)?.toLowerCase() ?? '';
  const hasOrder = keyWords.length > 1 && ['d', 'desc', 'a', 'asc'].includes(order);
  const keys: ((a: Row, b: Row) => number)[] = [];
  let sign: 1 | -1 = 1;
  for (const word of hasOrder ? keyWords.slice(0, -1) : keyWords) {
    // A sign holds for its field, and for the ones after it up to the next.
    if (word.startsWith('-')) sign = -1;
    else if (word.startsWith('+')) sign = 1;
    const field = word.replace(/^[+-]/, '');
    if (field === '') continue;
    const [, mode = 'auto', inner = field] = /^(num|str|ip|auto)\(([^()]*)\)$/.exec(field) ?? [];
    if (/[()]/.test(inner)) throw invalidArgument(part, word);
    keys.push(sortKey(nameOf(inner), mode, hasOrder && order.startsWith('d') ? (-sign as 1 | -1) : sign));
  }
  if (keys.length === 0) throw refused(part.name, 'You must specify fields to sort.');
  const most = hasAmount ? Number(amount) || Number.POSITIVE_INFINITY : MOST_SORTED;
  return allRows(({ columns, rows }) => ({
    columns,
    rows: [...rows].sort((a, b) => keys.reduce((result, key) => result || key(a, b), 0)).slice(0, most),
  }));
}

function sortKey(field: string, mode: string, sign: 1 | -1): (a: Row, b: Row) => number {
  const compare =
    mode === 'str'
      ? (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
      : mode === 'ip'
        ? compareAddresses
        : compareValues;
  return (a, b) => {
    const [left, right] = [a[field], b[field]];
    // Rows without the field come last in both directions.
    if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? 1 : -1;
    return sign * compare(cellText(left), cellText(right));
  };
}

function compareAddresses(a: string, b: string): number {
  const key = (address: string) =>
    address
      .split('.')
      .map((piece) => piece.padStart(3, '0'))
      .join('.');
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}

export function fillnull(part: SearchPart): Stage {
  const args = new Arguments(part, ['value']);
  const value = args.text('value') ?? '0';
  const fields = args.fields();
  const fill = (row: Row, columns: readonly string[]) => {
    const filled = Object.assign(newRow(), row);
    for (const name of columns) if (filled[name] === undefined || filled[name] === '') filled[name] = value;
    return filled;
  };
  if (fields.length > 0) return eachRow((row) => fill(row, fields), fields);
  return allRows(({ columns, rows }) => ({ columns, rows: rows.map((row) => fill(row, columns)) }));
}

/** `regex field=expression`, `regex field!=expression`, of `_raw` without a field. */
export function regex(part: SearchPart): Stage {
  const equals = part.text.startsWith('"') ? -1 : part.text.indexOf('=');
  const before = part.text.slice(0, Math.max(0, equals)).trim();
  const operator = before.endsWith('!') ? '!=' : '=';
  const field = before.replace(/!$/, '').trim() || '_raw';
  const text = part.text.slice(equals + 1).trim();
  if (text === '') throw refused(part.name, 'Usage: regex <field> (=|!=) <regex>.');
  const expression = searchRegex(part.name, quotedPattern(text));
  const wanted = operator === '=';
  return eachRow((row) => {
    const cell: Cell | undefined = row[field];
    const isMatch = cell !== undefined && [cell].flat().some((value) => expression.exec(value) !== null);
    return isMatch === wanted ? row : undefined;
  });
}

/** The text of a regular expression in quotes, in which a backslash escapes quotes alone. */
export function quotedPattern(text: string): string {
  const trimmed = text.trim();
  return /^"(?:[^"\\]|\\.)*"$/s.test(trimmed) ? trimmed.slice(1, -1).replaceAll('\\"', '"') : unquoted(trimmed);
}

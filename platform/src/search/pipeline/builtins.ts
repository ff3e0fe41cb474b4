import { wildcard } from '../../eai/wildcard.ts';
import { type Batch, cellText, newRow, type Row, type Stage } from '../results/rows.ts';
import { evalStage, streamstats, whereStage } from './eval.ts';
import type { SearchPart } from './spl.ts';
import { ArgumentError } from './spl.ts';

/** The built-in commands that can begin a search. */
export const GENERATING = new Set(['makeresults', 'search']);
const STAGES = new Set(['eval', 'fields', 'head', 'search', 'stats', 'streamstats', 'table', 'where']);

export function isBuiltin(name: string): boolean {
  return GENERATING.has(name) || STAGES.has(name);
}

function invalid(part: SearchPart, argument: string | undefined): ArgumentError {
  return new ArgumentError(`Error in '${part.name}' command: The argument '${argument ?? ''}' is invalid.`);
}

export function makeresults(part: SearchPart, now: number): Batch {
  let count = 1;
  for (const arg of part.args) {
    const [, number] = /^count=(\d{1,7})$/.exec(arg) ?? [];
    if (number === undefined) throw invalid(part, arg);
    count = Number(number);
  }
  const time = String(Math.floor(now / 1000));
  const rows = Array.from({ length: count }, () => Object.assign(newRow(), { _time: time }));
  return { columns: ['_time'], rows };
}

export function stage(part: SearchPart): Stage {
  switch (part.name) {
    case 'head':
      return head(part);
    case 'table':
      return table(part);
    case 'fields':
      return fields(part);
    case 'search': {
      const { matches } = searchTerms(part);
      return { push: ({ columns, rows }) => ({ columns, rows: rows.filter(matches) }) };
    }
    case 'stats':
      return stats(part);
    case 'eval':
      return evalStage(part);
    case 'streamstats':
      return streamstats(part);
    case 'where':
      return whereStage(part);
    default:
      throw new ArgumentError(`Error in '${part.name}' command: This command must be the first command of a search.`);
  }
}

function head(part: SearchPart): Stage {
  const [arg = '10', more] = part.args;
  const [, number] = /^(?:limit=)?(\d{1,9})$/.exec(arg) ?? [];
  if (number === undefined || more !== undefined) throw invalid(part, number === undefined ? arg : more);
  let left = Number(number);
  return {
    push: ({ columns, rows }) => {
      const head = rows.slice(0, left);
      left -= head.length;
      return { columns, rows: head };
    },
    full: () => left === 0,
  };
}

function names(part: SearchPart, args: readonly string[]): string[] {
  const fieldNames = args.flatMap((arg) => arg.split(',')).filter((name) => name !== '');
  if (fieldNames.length === 0) throw invalid(part, part.args[0]);
  return fieldNames;
}

function table(part: SearchPart): Stage {
  const patterns = names(part, part.args);
  return {
    push: (batch) => {
      const columns = patterns.flatMap((name) => (name.includes('*') ? batch.columns.filter(wildcard(name)) : [name]));
      return pick(batch, [...new Set(columns)]);
    },
  };
}

/** `fields a b` keeps these and the internal fields, `fields - a b` removes them. */
function fields(part: SearchPart): Stage {
  const [sign = ''] = /^[+-]/.exec(part.text) ?? [];
  const args = sign === '' ? part.args : part.text.slice(1).trim().split(/\s+/);
  const tests = names(part, args).map(wildcard);
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

/** `stats count` with `as name` and `by fields`, nothing else. */
function stats(part: SearchPart): Stage {
  const words = part.text.split(/[\s,]+/).filter((word) => word !== '');
  const isWord = (index: number, word: string) => words[index]?.toLowerCase() === word;
  const hasName = isWord(1, 'as');
  const name = (hasName ? words[2] : undefined) ?? 'count';
  const others = words.slice(hasName ? 3 : 1);
  const fields = others[0]?.toLowerCase() === 'by' ? others.slice(1) : [];
  if (!isWord(0, 'count') || !/^\w+$/.test(name) || (others.length > 0 && fields.length === 0))
    throw invalid(
      part,
      part.args.find((arg) => arg !== 'count'),
    );
  const counts = new Map<string, { values: string[]; count: number }>();
  if (fields.length === 0) counts.set('[]', { values: [], count: 0 });
  return {
    push: (batch) => {
      for (const row of batch.rows) {
        const values = fields.map((field) => cellText(row[field]));
        // A row without a value for each field belongs to no group.
        if (values.includes('')) continue;
        const key = JSON.stringify(values);
        const group = counts.get(key) ?? { values, count: 0 };
        group.count += 1;
        counts.set(key, group);
      }
      return { columns: [], rows: [] };
    },
    finish: () => ({
      columns: [...fields, name],
      rows: [...counts.entries()]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { values, count }]) =>
          Object.assign(newRow(), Object.fromEntries(fields.map((field, index) => [field, values[index] ?? ''])), {
            [name]: String(count),
          }),
        ),
    }),
  };
}

/** `index=x`, `field=value` and words, which must all match. */
export function searchTerms(part: SearchPart): { indexes: string[]; matches(row: Row): boolean } {
  const indexes: string[] = [];
  const tests: ((row: Row) => boolean)[] = [];
  for (const arg of part.args) {
    if (/^(OR|NOT|IN)$|[()<>]|!=/.test(arg)) throw invalid(part, arg);
    const [, name, value = ''] = /^([A-Za-z_][\w.]*)=(.*)$/s.exec(arg) ?? [];
    if (name === 'index') indexes.push(value);
    else if (name !== undefined) {
      const test = wildcard(value);
      tests.push((row) => test(cellText(row[name])));
    } else if (arg !== 'AND' && arg !== '*') {
      const word = arg.toLowerCase().replace(/^\*|\*$/g, '');
      tests.push((row) => cellText(row._raw).toLowerCase().includes(word));
    }
  }
  return { indexes, matches: (row) => tests.every((test) => test(row)) };
}

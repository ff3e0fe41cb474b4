import { ArgumentError } from './argumentError.ts';
import { type Batch, cellText, fieldPattern, newRow, type Row } from './rows.ts';
import type { SearchPart } from './spl.ts';
import { whereTerms } from './where.ts';

/** A command behind the first: takes batches as they come. */
export interface Stage {
  push(batch: Batch): Batch;
  /** What is left when no more rows come. */
  finish?(): Batch;
  /** Nothing more is wanted. */
  full?(): boolean;
}

/** The commands that a search may begin with, beside those of the apps. */
export const GENERATING = new Set(['makeresults', 'search']);
const STAGES = new Set(['head', 'table', 'fields', 'search', 'stats', 'where']);

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
    case 'where': {
      const isKept = whereTerms(part);
      return { push: ({ columns, rows }) => ({ columns, rows: rows.filter(isKept) }) };
    }
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
      const kept = rows.slice(0, left);
      left -= kept.length;
      return { columns, rows: kept };
    },
    full: () => left === 0,
  };
}

function names(part: SearchPart, args: readonly string[]): string[] {
  const found = args.flatMap((arg) => arg.split(',')).filter((name) => name !== '');
  if (found.length === 0) throw invalid(part, part.args[0]);
  return found;
}

function table(part: SearchPart): Stage {
  const wanted = names(part, part.args);
  return {
    push: (batch) => {
      const columns = wanted.flatMap((name) =>
        name.includes('*') ? batch.columns.filter(fieldPattern(name)) : [name],
      );
      return pick(batch, [...new Set(columns)]);
    },
  };
}

/** `fields a b` keeps these and the internal ones, `fields - a b` takes away. */
function fields(part: SearchPart): Stage {
  const [sign = ''] = /^[+-]/.exec(part.text) ?? [];
  const args = sign === '' ? part.args : part.text.slice(1).trim().split(/\s+/);
  const tests = names(part, args).map(fieldPattern);
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

/** `stats count` and nothing else. */
function stats(part: SearchPart): Stage {
  if (part.args.length !== 1 || part.args[0] !== 'count')
    throw invalid(
      part,
      part.args.find((arg) => arg !== 'count'),
    );
  let count = 0;
  return {
    push: (batch) => {
      count += batch.rows.length;
      return { columns: [], rows: [] };
    },
    finish: () => ({ columns: ['count'], rows: [Object.assign(newRow(), { count: String(count) })] }),
  };
}

/** `index=x`, `field=value` and words, all of which have to be found. */
export function searchTerms(part: SearchPart): { indexes: string[]; matches(row: Row): boolean } {
  const indexes: string[] = [];
  const tests: ((row: Row) => boolean)[] = [];
  for (const arg of part.args) {
    if (/^(OR|NOT|IN)$|[()<>]|!=/.test(arg)) throw invalid(part, arg);
    const [, name, value = ''] = /^([A-Za-z_][\w.]*)=(.*)$/s.exec(arg) ?? [];
    if (name === 'index') indexes.push(value);
    else if (name !== undefined) {
      const test = fieldPattern(value);
      tests.push((row) => test(cellText(row[name])));
    } else if (arg !== 'AND' && arg !== '*') {
      const word = arg.toLowerCase().replace(/^\*|\*$/g, '');
      tests.push((row) => cellText(row._raw).toLowerCase().includes(word));
    }
  }
  return { indexes, matches: (row) => tests.every((test) => test(row)) };
}

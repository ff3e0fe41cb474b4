import { bracketsOf } from '../language/scan.ts';
import type { SearchContext } from '../pipeline/context.ts';
import { parseNested, type SearchPart } from '../pipeline/spl.ts';
import { type Batch, cellText, newRow, type Row, type Stage } from '../results/rows.ts';
import { Arguments, allRows, refused } from './arguments.ts';

/** Rows of a nested search at most, `maxout` of `[subsearch]` and `subsearch_maxout` of `[join]` in limits.conf. */
const MOST = { append: 50_000, appendcols: 50_000, join: 50_000 } as const;

/** Commands whose brackets hold a search to run, rather than text of their own. */
export const NESTED = new Set([
  'append',
  'appendcols',
  'appendpipe',
  'join',
  'union',
  'multisearch',
  'set',
  'foreach',
  'map',
]);

/** The one nested search of a command, and the arguments in front of it. */
function nestedOf(part: SearchPart, options: readonly string[]): { args: Arguments; inner: string } {
  const brackets = bracketsOf(part.text);
  const [bracket, more] = brackets;
  if (bracket === undefined || more !== undefined || bracket.end !== part.text.length)
    throw refused(part.name, 'The last argument must be a subsearch.');
  return {
    args: new Arguments({ ...part, text: part.text.slice(0, bracket.start).trim() }, options),
    inner: bracket.inner,
  };
}

const LIMITS = ['maxtime', 'maxout', 'timeout', 'extendtimerange'];

async function rowsOf(part: SearchPart, inner: string, context: SearchContext, most: number): Promise<Batch> {
  const { columns, rows } = await context.run(parseNested(inner));
  if (rows.length > most)
    context.message('INFO', `[${part.name}]: Subsearch produced ${rows.length} results, truncating to maxout ${most}.`);
  return { columns, rows: rows.slice(0, most) };
}

/** Adds the rows of a nested search at the end. */
export async function append(part: SearchPart, context: SearchContext): Promise<Stage> {
  const { args, inner } = nestedOf(part, LIMITS);
  const nested = await rowsOf(part, inner, context, args.integer('maxout', MOST.append));
  return { push: (batch) => batch, finish: () => nested };
}

/** Adds the fields of a nested search, row by row. */
export async function appendcols(part: SearchPart, context: SearchContext): Promise<Stage> {
  const { args, inner } = nestedOf(part, [...LIMITS, 'override']);
  const override = args.boolean('override', false);
  const nested = await rowsOf(part, inner, context, args.integer('maxout', MOST.appendcols));
  return allRows(({ columns, rows }) => ({
    columns: [...new Set([...columns, ...nested.columns])],
    rows: Array.from({ length: Math.max(rows.length, nested.rows.length) }, (_none, index) => {
      const [left, right] = [rows[index] ?? {}, nested.rows[index] ?? {}];
      return Object.assign(newRow(), ...(override ? [left, right] : [right, left])) as Row;
    }),
  }));
}

/** Joins the rows of a nested search by fields; all common ones by default. */
export async function join(part: SearchPart, context: SearchContext): Promise<Stage> {
  const { args, inner } = nestedOf(part, ['type', 'usetime', 'earlier', 'overwrite', 'max', 'left', 'right']);
  const type = args.text('type') ?? 'inner';
  if (!['inner', 'left', 'outer'].includes(type))
    throw refused(part.name, `Invalid option value. Expecting a 'type' for option 'type'. Instead got '${type}'.`);
  if (args.boolean('usetime', false) || args.text('left') !== undefined || args.text('right') !== undefined)
    throw refused(part.name, "The embedded platform does not support the options 'usetime', 'left' and 'right'.");
  const most = args.integer('max', 1) || Number.POSITIVE_INFINITY;
  const overwrite = args.boolean('overwrite', true);
  const named = args.fields();
  const nested = await rowsOf(part, inner, context, MOST.join);
  return allRows(({ columns, rows }) => {
    const common = columns.filter((name) => nested.columns.includes(name) && !name.startsWith('_'));
    const fields = named.length > 0 ? named : common;
    if (fields.length === 0) return { columns, rows: type === 'inner' ? [] : rows };
    const key = (row: Row) => {
      const values = fields.map((field) => cellText(row[field]));
      return values.includes('') ? undefined : JSON.stringify(values);
    };
    const byKey = Map.groupBy(nested.rows, key);
    return {
      columns: [...new Set([...columns, ...nested.columns])],
      rows: rows.flatMap((row) => {
        const rowKey = key(row);
        const partners = rowKey === undefined ? [] : (byKey.get(rowKey) ?? []).slice(0, most);
        if (partners.length === 0) return type === 'inner' ? [] : [row];
        return partners.map(
          (partner) => Object.assign(newRow(), ...(overwrite ? [row, partner] : [partner, row])) as Row,
        );
      }),
    };
  });
}

/** Runs commands over the rows so far, and adds what they give at the end. */
export function appendpipe(part: SearchPart): { inner: SearchPart[] } {
  const { args, inner } = nestedOf(part, ['run_in_preview']);
  args.boolean('run_in_preview', true);
  return { inner: parseNested(inner) };
}

/** The rows as terms of a search: `( ( a="1" AND b="2" ) OR ( … ) )`. Fields named `search` and `query` are text as it is. */
export function termsOf({ columns, rows }: Batch): string {
  const groups = rows.flatMap((row) => {
    const terms = columns
      .filter((name) => !name.startsWith('_') && cellText(row[name]) !== '')
      .map((name) => {
        if (name === 'search' || name === 'query') return cellText(row[name]);
        const values = [row[name] ?? []].flat().map((value) => `${name}="${value.replace(/["\\]/g, '\\$&')}"`);
        return values.length === 1 ? (values[0] ?? '') : `( ${values.join(' OR ')} )`;
      });
    return terms.length === 0 ? [] : [`( ${terms.join(' AND ')} )`];
  });
  return groups.length === 0 ? 'NOT ()' : `( ${groups.join(' OR ')} )`;
}

/** `format`: one row with the terms as its field `search`. */
export function format(part: SearchPart): Stage {
  const args = new Arguments(part, ['maxresults', 'mvsep']);
  if (args.words.length > 0) throw refused(part.name, 'The embedded platform does not support other separators.');
  const most = args.integer('maxresults', 0) || Number.POSITIVE_INFINITY;
  return allRows(({ columns, rows }) => ({
    columns: ['search'],
    rows: [Object.assign(newRow(), { search: termsOf({ columns, rows: rows.slice(0, most) }) })],
  }));
}

/** `return 5 field alias=field $field`: one row with the terms as its field `search`. */
export function returned(part: SearchPart): Stage {
  const [first = '', ...others] = part.args;
  const isCount = /^\d{1,9}$/.test(first);
  const most = isCount ? Number(first) : 1;
  const words = (isCount ? others : [first, ...others]).filter((word) => word !== '');
  if (words.length === 0) throw refused(part.name, 'You must specify at least one field.');
  return allRows(({ rows }) => {
    const groups = rows.slice(0, most).flatMap((row) => {
      const terms = words.flatMap((word) => {
        const [, alias = '', name = ''] = /^(?:([^=]+)=)?(.+)$/.exec(word) ?? [];
        const value = cellText(row[name.replace(/^\$/, '')]);
        if (value === '') return [];
        return name.startsWith('$') ? [value] : [`${alias || name}="${value.replace(/["\\]/g, '\\$&')}"`];
      });
      return terms.length === 0
        ? []
        : [words.some((word) => !word.startsWith('$')) ? `(${terms.join(' ')})` : terms.join(' ')];
    });
    return { columns: ['search'], rows: [Object.assign(newRow(), { search: groups.join(' OR ') })] };
  });
}

import { cutAt, nameOf, wordsOf } from '../language/words.ts';
import type { SearchContext } from '../pipeline/context.ts';
import type { SearchPart } from '../pipeline/spl.ts';
import { type Batch, cellText, newRow, type Row, type Stage } from '../results/rows.ts';
import { type Aggregation, parseAggregations } from './aggregates.ts';
import { Arguments, allRows, invalidArgument, refused } from './arguments.ts';
import { Groups } from './grouping.ts';
import { automaticSpan, type Step, stepOf, timeStep } from './spans.ts';

const OPTIONS = ['span', 'limit', 'useother', 'usenull', 'otherstr', 'nullstr', 'cont', 'bins'];
const MOST_SERIES = 10;
/** Limits the rows that a short span makes of a long range. */
const MOST_BUCKETS = 50_000;

/** A table with a row for each value of one field and columns for the values of another. */
interface Split {
  field: string | undefined;
  limit: number;
  other: string | undefined;
  none: string | undefined;
}

function splitOf(part: SearchPart, args: Arguments, field: string | undefined): Split {
  if (args.text('bins') !== undefined)
    throw refused(part.name, "The embedded platform supports the option 'span' instead of 'bins'.");
  const limit = /^(?:top)?(\d{1,9})$/.exec(args.text('limit') ?? String(MOST_SERIES))?.[1];
  return {
    field,
    limit: Number(limit ?? MOST_SERIES),
    other: args.boolean('useother', true) ? (args.text('otherstr') ?? 'OTHER') : undefined,
    none: args.boolean('usenull', true) ? (args.text('nullstr') ?? 'NULL') : undefined,
  };
}

/** `timechart span=5m count by host` */
export function timechart(part: SearchPart, { range, now }: Pick<SearchContext, 'range' | 'now'>): Stage {
  const args = new Arguments(part, OPTIONS);
  const { aggregations, tail } = parseAggregations(part.name, args.words.join(' '));
  const split = splitOf(part, args, byField(part, tail));
  const span = args.text('span');
  if (span !== undefined) timeStep(part, span);
  if (aggregations.length === 0) throw invalidArgument(part, part.args[0]);
  return allRows(({ rows }) => {
    const timed = rows.filter(({ _time }) => _time !== undefined && !Number.isNaN(Number(_time)));
    const times = timed.map(({ _time }) => Number(_time));
    if (times.length === 0) return { columns: ['_time', ...aggregations.map(({ name }) => name)], rows: [] };
    const [first, last] = times.reduce(
      ([low, high], time) => [Math.min(low, time), Math.max(high, time)],
      [Infinity, -Infinity],
    );
    const from = range.earliest > 0 ? range.earliest : first;
    const to = Number.isFinite(range.latest) ? Math.min(range.latest, Math.max(last + 1, now / 1000)) : last + 1;
    const width = span ?? automaticSpan(to - from);
    const step = timeStep(part, width);
    const bucketed = timed.map((row) => Object.assign(newRow(), row, { _time: String(step(Number(row._time))) }));
    const charted = splitTable(part, { rows: bucketed, field: '_time', aggregations, split });
    return args.boolean('cont', true) ? continuous(charted, { step, from, to, aggregations }) : charted;
  });
}

interface Spans {
  step: Step;
  from: number;
  to: number;
  aggregations: readonly Aggregation[];
}

/** Adds rows for spans without events, with 0 for counts. */
function continuous({ columns, rows }: Batch, { step, from, to, aggregations }: Spans): Batch {
  const byTime = new Map(rows.map((row) => [cellText(row._time), row]));
  const counts = columns.filter((name, index) => index > 0 && isCount(aggregationOf(name, aggregations)));
  const buckets: Row[] = [];
  for (let start = step(from); start < to && buckets.length < MOST_BUCKETS; ) {
    const empty: Row = Object.assign(newRow(), { _time: String(start) });
    for (const name of counts) empty[name] = '0';
    buckets.push(byTime.get(String(start)) ?? empty);
    start = nextStart(step, start);
  }
  return { columns, rows: buckets };
}

/** The aggregation of a column: the only one, the one of that name, or the one in front of the value to split by. */
function aggregationOf(column: string, aggregations: readonly Aggregation[]): string {
  const [only, more] = aggregations;
  if (more === undefined) return only?.source ?? '';
  return aggregations.find(({ name }) => column === name || column.startsWith(`${name}: `))?.source ?? '';
}

function nextStart(step: Step, start: number): number {
  // The next span begins where the step changes: double until it does, then narrow down.
  let reach = 1;
  while (step(start + reach) <= start) reach *= 2;
  let [low, high] = [Math.floor(reach / 2), reach];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (step(start + middle) > start) high = middle;
    else low = middle;
  }
  return step(start + high);
}

const isCount = (source: string): boolean => /^(?:count|c|dc|distinct_count)\b/i.test(source);

function byField(part: SearchPart, tail: string): string | undefined {
  if (tail.trim() === '') return undefined;
  const { before, after = [] } = cutAt(wordsOf(tail), 'by');
  const [field, more] = after.map(nameOf);
  if (before.length > 0 || field === undefined) throw invalidArgument(part, before[0] ?? 'by');
  if (more !== undefined)
    throw refused(part.name, `The embedded platform does not support '${more}' after the field to split by.`);
  return field;
}

/** `chart count over host by status`, `chart count by host status` */
export function chart(part: SearchPart): Stage {
  const args = new Arguments(part, OPTIONS);
  const { aggregations, tail } = parseAggregations(part.name, args.words.join(' '));
  if (aggregations.length === 0) throw invalidArgument(part, part.args[0]);
  const { before, after } = cutAt(wordsOf(tail), 'by');
  const [over, first, ...others] = before;
  const hasOver = over?.toLowerCase() === 'over';
  const [field, splitBy, more] = [...(hasOver && first !== undefined ? [first] : []), ...(after ?? [])].map(nameOf);
  const extra = (hasOver ? others[0] : over) ?? more;
  if (field === undefined || extra !== undefined || after?.length === 0)
    throw invalidArgument(part, extra ?? before[0]);
  const span = args.text('span');
  const step = span === undefined ? undefined : stepOf(part, field, span);
  const split = splitOf(part, args, splitBy);
  return allRows(({ rows }) => {
    const placed = step === undefined ? rows : rows.map((row) => stepped(row, field, step));
    return splitTable(part, { rows: placed, field, aggregations, split });
  });
}

function stepped(row: Row, field: string, step: Step): Row {
  const value = cellText(row[field]);
  return value.trim() === '' || Number.isNaN(Number(value))
    ? row
    : Object.assign(newRow(), row, { [field]: String(step(Number(value))) });
}

interface Table {
  rows: Row[];
  field: string;
  aggregations: readonly Aggregation[];
  split: Split;
}

function splitTable(part: SearchPart, { rows, field, aggregations, split }: Table): Batch {
  const { field: by } = split;
  if (by === undefined) {
    const groups = new Groups([field], aggregations);
    for (const row of rows) groups.add(row);
    const { columns, rows: grouped } = groups.batch();
    return { columns, rows: inOrder(grouped, field) };
  }
  const named = rows.flatMap((row) => {
    const value = cellText(row[by]) || split.none;
    return value === undefined ? [] : [Object.assign(newRow(), row, { [SERIES]: value })];
  });
  const series = largest(named, aggregations, split);
  const limited = named.flatMap((row) => {
    if (series.has(cellText(row[SERIES]))) return [row];
    return split.other === undefined ? [] : [Object.assign(newRow(), row, { [SERIES]: split.other })];
  });
  const groups = new Groups([field, SERIES], aggregations);
  for (const row of limited) groups.add(row);
  const { rows: grouped } = groups.batch();
  const values = [...new Set(grouped.map((row) => cellText(row[SERIES])))];
  const last = [split.other, split.none];
  const sorted = values.sort((a, b) => Number(last.includes(a)) - Number(last.includes(b)) || (a < b ? -1 : 1));
  const column = (name: string, value: string) => (aggregations.length > 1 ? `${name}: ${value}` : value);
  const columns = aggregations.flatMap(({ name }) => sorted.map((value) => column(name, value)));
  if (columns.includes(field))
    throw refused(part.name, `The output field '${field}' cannot have the same name as a group-by field.`);
  const byKey = Map.groupBy(grouped, (row) => cellText(row[field]));
  const charted = [...byKey].map(([key, cells]) => {
    const row: Row = Object.assign(newRow(), { [field]: key });
    for (const { name, source } of aggregations)
      if (isCount(source)) for (const value of sorted) row[column(name, value)] = '0';
    for (const cell of cells)
      for (const { name } of aggregations) {
        const value = cell[name];
        if (value !== undefined) row[column(name, cellText(cell[SERIES]))] = value;
      }
    return row;
  });
  return { columns: [field, ...columns], rows: inOrder(charted, field) };
}

/** A column that no row of a search has. */
const SERIES = '\0series';

/** The values with the largest sums of the first aggregation. */
function largest(rows: Row[], aggregations: readonly Aggregation[], { limit }: Split): Set<string> {
  const groups = new Groups([SERIES], aggregations.slice(0, 1));
  for (const row of rows) groups.add(row);
  const name = aggregations[0]?.name ?? '';
  const ranked = groups.batch().rows.sort((a, b) => Number(cellText(b[name])) - Number(cellText(a[name])));
  return new Set((limit === 0 ? ranked : ranked.slice(0, limit)).map((row) => cellText(row[SERIES])));
}

/** Times and numbers by value. */
function inOrder(rows: Row[], field: string): Row[] {
  const isNumeric = rows.every((row) => cellText(row[field]) !== '' && !Number.isNaN(Number(row[field])));
  return isNumeric ? [...rows].sort((a, b) => Number(a[field]) - Number(b[field])) : rows;
}

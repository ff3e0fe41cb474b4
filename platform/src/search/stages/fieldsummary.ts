import { wildcard } from '../../eai/wildcard.ts';
import type { SearchPart } from '../pipeline/spl.ts';
import { newRow, type Row, type Stage } from '../results/rows.ts';
import { parseAggregations } from './aggregates.ts';
import { Arguments, allRows } from './arguments.ts';

const COLUMNS = [
  'field',
  'count',
  'distinct_count',
  'is_exact',
  'max',
  'mean',
  'min',
  'numeric_count',
  'stdev',
  'values',
];

/** `fieldsummary maxvals=10 a b*`: one row for each field, with statistics and its most frequent values as JSON. */
export function fieldsummary(part: SearchPart): Stage {
  const args = new Arguments(part, ['maxvals']);
  const most = args.integer('maxvals', 100);
  const tests = args.fields().map(wildcard);
  return allRows(({ columns, rows }) => {
    const names = columns.filter((name) =>
      tests.length === 0 ? !name.startsWith('_') : tests.some((test) => test(name)),
    );
    return { columns: COLUMNS, rows: [...names].sort().flatMap((name) => summary(name, rows, most)) };
  });
}

function summary(name: string, rows: readonly Row[], most: number): Row[] {
  const values = rows.flatMap((row) => [row[name] ?? []].flat()).filter((value) => value !== '');
  if (values.length === 0) return [];
  const counts = [...Map.groupBy(values, (value) => value)]
    .map(([value, list]) => ({ value, count: list.length }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  const numeric = values.filter((value) => value.trim() !== '' && !Number.isNaN(Number(value)));
  const row: Row = Object.assign(newRow(), {
    field: name,
    count: String(values.length),
    distinct_count: String(counts.length),
    is_exact: '1',
    numeric_count: String(numeric.length),
    values: JSON.stringify(most === 0 ? counts : counts.slice(0, most)),
  });
  if (numeric.length > 0) Object.assign(row, statistics(numeric));
  return [row];
}

function statistics(values: string[]): Row {
  const row = newRow();
  for (const { name, create } of parseAggregations(
    'fieldsummary',
    'max(x) as max avg(x) as mean min(x) as min stdev(x) as stdev',
  ).aggregations) {
    const accumulator = create();
    for (const x of values) accumulator.add(Object.assign(newRow(), { x }));
    const value = accumulator.value();
    if (value !== undefined) row[name] = value;
  }
  return row;
}

import { cutAt, nameOf, wordsOf } from '../language/words.ts';
import type { SearchPart } from '../pipeline/spl.ts';
import { type Batch, cellText, newRow, type Row, type Stage } from '../results/rows.ts';
import { type Accumulator, parseAggregations } from './aggregates.ts';
import { Arguments, allRows, eachRow, fieldNames, invalidArgument, refused } from './arguments.ts';
import { Groups } from './grouping.ts';
import { stepOf } from './spans.ts';

/** The fields after `by`; none without it. */
export function byClause(part: Pick<SearchPart, 'name'>, tail: string): string[] {
  if (tail.trim() === '') return [];
  const [, list = ''] = /^by\b(.*)$/is.exec(tail.trim()) ?? [];
  if (!/^by\b/i.test(tail.trim())) throw invalidArgument(part, tail.trim().split(/\s/)[0]);
  const fields = fieldNames(list);
  if (fields.length === 0) throw refused(part.name, "You must specify at least one field after 'by'.");
  const twice = fields.find((name, index) => fields.indexOf(name) < index);
  if (twice !== undefined) throw refused(part.name, `Repeated group-by field '${twice}'.`);
  return fields;
}

function statistics(part: SearchPart, text: string) {
  const { aggregations, tail } = parseAggregations(part.name, text);
  if (aggregations.length === 0) throw invalidArgument(part, part.args[0]);
  const fields = byClause(part, tail);
  const conflict = aggregations.find(({ name }) => fields.includes(name));
  if (conflict !== undefined)
    throw refused(part.name, `The output field '${conflict.name}' cannot have the same name as a group-by field.`);
  return { aggregations, fields };
}

export function stats(part: SearchPart): Stage {
  const { aggregations, fields } = statistics(part, part.text);
  const groups = new Groups(fields, aggregations);
  return {
    push: ({ rows }) => {
      for (const row of rows) groups.add(row);
      return { columns: [], rows: [] };
    },
    finish: () => groups.batch(),
  };
}

/** Adds the statistics of its group to each row. */
export function eventstats(part: SearchPart): Stage {
  const { aggregations, fields } = statistics(part, new Arguments(part, ['allnum']).words.join(' '));
  return allRows(({ columns, rows }) => {
    const groups = new Groups(fields, aggregations);
    for (const row of rows) groups.add(row);
    const key = (row: Row) => JSON.stringify(fields.map((field) => cellText(row[field])));
    const byKey = new Map(groups.batch().rows.map((row) => [key(row), row]));
    const names = aggregations.map(({ name }) => name);
    return {
      columns: [...new Set([...columns, ...names])],
      rows: rows.map((row) => {
        const changed = Object.assign(newRow(), row);
        const statistic = byKey.get(key(row));
        for (const name of names) {
          const value = statistic?.[name];
          if (value === undefined) delete changed[name];
          else changed[name] = value;
        }
        return changed;
      }),
    };
  });
}

/** Rows of one group that `streamstats` counts, as each is summed up anew for the next. */
const MOST_RUNNING = 10_000;

/** Adds the statistics of the rows so far, with or without the row itself. */
export function streamstats(part: SearchPart): Stage {
  const args = new Arguments(part, ['current', 'window', 'global', 'time_window', 'reset_on_change', 'allnum']);
  const unsupported = ['window', 'time_window', 'reset_on_change'].find((name) => args.text(name) !== undefined);
  if (unsupported !== undefined)
    throw refused(part.name, `The embedded platform does not support the option '${unsupported}'.`);
  const withCurrent = args.boolean('current', true);
  const { aggregations, fields } = statistics(part, args.words.join(' '));
  const groups = new Map<string, { count: number; accumulators: Accumulator[] }>();
  const next = (row: Row): Row => {
    const values = fields.map((field) => cellText(row[field]));
    // A row without a value for each field belongs to no group.
    if (values.includes('')) return row;
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { count: 0, accumulators: aggregations.map(({ create }) => create()) };
    groups.set(key, group);
    group.count += 1;
    const isCounter = aggregations.every(({ source }) => /^c(?:ount)?$/.test(source));
    if (group.count > MOST_RUNNING && !isCounter)
      throw refused(part.name, `The embedded platform sums up no more than ${MOST_RUNNING} rows of a group.`);
    const changed = Object.assign(newRow(), row);
    if (withCurrent) for (const accumulator of group.accumulators) accumulator.add(row);
    for (const [index, { name }] of aggregations.entries()) {
      const value = group.accumulators[index]?.value();
      if (value !== undefined) changed[name] = value;
    }
    if (!withCurrent) for (const accumulator of group.accumulators) accumulator.add(row);
    return changed;
  };
  return eachRow(
    next,
    aggregations.map(({ name }) => name),
  );
}

/** The most frequent values of fields, or the least frequent ones. */
export function topOrRare(part: SearchPart): Stage {
  const args = new Arguments(part, [
    'limit',
    'countfield',
    'percentfield',
    'showcount',
    'showperc',
    'useother',
    'otherstr',
  ]);
  if (args.boolean('useother', false))
    throw refused(part.name, "The embedded platform does not support the option 'useother'.");
  const [first = '', ...others] = args.words;
  const isCount = /^\d{1,9}$/.test(first);
  const limit = isCount ? Number(first) : args.integer('limit', 10);
  const { before, after = [] } = cutAt(wordsOf((isCount ? others : [first, ...others]).join(' ')), 'by');
  const [fields, groups] = [before.map(nameOf), after.map(nameOf)];
  if (fields.length === 0) throw refused(part.name, 'You must specify at least one field.');
  const columns = { count: args.text('countfield') ?? 'count', percent: args.text('percentfield') ?? 'percent' };
  const shown = [
    ...(args.boolean('showcount', true) ? [columns.count] : []),
    ...(args.boolean('showperc', true) ? [columns.percent] : []),
  ];
  const sign = part.name === 'rare' ? 1 : -1;
  const { aggregations } = parseAggregations(part.name, 'count');
  return allRows(({ rows }) => {
    const counted = new Groups([...groups, ...fields], aggregations);
    for (const row of rows) counted.add(row);
    const byGroup = Map.groupBy(counted.batch().rows, (row) => JSON.stringify(groups.map((field) => row[field])));
    return {
      columns: [...groups, ...fields, ...shown],
      rows: [...byGroup.values()].flatMap((group) => {
        const total = group.reduce((sum, row) => sum + Number(row.count), 0);
        const sorted = group.sort((a, b) => sign * (Number(a.count) - Number(b.count)));
        return (limit === 0 ? sorted : sorted.slice(0, limit)).map((row) => {
          const count = cellText(row.count);
          const result = Object.assign(
            newRow(),
            Object.fromEntries([...groups, ...fields].map((field) => [field, row[field] ?? ''])),
          );
          if (shown.includes(columns.count)) result[columns.count] = count;
          if (shown.includes(columns.percent)) result[columns.percent] = ((Number(count) * 100) / total).toFixed(6);
          return result;
        });
      }),
    };
  });
}

/** `addtotals`: the sum of the numeric fields of each row. */
export function addtotals(part: SearchPart): Stage {
  const args = new Arguments(part, ['fieldname', 'row', 'col', 'labelfield', 'label']);
  if (args.boolean('col', false) || !args.boolean('row', true))
    throw refused(part.name, "The embedded platform does not support the option 'col'.");
  const name = args.text('fieldname') ?? 'Total';
  const fields = args.fields();
  return {
    push: ({ columns, rows }: Batch) => ({
      columns: [...new Set([...columns, name])],
      rows: rows.map((row) => {
        const summed = (fields.length > 0 ? fields : columns.filter((column) => !column.startsWith('_')))
          .map((field) => cellText(row[field]))
          .filter((value) => value.trim() !== '' && !Number.isNaN(Number(value)));
        return Object.assign(newRow(), row, { [name]: String(summed.reduce((sum, value) => sum + Number(value), 0)) });
      }),
    }),
  };
}

/** `bin _time span=5m`, `bin size span=100 as step`. */
export function bin(part: SearchPart): Stage {
  const args = new Arguments(part, ['span', 'bins', 'minspan', 'start', 'end', 'aligntime']);
  const [field, as, alias, more] = args.words;
  if (field === undefined) throw refused(part.name, 'You must specify a field to discretize.');
  if ((as !== undefined && !/^as$/i.test(as)) || (as !== undefined && alias === undefined) || more !== undefined)
    throw invalidArgument(part, more ?? as);
  const span = args.text('span');
  if (span === undefined || args.text('bins') !== undefined)
    throw refused(part.name, "The embedded platform supports 'bin' with the option 'span' only.");
  const source = fieldNames(field)[0] ?? '';
  const target = alias === undefined ? source : (fieldNames(alias)[0] ?? '');
  const step = stepOf(part, source, span);
  return {
    push: ({ columns, rows }) => ({
      columns: [...new Set([...columns, target])],
      rows: rows.map((row) => {
        const value = cellText(row[source]);
        if (value.trim() === '' || Number.isNaN(Number(value))) return row;
        const start = step(Number(value));
        const isRange = source !== '_time' && !/[a-z]/i.test(span);
        return Object.assign(newRow(), row, {
          [target]: isRange ? `${start}-${start + Number(span)}` : String(start),
        });
      }),
    }),
  };
}

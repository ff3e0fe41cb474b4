import { splitOpen } from '../language/scan.ts';
import { cutAt } from '../language/words.ts';
import type { SearchContext } from '../pipeline/context.ts';
import { INDEXED } from '../pipeline/events.ts';
import { searchTerms } from '../pipeline/searchTerms.ts';
import type { SearchPart } from '../pipeline/spl.ts';
import { type Batch, EMPTY, newRow, type Row } from '../results/rows.ts';
import { parseAggregations } from './aggregates.ts';
import { Arguments, invalidArgument, refused } from './arguments.ts';
import { Groups } from './grouping.ts';
import { timeStep } from './spans.ts';
import { byClause } from './statStages.ts';

/** A command that begins a search. */
export type Source = (part: SearchPart, context: SearchContext) => Batch | Promise<Batch>;

/** The events that match the terms, newest first. */
export const search: Source = (part, context) => {
  const terms = searchTerms(part.name, part.text, context.now);
  const { rows, scanned } = context.events.search(terms, context.range);
  context.counted(scanned, rows.length);
  const extracted = rows.flatMap((row) => Object.keys(row));
  return { columns: [...new Set([...INDEXED, ...extracted])], rows };
};

export const makeresults: Source = (part, { now }) => {
  const args = new Arguments(part, ['count', 'annotate', 'splunk_server', 'splunk_server_group', 'format', 'data']);
  if (args.words.length > 0) throw invalidArgument(part, args.words[0]);
  if (args.text('data') !== undefined || args.boolean('annotate', false))
    throw refused(part.name, "The embedded platform supports 'makeresults' with the option 'count' only.");
  const count = args.integer('count', 1);
  if (count > 9_999_999) throw invalidArgument(part, `count=${count}`);
  const time = String(Math.floor(now / 1000));
  return { columns: ['_time'], rows: Array.from({ length: count }, () => Object.assign(newRow(), { _time: time })) };
};

/** `from lookup:name`: the rows of a table; other datasets do not exist here. */
export const from: Source = async (part, context) => {
  const [word = '', more] = part.args;
  const colon = word.indexOf(':');
  const type = word.slice(0, colon).toLowerCase();
  if (more !== undefined || colon < 0) throw invalidArgument(part, more ?? word);
  if (type !== 'lookup' && type !== 'inputlookup')
    throw refused(part.name, `The embedded platform can read lookups only, not '${word}'.`);
  const { columns, rows } = await context.lookup('inputlookup', word.slice(colon + 1));
  return { columns, rows: rows.map((row) => Object.assign(newRow(), row)) };
};

const TSTATS_OPTIONS = [
  'prestats',
  'local',
  'append',
  'summariesonly',
  'allow_old_summaries',
  'chunk_size',
  'include_reduced_buckets',
  'fillnull_value',
];

/** `tstats count where index=x by sourcetype`: statistics of fields that are stored with the events. */
export const tstats: Source = (part, context) => {
  const args = new Arguments(part, [...TSTATS_OPTIONS, 'span']);
  if (args.boolean('prestats', false) || args.boolean('append', false))
    throw refused(part.name, "The embedded platform does not support the options 'prestats' and 'append'.");
  const { aggregations, tail } = parseAggregations(part.name, args.words.join(' '));
  if (aggregations.length === 0) throw invalidArgument(part, part.args[0]);
  const { from, where, by } = clauses(part, tail);
  if (from !== undefined)
    throw refused(
      part.name,
      `The embedded platform has no summaries of data models or namespaces, so it cannot search '${from}'.`,
    );
  const fields = by === undefined ? [] : byClause(part, `by ${by}`);
  const span = args.text('span');
  if (fields.includes('_time') && span === undefined)
    throw refused(part.name, 'Failed to automatically compute an appropriate timespan.');
  const step = span === undefined ? undefined : timeStep(part, span);
  const terms = searchTerms(part.name, where, context.now);
  const stored = (row: Row) =>
    Object.assign(newRow(), Object.fromEntries(INDEXED.map((name) => [name, row[name] ?? ''])));
  const { rows, scanned } = context.events.search(
    { ...terms, matches: (row) => terms.matches(stored(row)) },
    context.range,
  );
  context.counted(scanned, rows.length);
  const groups = new Groups(fields, aggregations);
  for (const row of rows) {
    const { _raw, ...fieldsOfRow } = stored(row);
    const time = step !== undefined && fields.includes('_time') ? { _time: String(step(Number(row._time))) } : {};
    groups.add(Object.assign(newRow(), fieldsOfRow, time));
  }
  return groups.batch();
};

interface Clauses {
  from: string | undefined;
  where: string;
  by: string | undefined;
}

/** `from x where … by …`, each of which may be missing. */
function clauses(part: SearchPart, tail: string): Clauses {
  const words = splitOpen(tail);
  const from = words[0]?.toLowerCase() === 'from' ? words[1] : undefined;
  const others = from === undefined ? words : words.slice(2);
  const { before, after } = cutAt(others, 'by', 'groupby');
  const [keyword, ...terms] = before;
  if (keyword !== undefined && (keyword.toLowerCase() !== 'where' || terms.length === 0))
    throw invalidArgument(part, keyword);
  return { from, where: terms.join(' '), by: after?.join(' ') };
}

const METADATA_TYPES: Readonly<Record<string, string>> = {
  hosts: 'host',
  sources: 'source',
  sourcetypes: 'sourcetype',
};
const MOST_METADATA = 10_000;

/** `metadata type=sourcetypes index=x`: what the indexes hold, in the time range as far as whole buckets go. */
export const metadata: Source = (part, context) => {
  const { options, indexes } = indexArguments(part, ['type', 'splunk_server', 'splunk_server_group', 'datatype']);
  const type = options.text('type');
  if (type === undefined)
    throw refused(part.name, "You must specify a 'type' argument to 'metadata', as in 'type=hosts'.");
  const field = Object.hasOwn(METADATA_TYPES, type) ? METADATA_TYPES[type] : undefined;
  if (field === undefined)
    throw refused(
      part.name,
      "The 'type' argument to 'metadata' must be one of the following: 'hosts', 'sources', or 'sourcetypes'.",
    );
  const datatype = options.text('datatype') ?? 'event';
  if (datatype !== 'event' && datatype !== 'metric')
    throw refused(part.name, "Invalid 'datatype'. Possible 'datatype' values include 'event' and 'metric'.");
  if (!context.caller.system && !context.caller.capabilities.has('get_metadata')) {
    context.message('WARN', 'You have insufficient permissions to get metadata.');
    return EMPTY;
  }
  if (datatype === 'metric') return EMPTY;
  const { earliest, latest } = context.range;
  const rows = context.events.matching(indexes).flatMap((index) => {
    const stored = context.events.read([index], { earliest: 0, latest: Number.POSITIVE_INFINITY });
    // Each index is one bucket here.
    const overlaps =
      stored.some(({ _time }) => Number(_time) < latest) && stored.some(({ _time }) => Number(_time) >= earliest);
    return overlaps ? stored : [];
  });
  const groups = new Groups(
    [field],
    parseAggregations(part.name, 'min(_time) as firstTime max(_time) as lastTime count as totalCount').aggregations,
  );
  for (const row of rows) groups.add(row);
  return {
    columns: ['firstTime', field, 'lastTime', 'recentTime', 'totalCount', 'type'],
    rows: groups
      .batch()
      .rows.slice(0, MOST_METADATA)
      .map((row) =>
        Object.assign(newRow(), row, {
          firstTime: String(Math.floor(Number(row.firstTime))),
          lastTime: String(Math.floor(Number(row.lastTime))),
          recentTime: String(Math.floor(Number(row.lastTime))),
          type,
        }),
      ),
  };
};

/** `eventcount summarize=false index=*`: events by index, of all times. */
export const eventcount: Source = (part, context) => {
  const { options, indexes } = indexArguments(part, ['summarize', 'report_size', 'list_vix', 'list_federated_remote']);
  const withSize = options.boolean('report_size', false);
  if (withSize) throw refused(part.name, "The embedded platform does not support the option 'report_size'.");
  options.boolean('list_vix', true);
  const always = { earliest: 0, latest: Number.POSITIVE_INFINITY };
  const counts = context.events
    .matching(indexes)
    .map((index): [string, number] => [index, context.events.read([index], always).length]);
  if (options.boolean('summarize', true)) {
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    return { columns: ['count'], rows: [Object.assign(newRow(), { count: String(total) })] };
  }
  const server = context.serverName;
  return {
    columns: ['count', 'index', 'server'],
    rows: counts.map(([index, count]) => Object.assign(newRow(), { count: String(count), index, server })),
  };
};

/** Options, and any number of `index=x`; no other words. */
function indexArguments(part: SearchPart, names: readonly string[]): { options: Arguments; indexes: string[] } {
  const options = new Arguments(part, names);
  const indexes = options.words.map((word) => {
    const [, pattern] = /^index="?([^"\s]+)"?$/.exec(word) ?? [];
    if (pattern === undefined) throw invalidArgument(part, word);
    return pattern;
  });
  return { options, indexes };
}

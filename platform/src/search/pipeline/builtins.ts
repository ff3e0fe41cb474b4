import type { Batch, Stage } from '../results/rows.ts';
import { chart, timechart } from '../stages/chart.ts';
import { fieldsummary } from '../stages/fieldsummary.ts';
import { foreach } from '../stages/foreach.ts';
import { lookup } from '../stages/lookupStages.ts';
import { append, appendcols, format, join, returned } from '../stages/nestedStages.ts';
import * as rowStages from '../stages/rowStages.ts';
import { eventcount, from, makeresults, metadata, type Source, search, tstats } from '../stages/sources.ts';
import { addtotals, bin, eventstats, stats, streamstats, topOrRare } from '../stages/statStages.ts';
import { convert, makemv, mvexpand, rex, spath } from '../stages/textStages.ts';
import type { SearchContext } from './context.ts';
import { evalStage, whereStage } from './eval.ts';
import { searchTerms } from './searchTerms.ts';
import type { SearchPart } from './spl.ts';
import { ArgumentError } from './spl.ts';

/** The parts of a context that commands over rows in memory use. */
export type StageContext = Pick<SearchContext, 'now' | 'range'>;

const SOURCES: Readonly<Record<string, Source>> = { eventcount, from, makeresults, metadata, search, tstats };

const STAGES: Readonly<Record<string, (part: SearchPart, context: StageContext) => Stage>> = {
  addtotals,
  bin,
  bucket: bin,
  chart,
  common: topOrRare,
  convert,
  dedup: rowStages.dedup,
  discretize: bin,
  eval: evalStage,
  eventstats,
  fields: rowStages.fields,
  fieldsummary,
  fillnull: rowStages.fillnull,
  foreach: (part, context) => foreach(part, (parts, batch) => inMemory(parts, batch, context)),
  format,
  head: rowStages.head,
  makemv,
  mvexpand,
  rare: topOrRare,
  regex: rowStages.regex,
  rename: rowStages.rename,
  return: returned,
  reverse: rowStages.reverse,
  rex,
  search: (part, { now }) => {
    const { matches } = searchTerms(part.name, part.text, now);
    return { push: ({ columns, rows }) => ({ columns, rows: rows.filter(matches) }) };
  },
  sort: rowStages.sort,
  spath,
  stats,
  streamstats,
  table: rowStages.table,
  tail: rowStages.tail,
  timechart,
  top: topOrRare,
  where: whereStage,
};

/** Runs commands that see one row at a time over rows. */
function inMemory(parts: readonly SearchPart[], batch: Batch, context: StageContext): Batch {
  return parts.reduce((rows, part) => {
    const current = stage(part, context);
    if (current.finish !== undefined)
      throw new ArgumentError(`Error in 'foreach' command: The command '${part.name}' is not streaming.`);
    return current.push(rows);
  }, batch);
}

/** Commands that read something before they see rows. */
const PREPARED: Readonly<Record<string, (part: SearchPart, context: SearchContext) => Promise<Stage>>> = {
  append,
  appendcols,
  join,
  lookup,
};

/** Commands that the pipeline itself runs. */
const OF_PIPELINE = new Set(['appendpipe', 'inputlookup', 'multisearch', 'sendalert', 'union']);

export function isBuiltin(name: string): boolean {
  return [SOURCES, STAGES, PREPARED].some((table) => Object.hasOwn(table, name)) || OF_PIPELINE.has(name);
}

/** A built-in command that begins a search. */
export function sourceOf(name: string): Source | undefined {
  return Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
}

/** A command over rows in memory, which needs nothing else; throws ArgumentError for any other. */
export function stage(part: SearchPart, context: StageContext = unbounded()): Stage {
  const create = Object.hasOwn(STAGES, part.name) ? STAGES[part.name] : undefined;
  if (create !== undefined) return create(part, context);
  const isLater = Object.hasOwn(PREPARED, part.name) || OF_PIPELINE.has(part.name);
  throw new ArgumentError(
    isLater
      ? `Error in '${part.name}' command: The embedded platform cannot run this command over the results of a job.`
      : `Error in '${part.name}' command: This command must be the first command of a search.`,
  );
}

export async function preparedStage(part: SearchPart, context: SearchContext): Promise<Stage> {
  const prepare = Object.hasOwn(PREPARED, part.name) ? PREPARED[part.name] : undefined;
  return prepare === undefined ? stage(part, context) : prepare(part, context);
}

function unbounded(): StageContext {
  return { now: Date.now(), range: { earliest: 0, latest: Number.POSITIVE_INFINITY } };
}

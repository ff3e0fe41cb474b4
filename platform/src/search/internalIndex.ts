import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { searchTerms } from './builtins.ts';
import { type Batch, fieldPattern, newRow, type Row } from './rows.ts';
import type { SearchPart } from './spl.ts';

const COLUMNS = ['_raw', '_time', 'component', 'host', 'index', 'log_level', 'source', 'sourcetype'];

/**
 * The events of `search`: the one index there is, is `_internal`, and what it holds is the platform's own log, newest
 * first. Any other index is empty.
 */
export function searchEvents(part: SearchPart, home: string, allowed: (index: string) => boolean): Batch {
  const { indexes, matches } = searchTerms(part);
  const wanted = indexes.some(
    (pattern) => fieldPattern(pattern)('_internal') && (pattern.startsWith('_') || pattern === '_internal'),
  );
  if (!wanted || !allowed('_internal')) return { columns: COLUMNS, rows: [] };
  const source = join(home, 'var', 'log', 'splunk', 'splunkd.log');
  const lines = existsSync(source) ? readFileSync(source, 'utf8').split('\n') : [];
  const rows = lines.flatMap((line) => event(line, source)).filter(matches);
  return { columns: COLUMNS, rows: rows.reverse() };
}

function event(line: string, source: string): Row[] {
  const [, month, day, year, time, level, component] =
    /^(\d\d)-(\d\d)-(\d{4}) ([\d:.]+) \+0000 (\w+) +(\S+) /.exec(line) ?? [];
  if (level === undefined || component === undefined) return [];
  const epoch = Date.parse(`${year}-${month}-${day}T${time}Z`) / 1000;
  const fields = { _raw: line, _time: String(epoch), component, host: hostname(), index: '_internal' };
  return [Object.assign(newRow(), fields, { log_level: level, source, sourcetype: 'splunkd' })];
}

/** Roles name indexes with wildcards; `*` leaves out the internal ones, which begin with an underscore. */
export function indexAllowed(patterns: readonly string[], index: string): boolean {
  return patterns.some((pattern) => index.startsWith('_') === pattern.startsWith('_') && fieldPattern(pattern)(index));
}

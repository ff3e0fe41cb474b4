import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { wildcard } from '../../eai/wildcard.ts';
import { type EventIndexes, INDEXES, type StoredEvent } from '../../events/eventIndexes.ts';
import { type Batch, newRow, type Row } from '../results/rows.ts';
import { searchTerms } from './builtins.ts';
import type { SearchPart } from './spl.ts';

const INTERNAL = '_internal';
const COLUMNS = ['_raw', '_time', 'component', 'host', 'index', 'log_level', 'source', 'sourcetype'];

/**
 * The events of `search`, newest first: indexes hold events sent by apps, `_internal` the platform's own log too.
 * The default index is `main`.
 */
export function searchEvents(
  part: SearchPart,
  { home, events }: { home: string; events: EventIndexes },
  allowed: (index: string) => boolean,
): Batch {
  const { indexes, matches } = searchTerms(part);
  const patterns = indexes.length === 0 ? ['main'] : indexes;
  // A bare wildcard excludes internal indexes.
  const isWanted = (index: string) =>
    allowed(index) &&
    patterns.some((pattern) => wildcard(pattern)(index) && pattern.startsWith('_') === index.startsWith('_'));
  const logged = isWanted(INTERNAL) ? logEvents(home) : [];
  const received = INDEXES.filter(isWanted).flatMap((index) => events.all(index).map((event) => toRow(index, event)));
  const rows = [...logged, ...received].filter(matches);
  const extracted = received.length === 0 ? [] : rows.flatMap((row) => Object.keys(row));
  rows.reverse();
  if (logged.length > 0 && received.length > 0) rows.sort((a, b) => Number(b._time) - Number(a._time));
  return { columns: [...new Set([...COLUMNS, ...extracted])], rows };
}

function logEvents(home: string): Row[] {
  const source = join(home, 'var', 'log', 'splunk', 'splunkd.log');
  const lines = existsSync(source) ? readFileSync(source, 'utf8').split('\n') : [];
  return lines.flatMap((line) => event(line, source));
}

/** Extracts fields from JSON as splunkd does: dotted names, `{}` for list items. */
function toRow(index: string, { time, host, source, sourcetype, raw }: StoredEvent): Row {
  const row = newRow();
  try {
    extract(JSON.parse(raw), '', row);
  } catch {
    // Plain text has no fields.
  }
  return Object.assign(row, { _raw: raw, _time: String(time), host, index, source, sourcetype });
}

function extract(value: unknown, path: string, row: Row): void {
  if (Array.isArray(value)) {
    for (const item of value) extract(item, `${path}{}`, row);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) extract(inner, path === '' ? key : `${path}.${key}`, row);
  } else if (path !== '') {
    const before = row[path];
    const text = String(value);
    row[path] = before === undefined ? text : [...[before].flat(), text];
  }
}

function event(line: string, source: string): Row[] {
  const [, month, day, year, time, level, component] =
    /^(\d\d)-(\d\d)-(\d{4}) ([\d:.]+) \+0000 (\w+) +(\S+) /.exec(line) ?? [];
  if (level === undefined || component === undefined) return [];
  const epoch = Date.parse(`${year}-${month}-${day}T${time}Z`) / 1000;
  const fields = { _raw: line, _time: String(epoch), component, host: hostname(), index: INTERNAL };
  return [Object.assign(newRow(), fields, { log_level: level, source, sourcetype: 'splunkd' })];
}

/** Roles name indexes with wildcards; `*` excludes internal ones, which begin with an underscore. */
export function isIndexAllowed(patterns: readonly string[], index: string): boolean {
  return patterns.some((pattern) => index.startsWith('_') === pattern.startsWith('_') && wildcard(pattern)(index));
}

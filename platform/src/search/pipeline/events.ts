import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { EventIndexes, StoredEvent } from '../../events/eventIndexes.ts';
import { jsonFields } from '../results/jsonFields.ts';
import { newRow, type Row } from '../results/rows.ts';
import { indexTest, type SearchTerms, searchTerms } from './searchTerms.ts';
import { ArgumentError } from './spl.ts';
import type { TimeRange } from './times.ts';

const INTERNAL = '_internal';
/** Fields that are stored with every event; all others are extracted when it is searched. */
export const INDEXED = ['_raw', '_time', 'host', 'index', 'source', 'sourcetype'];

/** The rights of a caller on events, from the settings of its roles. */
export interface EventAccess {
  isAllowed(index: string): boolean;
  /** `srchIndexesDefault` of the roles. */
  defaults: readonly string[];
  /** `srchFilter` of the roles, of which one must match. */
  filters: readonly string[];
}

/** The rights for one search. */
export interface SearchAccess extends EventAccess {
  /** The part of a time range that the caller may search. */
  limited(range: TimeRange): TimeRange;
}

/** Reads events as a caller: no other indexes than the roles allow, no other events than their filters match. */
export class EventReader {
  readonly #home: string;
  readonly #indexes: EventIndexes;
  readonly #access: SearchAccess;
  readonly #filters: SearchTerms[];

  constructor(home: string, indexes: EventIndexes, access: SearchAccess) {
    this.#home = home;
    this.#indexes = indexes;
    this.#access = access;
    this.#filters = access.filters.map((filter) => searchTerms('search', filter, Date.now()));
  }

  /** The indexes that the caller may search. */
  names(): string[] {
    return this.#indexes.names().filter((index) => this.#access.isAllowed(index));
  }

  /** The ones of them that a pattern names; the caller's default indexes without a pattern. */
  matching(patterns: readonly string[]): string[] {
    const tests = (patterns.length === 0 ? this.#access.defaults : patterns).map(indexTest);
    return this.names().filter((index) => tests.some((test) => test(index)));
  }

  /** The events of these indexes in the time range, newest first. */
  read(indexes: readonly string[], wanted: TimeRange): Row[] {
    const range = this.#access.limited(wanted);
    const rows = indexes.flatMap((index) => [
      ...(index === INTERNAL ? logEvents(this.#home) : []),
      ...this.#indexes.all(index).map((event) => toRow(index, event)),
    ]);
    return rows
      .filter((row) => isWithin(row, range) && this.#isVisible(row))
      .map((row, order): [Row, number] => [row, order])
      .sort(([a, first], [b, second]) => Number(b._time) - Number(a._time) || second - first)
      .map(([row]) => row);
  }

  /** The events that match the terms of a search, and how many were looked at. */
  search(terms: SearchTerms, range: TimeRange): { rows: Row[]; scanned: number; indexes: string[] } {
    const missing = [...terms.fields].find((field) => field === 'eventtype' || /^tag(?:::|$)/.test(field));
    if (missing !== undefined)
      throw new ArgumentError(
        `The embedded platform has no event types and tags, so it cannot search by '${missing}'.`,
      );
    const indexes = terms.namesIndex ? this.names() : this.matching([]);
    const bounds = { earliest: terms.earliest ?? range.earliest, latest: terms.latest ?? range.latest };
    const rows = this.read(indexes, bounds);
    return { rows: rows.filter(terms.matches), scanned: rows.length, indexes };
  }

  #isVisible(row: Row): boolean {
    return this.#filters.length === 0 || this.#filters.some(({ matches }) => matches(row));
  }
}

function isWithin({ _time }: Row, { earliest, latest }: TimeRange): boolean {
  const time = Number(_time);
  return time >= earliest && time < latest;
}

function logEvents(home: string): Row[] {
  const source = join(home, 'var', 'log', 'splunk', 'splunkd.log');
  const lines = existsSync(source) ? readFileSync(source, 'utf8').split('\n') : [];
  return lines.flatMap((line) => event(line, source));
}

/** Extracts fields as splunkd does: those of JSON by dotted names, `{}` for list items, `key=value` of other text. */
function toRow(index: string, { time, host, source, sourcetype, raw }: StoredEvent): Row {
  const row = newRow();
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value === 'object') Object.assign(row, jsonFields(value));
    else extractPairs(raw, row);
  } catch {
    extractPairs(raw, row);
  }
  return Object.assign(row, { _raw: raw, _time: String(time), host, index, source, sourcetype });
}

const PAIR = /(?:^|[\s,;{[(|&?])([A-Za-z_][\w.-]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s,;"|&)\]}]+))/g;
/** `limit` of `[kv]` in limits.conf. */
const MOST_PAIRS = 100;

function extractPairs(raw: string, row: Row): void {
  let count = 0;
  for (const [, name = '', quoted, plain = ''] of raw.slice(0, 10_240).matchAll(PAIR)) {
    if (row[name] !== undefined) continue;
    count += 1;
    if (count > MOST_PAIRS) return;
    row[name] = quoted ?? plain;
  }
}

function event(line: string, source: string): Row[] {
  const [, month, day, year, time, level, component] =
    /^(\d\d)-(\d\d)-(\d{4}) ([\d:.]+) \+0000 (\w+) +(\S+) /.exec(line) ?? [];
  if (level === undefined || component === undefined) return [];
  const epoch = Date.parse(`${year}-${month}-${day}T${time}Z`) / 1000;
  const fields = { _raw: line, _time: String(epoch), component, host: hostname(), index: INTERNAL };
  const row = newRow();
  extractPairs(line, row);
  return [Object.assign(row, fields, { log_level: level, source, sourcetype: 'splunkd' })];
}

/** Roles name indexes with wildcards; `*` excludes internal ones, which begin with an underscore. */
export function isIndexAllowed(patterns: readonly string[], index: string): boolean {
  return patterns.some((pattern) => indexTest(pattern)(index));
}

import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { EaiEntry } from './entry.ts';
import { wildcard } from './wildcard.ts';
import type { EaiValue } from './xml.ts';

export interface Page {
  entries: EaiEntry[];
  total: number;
  perPage: number;
  offset: number;
}

/** Applies `search`, `sort_*`, `offset`, `count` and `f` to a listing, in that order. */
export function arrange(req: PlatformRequest, listedEntries: readonly EaiEntry[], usualCount = 30): Page {
  const matches = listedEntries.filter(matcher(req.arg('search') ?? ''));
  const sorted = sort(req, matches);
  const count = integer(req, 'count', usualCount, -1);
  const offset = integer(req, 'offset', 0, 0);
  const entries = count <= 0 ? sorted.slice(offset) : sorted.slice(offset, offset + count);
  return {
    entries: entries.map(pickFields(req.args('f'))),
    total: matches.length,
    perPage: count <= 0 ? matches.length : count,
    offset,
  };
}

/** An integer argument; 400 for anything else. */
export function integer(req: PlatformRequest, name: string, usual: number, least: number): number {
  const text = req.arg(name);
  if (text === undefined || text === '') return usual;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw new PlatformError(400, `Invalid value for argument "${name}": must be an integer not below ${least}.`);
}

function sort(req: PlatformRequest, entries: EaiEntry[]): EaiEntry[] {
  const key = req.arg('sort_key') ?? 'name';
  const direction = req.arg('sort_dir')?.toLowerCase() ?? 'asc';
  if (direction !== 'asc' && direction !== 'desc')
    throw new PlatformError(400, `Unknown sort order "${req.arg('sort_dir')}".`);
  const mode = req.arg('sort_mode') ?? 'auto';
  const value = (entry: EaiEntry): string => (key === 'name' ? entry.name : plain(entry.content[key]));
  const sign = direction === 'asc' ? 1 : -1;
  return [...entries].sort((a, b) => sign * compare(value(a), value(b), mode));
}

function compare(a: string, b: string, mode: string): number {
  if (mode === 'num' || (mode === 'auto' && isNumeric(a) && isNumeric(b))) return Number(a) - Number(b);
  const [left, right] = mode === 'alpha_case' ? [a, b] : [a.toLowerCase(), b.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

function plain(value: EaiValue): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Terms are joined by AND; `OR` separates groups; `NOT` or `!=` negates; `*` is a wildcard. */
function matcher(search: string): (entry: EaiEntry) => boolean {
  const terms = search.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  const groups: ((entry: EaiEntry) => boolean)[][] = [[]];
  let negated = false;
  for (const term of terms) {
    if (term === 'OR') groups.push([]);
    else if (term === 'NOT') negated = !negated;
    else if (term !== 'AND') {
      const test = termMatcher(term);
      const flip = negated;
      groups.at(-1)?.push((entry) => test(entry) !== flip);
      negated = false;
    }
  }
  return (entry) => groups.some((group) => group.every((test) => test(entry)));
}

function termMatcher(term: string): (entry: EaiEntry) => boolean {
  const unquoted = term.replaceAll('"', '');
  const pair = /^([^=!\s]+)(!?=)(.*)$/s.exec(unquoted);
  if (pair === null) {
    const test = ignoringCase(`*${unquoted}*`);
    return (entry) => test(entry.name) || Object.values(entry.content).some((value) => test(plain(value)));
  }
  const [, key = '', operator, pattern = ''] = pair;
  const test = ignoringCase(pattern);
  return (entry) => values(entry, key).some(test) === (operator === '=');
}

function values(entry: EaiEntry, key: string): string[] {
  if (key === 'name' || key === 'title') return [entry.name];
  if (key === 'eai:acl.app') return [entry.acl.app];
  if (key === 'eai:acl.owner') return [entry.acl.owner];
  const value = entry.content[key];
  // Filters write booleans in both ways.
  if (typeof value === 'boolean') return [String(value), value ? '1' : '0'];
  return Array.isArray(value) ? value.map(plain) : [plain(value)];
}

function ignoringCase(pattern: string): (text: string) => boolean {
  const test = wildcard(pattern.toLowerCase());
  return (text) => test(text.toLowerCase());
}

/** Only the fields that `f` names, if any. */
export function pickFields(names: string[]): (entry: EaiEntry) => EaiEntry {
  if (names.length === 0) return (entry) => entry;
  const tests = names.map(ignoringCase);
  return (entry) => ({
    ...entry,
    content: Object.fromEntries(Object.entries(entry.content).filter(([key]) => tests.some((test) => test(key)))),
  });
}

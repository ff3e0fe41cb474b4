import { FIELD_KIND } from '../../contract/families/masking.ts';
import { parseAddress } from '../text/addresses.ts';

/** A value of a named field. */
export interface FieldValue {
  field: string;
  kind: string;
  plain: string;
}

const USERS: ReadonlySet<string> = new Set(
  'user users username userid suser duser account accountname acct login logon upn owner targetusername subjectusername samaccountname userprincipalname'.split(
    ' ',
  ),
);
const HOSTS: ReadonlySet<string> = new Set(
  'host hosts hostname dest src dst dvc source destination computer computername workstation workstationname machine device devicename server servername node nodename nthost fqdn'.split(
    ' ',
  ),
);
const COMMON: ReadonlySet<string> = new Set(
  'true false null none unknown yes no n/a default any all other success failure allowed blocked'.split(' '),
);
const LEAST = 3;
const LONGEST = 4096;

/** The kind of a value: what its form tells, else what the last part of the field's name tells. */
export function kindOfField(field: string, value: string): string {
  const address = parseAddress(value);
  if (address) return address.bytes.length === 4 ? 'ipv4' : 'ipv6';
  if (/^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(value)) return 'mac';
  if (/^[^\s@]{1,64}@[^\s@]+\.[^\s@.]+$/.test(value)) return 'email';
  if (/^[\w.-]{1,15}\\[^\\\s]+$/.test(value)) return 'win_user';
  if (/^[\w.-]+\$$/.test(value)) return 'host';
  const parts = field
    .slice(field.lastIndexOf('.') + 1)
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const names = [parts.join(''), parts.at(-1) ?? ''];
  if (names.some((name) => USERS.has(name))) return 'user';
  return names.some((name) => HOSTS.has(name)) ? 'host' : FIELD_KIND;
}

/** Values of the named fields of a row; common words are none. */
export function fieldValues(row: Readonly<Record<string, unknown>>, fields: readonly string[]): FieldValue[] {
  return fields.flatMap((field) => {
    const value = Object.hasOwn(row, field) ? row[field] : undefined;
    return (Array.isArray(value) ? value : [value]).flatMap((item: unknown) => {
      const plain = typeof item === 'string' || typeof item === 'number' ? String(item).trim() : '';
      return isNamed(plain) ? [{ field, kind: kindOfField(field, plain), plain }] : [];
    });
  });
}

const isNamed = (value: string): boolean =>
  value.length >= LEAST && value.length <= LONGEST && !COMMON.has(value.toLowerCase());

/** A value at its place in a text. */
interface FieldPlace {
  field: string;
  start: number;
  end: number;
}

/** Values that stand behind a named field as a key, or in a column of that name. */
export function* keyedFields(text: string, fields: readonly string[]): Generator<FieldPlace> {
  for (const field of fields) {
    const name = field.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const pattern = new RegExp(
      `(?<![A-Za-z0-9_.])${name}["']?[ \\t]?[=:][ \\t]?(?:"([^"\\n]{1,256})"|'([^'\\n]{1,256})'|([^\\s,;"'<>|&{}\\[\\]]{1,256}))`,
      'dgi',
    );
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.slice(1).find((place) => place !== undefined) ?? [0, 0];
      if (isNamed(text.slice(start, end))) yield { field, start, end };
    }
  }
  yield* columns(text, fields);
}

/** Columns of a CSV whose header is the first line. */
function* columns(text: string, fields: readonly string[]): Generator<FieldPlace> {
  const [header = ''] = text.split('\n', 1);
  if (!header.includes(',') || header.length > LONGEST || header.length === text.length) return;
  const names = [...cells(header, 0)].map(({ start, end }) => header.slice(start, end));
  const fieldsByColumn = names.map((name) => fields.find((field) => field.toLowerCase() === name.toLowerCase()));
  if (fieldsByColumn.every((field) => field === undefined)) return;
  for (let from = header.length + 1; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end);
    const places = [...cells(line, from)];
    if (places.length === names.length) {
      for (const [index, place] of places.entries()) {
        const field = fieldsByColumn[index];
        if (field !== undefined && isNamed(text.slice(place.start, place.end))) yield { field, ...place };
      }
    }
    from = end < 0 ? text.length : end + 1;
  }
}

const CELL = /(?:^|,)(?:"([^"]*)"|([^",]*))/dg;

function* cells(line: string, from: number): Generator<{ start: number; end: number }> {
  for (const match of line.replace(/\r$/, '').matchAll(CELL)) {
    const [start, end] = match.indices?.slice(1).find((place) => place !== undefined) ?? [0, 0];
    yield { start: from + start, end: from + end };
  }
}

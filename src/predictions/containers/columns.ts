import { isNoValue } from '../rows/csvLines.ts';
import { exactNumberOf, fieldsOf, isMissing, type Row } from '../rows/values.ts';
import type { Column, Feature, FeatureValue } from './protocol.ts';

export const isScalar = (value: unknown): value is FeatureValue =>
  ['string', 'boolean', 'bigint'].includes(typeof value) || (typeof value === 'number' && Number.isFinite(value));

/** The fields of all rows, with what their values look like. */
export function columnsOf(rows: readonly Row[]): Column[] {
  const kinds = new Map<string, Column['kind']>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (isMissing(value) || !isScalar(value) || isNoNumber(value)) continue;
      kinds.set(name, joined(kinds.get(name), kindOf(value)));
    }
  }
  return fieldsOf(rows).map((name) => ({ name, kind: kinds.get(name) ?? 'text' }));
}

/** Such a value among numbers cannot be read, and makes no text of the others. */
const isNoNumber = (value: FeatureValue): boolean => typeof value === 'string' && isNoValue(value.trim());

const joined = (before: Column['kind'] | undefined, now: Column['kind']): Column['kind'] =>
  before === undefined || before === now ? now : 'text';

/** A text of digits that a number cannot hold is an id. */
function kindOf(value: FeatureValue): Column['kind'] {
  if (typeof value === 'boolean') return 'boolean';
  const number = exactNumberOf(value);
  return number === undefined || (typeof value === 'string' && typeof number === 'bigint') ? 'text' : 'number';
}

const WORDS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** Readers of the values of each kind. */
export const READERS: Readonly<Record<Column['kind'], Pick<Feature, 'read' | 'what'>>> = {
  number: { read: (value) => (typeof value === 'boolean' ? Number(value) : exactNumberOf(value)), what: 'a number' },
  boolean: {
    read: (value) => (typeof value === 'boolean' ? value : WORDS[String(value).trim().toLowerCase()]),
    what: 'true or false',
  },
  text: { read: String, what: 'a text' },
};

/** For models that do not say what they take: all fields, each as what its values look like. */
export const featuresOf = (columns: readonly Column[]): Feature[] =>
  columns.map(({ name, kind }) => ({ name, ...READERS[kind] }));

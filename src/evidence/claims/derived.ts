import { type Unit, unitOf, unitOfColumn } from '../data/units.ts';
import type { SourceData } from '../index/dataReader.ts';
import { addHit, type Hits } from '../index/hits.ts';
import { type NumberClaim, NumberTargets, rangeOf } from '../index/numberHits.ts';
import { type Range, Ranges } from '../index/ranges.ts';
import type { Table } from '../values/results.ts';
import { isObject } from '../values/results.ts';
import type { Claim, ClaimOf } from './claim.ts';

/** Results that follow from the data, by claim. */
export type Derivations = ReadonlyMap<Claim, { hits: Hits; why: string }>;

interface Column {
  name: string;
  values: number[];
  distinct: number;
  unit: Unit | undefined;
}

/** Sums and differences of two values are looked for in columns that are no longer. */
const MOST_PAIRED = 12;
/** Numbers of a row that are divided by each other. */
const MOST_IN_ROW = 12;
const MOST_COLUMNS = 200;
const PERCENT = unitOf('%', true);

/** Finds numbers and spans of time that follow from rows and times of one source. */
export function derivedFrom(claims: readonly Claim[], sources: readonly SourceData[], startedAt: number): Derivations {
  const derived = new Map<Claim, { hits: Hits; why: string }>();
  const finder = new Finder(claims, derived);
  for (const source of sources) {
    for (const table of source.tables) finder.table(table, source.source);
    finder.spans(source, startedAt);
  }
  return derived;
}

class Finder {
  readonly #derived: Map<Claim, { hits: Hits; why: string }>;
  readonly #owners = new Map<NumberClaim, ClaimOf<'number'>>();
  readonly #targets: NumberTargets;
  readonly #shares: Ranges<ClaimOf<'number'>>;
  readonly #spans: { claim: Claim; from: number; to: number; isAgo: boolean }[];

  constructor(claims: readonly Claim[], derived: Map<Claim, { hits: Hits; why: string }>) {
    this.#derived = derived;
    const numbers = claims.flatMap((claim) => (claim.type === 'number' ? [claim, ...claim.parts] : []));
    const open = numbers.filter(({ number, digits }) => number.hits.size === 0 && digits === undefined);
    for (const claim of open) this.#owners.set(claim.number, claim);
    this.#targets = new NumberTargets(open.map(({ number }) => number));
    this.#shares = new Ranges(open.flatMap(sharesOf));
    this.#spans = [
      ...claims.flatMap((claim) => (claim.type === 'span' ? [{ ...claim, claim }] : [])),
      ...open.flatMap(spansOf),
    ];
  }

  table(table: Table, source: number): void {
    if (this.#targets.isEmpty) return;
    const rows = table.rows.length;
    if (rows > 1) this.#offer(rows, undefined, source, undefined, 'number of rows');
    const columns = columnsOf(table);
    for (const column of columns) this.#column(column, rows, source);
    if (!this.#shares.isEmpty) this.#rows(columns, table, source);
  }

  #column({ name, values, distinct, unit }: Column, rows: number, source: number): void {
    if (rows > 1) this.#offer(distinct, undefined, source, name, `number of distinct values of ${name}`);
    if (values.length < 2) return;
    const sum = values.reduce((total, value) => total + value, 0);
    this.#offer(sum, unit, source, name, `sum of ${name}`);
    const { least, most } = ends(values);
    this.#offer(most - least, unit, source, name, `largest less smallest of ${name}`);
    if (values.length <= MOST_PAIRED) this.#pairs(values, name, unit, source);
    if (this.#shares.isEmpty) return;
    for (const value of values) {
      this.#share(value, sum, source, name);
      this.#share(value, rows, source, name);
    }
  }

  #pairs(values: readonly number[], name: string, unit: Unit | undefined, source: number): void {
    for (const [index, first] of values.entries()) {
      for (const second of values.slice(index + 1)) {
        this.#offer(first + second, unit, source, name, `${first} + ${second}`);
        const [less, more] = first < second ? [first, second] : [second, first];
        this.#offer(more - less, unit, source, name, `${more} − ${less}`);
      }
    }
  }

  /** Shares of two numbers of one row. */
  #rows(columns: readonly Column[], table: Table, source: number): void {
    if (columns.filter(({ values }) => values.length > 0).length < 2) return;
    const names = columns.filter(({ values }) => values.length > 0).slice(0, MOST_IN_ROW);
    for (const row of table.rows) {
      const numbers = names.map(({ name }) => numberOf(cellOf(table, row, name)));
      for (const [index, value] of numbers.entries()) {
        if (value === undefined) continue;
        for (const whole of numbers)
          if (whole !== undefined && whole !== value) this.#share(value, whole, source, names[index]?.name);
      }
    }
  }

  #offer(value: number, unit: Unit | undefined, source: number, field: string | undefined, why: string): void {
    this.#targets.each(value, unit, (number) => {
      const claim = this.#owners.get(number);
      if (claim) this.#note(claim, source, field, why);
    });
  }

  #share(part: number, whole: number, source: number, field: string | undefined): void {
    if (whole <= 0 || part < 0 || part > whole) return;
    for (const claim of this.#shares.holding(part / whole)) this.#note(claim, source, field, `${part} / ${whole}`);
  }

  /** Spans between two times of a source, or from a time to the start of the run. */
  spans({ source, instants }: SourceData, startedAt: number): void {
    if (this.#spans.length === 0 || instants.length === 0) return;
    const ordered = Float64Array.from(instants).sort();
    for (const { claim, from, to, isAgo } of this.#spans) {
      if (hasSpan(ordered, from * 1000, to * 1000)) this.#note(claim, source, undefined, 'span between two times');
      else if (isAgo && ordered.some((instant) => isWithin(startedAt * 1000 - instant, from * 1000, to * 1000))) {
        this.#note(claim, source, undefined, 'span to the start of the run');
      }
    }
  }

  #note(claim: Claim, source: number, field: string | undefined, why: string): void {
    const entry = this.#derived.get(claim);
    if (entry) addHit(entry.hits, source, field);
    else this.#derived.set(claim, { hits: new Map([[source, field]]), why });
  }
}

const isWithin = (value: number, from: number, to: number): boolean => value >= from && value < to;

/** Percentages, and fractions such as 0.74. */
function sharesOf(claim: ClaimOf<'number'>): Range<ClaimOf<'number'>>[] {
  const { values, unit } = claim.number.reading;
  if (unit !== undefined && unit.dimension !== PERCENT?.dimension) return [];
  return values
    .filter(({ value, decimals }) => unit !== undefined || (decimals > 0 && value > 0 && value < 1))
    .map(({ value, decimals }) => ({ ...rangeOf(value, decimals, unit?.factor ?? 1), value: claim }));
}

/** A number with a unit of time may be a span. */
function spansOf(claim: ClaimOf<'number'>) {
  const { values, unit } = claim.number.reading;
  if (unit?.dimension !== 'time') return [];
  return values.map(({ value, decimals }) => ({ claim, ...rangeOf(value, decimals, unit.factor), isAgo: false }));
}

function hasSpan(ordered: Float64Array, from: number, to: number): boolean {
  let first = 0;
  for (const later of ordered) {
    // The earliest time that is less than `to` before this one.
    while ((ordered[first] as number) <= later - to) first += 1;
    const span = later - (ordered[first] as number);
    if (span > 0 && isWithin(span, from, to)) return true;
  }
  return false;
}

function columnsOf(table: Table): Column[] {
  return columnNames(table).map((name, index) => {
    const values: number[] = [];
    const distinct = new Set<unknown>();
    for (const row of table.rows) {
      const cell = 'names' in table ? (row as readonly unknown[])[index] : cellOf(table, row, name);
      const value = numberOf(cell);
      if (value !== undefined) values.push(value);
      if (isScalar(cell)) distinct.add(cell);
    }
    return { name, values, distinct: distinct.size, unit: unitOfColumn(name) };
  });
}

function columnNames(table: Table): string[] {
  if ('names' in table) return table.names.slice(0, MOST_COLUMNS);
  const names = new Set<string>();
  for (const row of table.rows) {
    for (const name of Object.keys(row)) if (names.size < MOST_COLUMNS) names.add(name);
  }
  return [...names];
}

const cellOf = (table: Table, row: unknown, name: string): unknown => {
  if ('names' in table) return (row as readonly unknown[])[table.names.indexOf(name)];
  return isObject(row) && Object.hasOwn(row, name) ? row[name] : undefined;
};

const isScalar = (cell: unknown): boolean =>
  (typeof cell === 'string' && cell !== '') ||
  typeof cell === 'number' ||
  typeof cell === 'bigint' ||
  typeof cell === 'boolean';

const PLAIN_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

function numberOf(cell: unknown): number | undefined {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : undefined;
  return typeof cell === 'string' && cell.length <= 32 && PLAIN_NUMBER.test(cell) ? Number(cell) : undefined;
}

function ends(values: readonly number[]): { least: number; most: number } {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { least, most };
}

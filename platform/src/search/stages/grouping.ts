import { type Batch, newRow, type Row } from '../results/rows.ts';
import type { Accumulator, Aggregation } from './aggregates.ts';

interface Group {
  values: string[];
  accumulators: Accumulator[];
}

/** Rows grouped by the values of fields, with the aggregations of each group. */
export class Groups {
  readonly #fields: readonly string[];
  readonly #aggregations: readonly Aggregation[];
  readonly #groups = new Map<string, Group>();

  constructor(fields: readonly string[], aggregations: readonly Aggregation[]) {
    this.#fields = fields;
    this.#aggregations = aggregations;
  }

  /** A row without a value for each field belongs to no group, one with several values to several groups. */
  add(row: Row): void {
    let keys: string[][] = [[]];
    for (const field of this.#fields) {
      const values = [...new Set([row[field] ?? []].flat())].filter((value) => value !== '');
      keys = keys.flatMap((key) => values.map((value) => [...key, value]));
    }
    for (const values of keys) for (const accumulator of this.#group(values).accumulators) accumulator.add(row);
  }

  #group(values: string[]): Group {
    const key = JSON.stringify(values);
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { values, accumulators: this.#aggregations.map(({ create }) => create()) };
      this.#groups.set(key, group);
    }
    return group;
  }

  get size(): number {
    return this.#groups.size;
  }

  /** One row for each group in the order of their values; without fields always one. */
  batch(): Batch {
    if (this.#fields.length === 0) this.#group([]);
    const groups = [...this.#groups.values()].sort(({ values: a }, { values: b }) => {
      const index = a.findIndex((value, position) => value !== b[position]);
      return index < 0 ? 0 : (a[index] ?? '') < (b[index] ?? '') ? -1 : 1;
    });
    const rows = groups.map(({ values, accumulators }) => {
      const row = newRow();
      this.#fields.forEach((field, index) => {
        row[field] = values[index] ?? '';
      });
      this.#aggregations.forEach(({ name }, index) => {
        const value = accumulators[index]?.value();
        if (value !== undefined) row[name] = value;
      });
      return row;
    });
    return { columns: [...this.#fields, ...this.#aggregations.map(({ name }) => name)], rows };
  }
}

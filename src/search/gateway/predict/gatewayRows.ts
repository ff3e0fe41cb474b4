import type { Clock } from '../../../ports/platform/clock.ts';
import type { GatewayApi } from '../../../ports/platform/ownApi.ts';
import type { CsvTable } from '../../csvTable.ts';
import { BatchQueue } from '../batchQueue.ts';
import { DEFAULT_PARALLEL } from '../gatewayOptions.ts';
import type { Failure } from '../itemAnswer.ts';
import type { Json } from '../task.ts';
import { type ChunkPredictions, columnIn } from './chunkPredictions.ts';

/** Rows of an item: an endpoint takes its own number of them at a time. */
const ITEM_ROWS = 500;
/** The gateway takes 8 MB. */
const ITEM_BYTES = 4_000_000;

interface Slice {
  from: number;
  rows: Json[];
}

/** Sends rows to a model that the gateway reaches: at an endpoint, or in a container. */
export class GatewayRows {
  readonly #queue: BatchQueue;
  readonly #features: readonly string[];
  readonly #probabilities: boolean;
  /** Fields that have had a value. */
  readonly #used = new Set<string>();

  /** @param features the fields to send; empty = all */
  constructor(
    gateway: GatewayApi,
    clock: Clock,
    { model, features, probabilities, timeoutS, failsFast }: GatewayModel,
  ) {
    const common = { model };
    this.#queue = new BatchQueue(gateway, clock, {
      operation: 'predict',
      common,
      isRepeatable: true,
      parallel: DEFAULT_PARALLEL,
      timeoutS,
      dedup: false,
      isDryRun: false,
      maxCost: undefined,
      failsFast,
    });
    this.#features = features;
    this.#probabilities = probabilities;
  }

  async predict(table: CsvTable, signal: AbortSignal): Promise<ChunkPredictions> {
    const slices = this.#slicesOf(table);
    const outcomes = await this.#queue.ask(
      slices.map(({ rows }) => ({ rows })),
      signal,
    );
    const found: ChunkPredictions = { columns: new Map(), failures: new Map() };
    for (const [index, outcome] of outcomes.entries()) {
      const { from, rows } = slices[index] as Slice;
      if ('response' in outcome) this.#read(outcome.response, from, table.count, found);
      else for (let row = from; row < from + rows.length; row += 1) found.failures.set(row, outcome);
    }
    return found;
  }

  close(): void {}

  /**
   * Empty fields are left out, as rows of a search have no others. Where the model's features are not known, the first row of each
   * item has all fields that are in use: the model takes what an item names, which must not depend on where the chunk is cut.
   */
  #slicesOf(table: CsvTable): Slice[] {
    const isKnown = this.#features.length > 0;
    const fields = isKnown ? this.#features : table.fields.filter((name) => !name.startsWith('_'));
    const columns = fields.map((field) => [field, table.column(field) ?? []] as const);
    if (!isKnown)
      for (const [field, values] of columns) if (values.some((value) => value !== '')) this.#used.add(field);
    const inUse = Object.fromEntries([...this.#used].map((field) => [field, null]));
    const slices: Slice[] = [];
    let bytes = 0;
    for (let row = 0; row < table.count; row += 1) {
      const given = columns.flatMap(([field, values]) => (values[row] ? [[field, values[row]] as const] : []));
      const size = given.reduce((sum, [field, value = '']) => sum + field.length + value.length * 2, 10);
      const last = slices.at(-1);
      if (last && last.rows.length < ITEM_ROWS && bytes + size < ITEM_BYTES) last.rows.push(Object.fromEntries(given));
      else {
        slices.push({ from: row, rows: [{ ...inUse, ...Object.fromEntries(given) }] });
        bytes = 0;
      }
      bytes += size;
    }
    return slices;
  }

  #read(response: Json, from: number, count: number, { columns, failures }: ChunkPredictions): void {
    const { result = [], errors = [] } = response as {
      result?: (Json | null)[];
      errors?: (Failure & { row: number })[];
    };
    for (const { row, error_code, message } of errors) failures.set(from + row, { error_code, message });
    for (const [index, fields] of result.entries()) {
      for (const [field, value] of Object.entries(fields ?? {})) {
        if (!this.#probabilities && field.startsWith('probability(')) continue;
        columnIn(columns, field, count)[from + index] = String(value ?? '');
      }
    }
  }
}

interface GatewayModel {
  model: string;
  features: readonly string[];
  probabilities: boolean;
  timeoutS: number;
  /** Whether the first failed item ends the search. */
  failsFast: boolean;
}

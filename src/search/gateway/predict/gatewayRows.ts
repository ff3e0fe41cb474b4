import type { Clock } from '../../../ports/platform/clock.ts';
import type { GatewayApi } from '../../../ports/platform/ownApi.ts';
import type { CsvTable } from '../../csvTable.ts';
import { BatchQueue } from '../batchQueue.ts';
import type { Failure, Json, Outcome } from '../task.ts';
import { ChunkPredictions } from './chunkPredictions.ts';

/** Rows of an item: an endpoint takes its own number of them at a time. */
const ITEM_ROWS = 500;
/** The gateway takes 8 MB. */
const ITEM_BYTES = 4_000_000;

/** A model that has failed for so many single rows, and answered none, is not asked for the rest of them. */
const ENOUGH_FAILED = 100;

/** Rows of an item. */
interface Slice {
  /** Their places in the chunk. */
  places: number[];
  rows: Json[];
  /** Rows of earlier items with these that have failed alone, if none of them was answered. */
  failed: number;
}

type RowFailure = Failure & { row: number };

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
    const terms = { isRepeatable: true, dedup: false, timeoutS, failsFast };
    this.#queue = new BatchQueue(gateway, clock, { operation: 'predict', common: { model }, ...terms });
    this.#features = features;
    this.#probabilities = probabilities;
  }

  async predict(table: CsvTable, signal: AbortSignal): Promise<ChunkPredictions> {
    const predictions = new ChunkPredictions(table.count);
    let slices = this.#slicesOf(table);
    while (slices.length > 0) {
      const items = slices.map(({ rows }) => ({ rows }));
      const outcomes = await this.#queue.ask(items, signal);
      slices = slices.flatMap((slice, index) => this.#take(outcomes[index] as Outcome, slice, predictions));
    }
    return predictions;
  }

  /** @returns the rows that the gateway has not reached, to be sent again */
  #take(outcome: Outcome, slice: Slice, predictions: ChunkPredictions): Slice[] {
    if (!('response' in outcome)) {
      predictions.fail(slice.places, outcome);
      return [];
    }
    const { result = [], errors = [] } = outcome.response as { result?: (Json | null)[]; errors?: RowFailure[] };
    this.#read(result, slice, predictions);
    const failures = errors.filter(({ error_code }) => error_code !== NOT_REACHED);
    for (const { row, ...failure } of failures) predictions.fail([slice.places[row] as number], failure);
    if (failures.length === errors.length) return [];
    const broken = failures.filter(({ error_code }) => error_code === 'upstream_error');
    const failed = result.some((row) => row !== null) ? 0 : slice.failed + broken.length;
    const rows = errors.flatMap(({ row, error_code }) => (error_code === NOT_REACHED ? row : []));
    const places = rows.map((row) => slice.places[row] as number);
    const [last] = broken.slice(-1);
    if (last && failed >= ENOUGH_FAILED) {
      predictions.fail(places, last);
      return [];
    }
    return [{ places, rows: this.#withFields(rows.map((row) => slice.rows[row] as Json)), failed }];
  }

  /**
   * Where the model's features are not known, the first row of each item has all fields that are in use: the model takes what an
   * item names, which must not depend on where the chunk is cut.
   */
  #withFields([first, ...others]: Json[]): Json[] {
    return [{ ...Object.fromEntries([...this.#used].map((field) => [field, null])), ...first }, ...others];
  }

  /** Empty fields are left out, as rows of a search have no others. */
  #slicesOf(table: CsvTable): Slice[] {
    const isKnown = this.#features.length > 0;
    const fields = isKnown ? this.#features : table.fields.filter((name) => !name.startsWith('_'));
    const columns = fields.map((field) => [field, table.column(field) ?? []] as const);
    if (!isKnown)
      for (const [field, values] of columns) if (values.some((value) => value !== '')) this.#used.add(field);
    const slices: Slice[] = [];
    let bytes = 0;
    for (let row = 0; row < table.count; row += 1) {
      const cells = columns.flatMap(([field, texts]) => (texts[row] ? [[field, texts[row]] as const] : []));
      const size = cells.reduce((sum, [field, value = '']) => sum + field.length + value.length * 2, 10);
      const last = slices.at(-1);
      if (last && last.rows.length < ITEM_ROWS && bytes + size < ITEM_BYTES) {
        last.rows.push(Object.fromEntries(cells));
        last.places.push(row);
      } else {
        slices.push({ places: [row], rows: this.#withFields([Object.fromEntries(cells)]), failed: 0 });
        bytes = 0;
      }
      bytes += size;
    }
    return slices;
  }

  #read(result: readonly (Json | null)[], { places }: Slice, predictions: ChunkPredictions): void {
    for (const [index, fields] of result.entries()) {
      for (const [field, value] of Object.entries(fields ?? {})) {
        if (!this.#probabilities && field.startsWith('probability(')) continue;
        predictions.column(field)[places[index] as number] = String(value ?? '');
      }
    }
  }
}

/** Code of a row that the gateway had no time for. */
const NOT_REACHED = 'not_reached';

interface GatewayModel {
  model: string;
  features: readonly string[];
  probabilities: boolean;
  timeoutS: number;
  /** Whether the first failed item ends the search. */
  failsFast: boolean;
}

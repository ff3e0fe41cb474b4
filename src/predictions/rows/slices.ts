import { OutboundError } from '../../contract/codes/outbound.ts';
import { parallel } from '../../domain/async/parallel.ts';
import type { Upstream } from '../../ports/platform/upstream.ts';
import type { OnRefused, PredictedRow, Predictions, RowError } from './prediction.ts';
import { ReplySize } from './replySize.ts';
import type { Row } from './values.ts';

/** `refused`: the model does not take these rows, fewer of them may do. */
export type SliceAnswer =
  | { kind: 'answered'; values: readonly PredictedRow[] }
  | { kind: 'refused'; error: OutboundError };

interface Slicing {
  /** Rows of one call, at most. */
  size: number;
  /** Calls at a time. */
  calls: number;
  /** Calls and time of all slices together. */
  upstream: Upstream;
  onRefused: OnRefused;
}

/** Prediction of a row, or why it was refused alone. */
export type SlicedRow = { value: PredictedRow } | { error: OutboundError | NotReached };

interface NotReached {
  code: 'not_reached';
  message: string;
}

const NOT_REACHED: { error: NotReached } = {
  error: { code: 'not_reached', message: 'Nothing was asked for this row in the time to begin' },
};

/** Values that are sent of a row, or why none are. */
export type ReadRow<V> = { values: V } | { error: RowError };

/** Reads the rows of a call. @returns what is sent, and the way from its slices to predictions of all rows */
export function readAll<V>(rows: readonly Row[], read: (row: Row, index: number) => ReadRow<V>) {
  const sent: V[] = [];
  const places: number[] = [];
  const errors: RowError[] = [];
  for (const [place, row] of rows.entries()) {
    const outcome = read(row, place);
    if ('error' in outcome) errors.push(outcome.error);
    else {
      sent.push(outcome.values);
      places.push(place);
    }
  }
  const predictionsOf = (sliced: readonly SlicedRow[]): Predictions => {
    const result: Predictions['result'] = rows.map(() => null);
    for (const [index, row] of places.entries()) {
      const outcome = sliced[index];
      if (outcome && 'value' in outcome) result[row] = outcome.value;
      else if (outcome) errors.push({ row, error_code: outcome.error.code, message: outcome.error.message });
    }
    return { result, errors: errors.sort((a, b) => a.row - b.row) };
  };
  return { sent, predictionsOf };
}

/** A model that has failed for so many single rows, and answered none, is asked for as many others of the whole call. */
const ENOUGH_FAILED = 50;

/**
 * Sends rows in slices, several at a time. A slice that is refused is halved, down to single rows; a model that fails
 * (`upstream_error`) wherever it is asked is not asked for all rows.
 * Rows for which no request may begin any more are `not_reached`.
 * @param send answers one value for each row of the slice; what it throws fails all, and nothing more is sent
 * @throws OutboundError `timeout`, `upstream_error` for more than a reply can hold, what a model fails with for all rows
 */
export async function inSlices<R>(
  rows: readonly R[],
  { size, calls, upstream, onRefused }: Slicing,
  send: (slice: readonly R[]) => Promise<SliceAnswer>,
): Promise<SlicedRow[]> {
  const results: SlicedRow[] = new Array(rows.length);
  const reply = new ReplySize();
  let hasBegun = false;
  let hasFailed = false;
  let hasAnswered = false;
  let failed = 0;

  /** @returns whether the rows were answered; undefined if the call has failed, or no more may begin */
  async function take(from: number, to: number): Promise<boolean | undefined> {
    if (hasFailed) return undefined;
    if (upstream.signal.aborted) throw new OutboundError('timeout', 'The model did not answer in time');
    // The first request always begins, since nothing would be done without it.
    if (hasBegun && !upstream.mayBegin()) {
      results.fill(NOT_REACHED, from, to);
      return undefined;
    }
    hasBegun = true;
    const answer = await send(rows.slice(from, to));
    if (answer.kind === 'refused') {
      onRefused(answer.error);
      if (to - from === 1) results[from] = { error: answer.error };
      return false;
    }
    hasAnswered = true;
    for (const [index, value] of answer.values.entries()) {
      reply.add(value);
      results[from + index] = { value };
    }
    return true;
  }

  async function halve(from: number, to: number): Promise<void> {
    if ((await take(from, to)) !== false) return;
    if (to - from > 1) {
      const middle = Math.ceil((from + to) / 2);
      await halve(from, middle);
      await halve(middle, to);
    } else if (failureOf(from)) {
      failed += 1;
      if (failed === ENOUGH_FAILED && !hasAnswered) await assertSomeAreTaken();
    }
  }

  async function assertSomeAreTaken(): Promise<void> {
    if (rows.length <= 2 * ENOUGH_FAILED) return;
    for (let probe = 1; probe <= ENOUGH_FAILED; probe += 1) {
      const row = Math.floor((probe * rows.length) / ENOUGH_FAILED) - 1;
      await take(row, row + 1);
      const failure = failureOf(row);
      if (hasAnswered || !failure) return;
      if (probe === ENOUGH_FAILED) throw failure;
    }
  }

  /** The model's own failure, not what it has against a row. */
  function failureOf(row: number): OutboundError | undefined {
    const result = results[row];
    return result &&
      'error' in result &&
      result.error instanceof OutboundError &&
      result.error.code === 'upstream_error'
      ? result.error
      : undefined;
  }

  const starts = Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => index * size);
  await parallel(starts, calls, (from) =>
    halve(from, Math.min(from + size, rows.length)).catch((error: unknown) => {
      hasFailed = true;
      throw error;
    }),
  );
  return results;
}

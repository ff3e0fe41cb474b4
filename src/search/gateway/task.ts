import { SearchError } from '../command.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Failure {
  error_code: string;
  message: string;
}

/** Ends the search with the failure of an item. */
export const failureError = ({ error_code, message }: Failure): SearchError =>
  new SearchError(`${message} (${error_code})`);

/** An entry of a batch's result. */
export type ItemAnswer = { id: string } & (
  | { status: 'done'; response: Json }
  | { status: 'not_reached' }
  | (Failure & { status: 'failed'; should_retry: boolean; retry_after?: number })
);

/** The result of one item after all repetitions. */
export type Outcome = { response: Json } | Failure;

/** An item of a search on its way to an outcome. */
export interface Task {
  body: Json;
  /** Rows of equal bodies: each of their named values is masked. */
  rows: Json[];
  bytes: number;
  /** Set when it is first sent. */
  expiresAt?: number;
  notBefore: number;
  lastFailure?: Failure;
  failures: number;
  outcome?: Outcome;
}

/** Items of a batch have one deadline, so their ends differ by at most this part of the timeout. */
const AGE_SHARE = 0.1;

/**
 * Selects the tasks of the next batch: first those that were sent before, then fresh ones, which are removed from their
 * list.
 * @returns the batch, and the tasks sent before that have to wait
 */
export function selectBatch(
  sent: readonly Task[],
  fresh: Task[],
  { now, most, bytes: mostBytes, timeoutMs }: { now: number; most: number; bytes: number; timeoutMs: number },
): { batch: Task[]; again: Task[] } {
  const batch: Task[] = [];
  let bytes = 0;
  let earliestEnd = Number.POSITIVE_INFINITY;
  const add = (task: Task): boolean => {
    const { expiresAt = now + timeoutMs } = task;
    const isFull = batch.length >= most || (batch.length > 0 && bytes + task.bytes > mostBytes);
    if (isFull || task.notBefore > now || expiresAt - earliestEnd > timeoutMs * AGE_SHARE) return false;
    task.expiresAt = expiresAt;
    earliestEnd = Math.min(earliestEnd, expiresAt);
    bytes += task.bytes;
    batch.push(task);
    return true;
  };
  const again = sent.filter((task) => !add(task));
  const firstLeft = fresh.findIndex((task) => !add(task));
  fresh.splice(0, firstLeft < 0 ? fresh.length : firstLeft);
  return { batch, again };
}

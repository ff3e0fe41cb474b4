import { createHash } from 'node:crypto';
import { isObject } from '../../contract/basics.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { mergedRow } from '../../domain/values/mergedRow.ts';
import type { Clock } from '../../ports/platform/clock.ts';
import type { ApiAnswer, GatewayApi } from '../../ports/platform/ownApi.ts';
import { SearchError } from '../command.ts';
import { Budget } from './budget.ts';
import { DEFAULT_PARALLEL, DEFAULT_TIMEOUT_S } from './gatewayOptions.ts';
import {
  type Failure,
  failureError,
  type ItemAnswer,
  type Json,
  type Outcome,
  selectBatch,
  type Task,
} from './task.ts';

export interface BatchSettings {
  operation: string;
  /** The part of the body that all items have in common. */
  common: Json;
  parallel?: number | undefined;
  timeoutS?: number | undefined;
  /** Whether equal items of the search are sent once. */
  dedup: boolean;
  isDryRun?: boolean | undefined;
  /** US dollars. */
  maxCost?: number | undefined;
  /** Whether items may be sent again when the fate of their batch is unknown. */
  isRepeatable: boolean;
  /** Whether the first failed item ends the search. */
  failsFast: boolean;
  /** Size of one batch; default: more with each batch that is fast. */
  piece?: Piece | undefined;
}

/** Items and bytes of one batch at most, and bytes of an item that is too large for any. */
interface Piece {
  items: number;
  bytes: number;
  tooLarge: number;
  /** Calls at a time. */
  parallel: number;
}

export const MAX_COST = 'max_cost';
/** The gateway hands back items that it could not begin so soon: a cancelled search asks nothing more after that. */
const BEGIN_WITHIN_S = 1;
const MAX_DEADLINE_S = 100;
/** The gateway takes 8 MB with the common part. A batch waits for its slowest call: several small ones are faster. */
const BATCH: Piece = { items: 200, bytes: 4_000_000, tooLarge: 7_500_000, parallel: 4 };
/** With these codes an item has not been processed, so that even what must not run twice may be sent again. */
const NOT_PROCESSED = ['too_many_requests', 'limit_exceeded', 'rate_limited', 'connection_refused', 'dns_failed'];
/** After a faster batch the next has more items. */
const SHORT_BATCH_MS = 500;
const MAX_PAUSE_MS = 8000;

/** Sends the items of a search to the gateway in batches, and failed ones again. Its state covers all chunks. */
export class BatchQueue {
  readonly #gateway: Pick<GatewayApi, 'batch'>;
  readonly #clock: Clock;
  readonly #settings: BatchSettings;
  readonly #parallel: number;
  readonly #timeoutS: number;
  /** Tasks of the search by a hash of their bodies. */
  readonly #tasks = new Map<string, Task>();
  readonly #budget: Budget;
  readonly #piece: Piece;
  #isEstimated: boolean;
  #fresh: Task[] = [];
  #again: Task[] = [];
  #batchSize: number;
  #pausedUntil = 0;
  #pauses = 0;
  #error: unknown;

  constructor(gateway: Pick<GatewayApi, 'batch'>, clock: Clock, settings: BatchSettings) {
    this.#gateway = gateway;
    this.#clock = clock;
    this.#settings = settings;
    this.#parallel = settings.parallel ?? DEFAULT_PARALLEL;
    this.#timeoutS = settings.timeoutS ?? DEFAULT_TIMEOUT_S;
    this.#piece = settings.piece ?? BATCH;
    this.#batchSize = settings.piece?.items ?? Math.min(BATCH.parallel, this.#parallel);
    this.#budget = new Budget(settings.maxCost ?? Number.POSITIVE_INFINITY);
    this.#isEstimated = settings.maxCost === undefined || settings.isDryRun === true;
  }

  /** @returns the outcomes in the order of the items @throws SearchError when the search has to fail */
  async ask(bodies: readonly Json[], signal: AbortSignal): Promise<Outcome[]> {
    const tasks = bodies.map((body) => this.#taskOf(body));
    this.#fresh = [...new Set(tasks)].filter(({ outcome }) => outcome === undefined);
    if (!this.#isEstimated) await this.#estimate(signal);
    const workers = Math.ceil(this.#parallel / this.#piece.parallel);
    const shares = Array.from({ length: workers }, (_, index) => Math.floor((this.#parallel + index) / workers));
    await Promise.all(shares.map((share) => this.#work(share, signal)));
    signal.throwIfAborted();
    if (this.#error !== undefined) throw this.#error;
    return tasks.map(({ outcome }) => outcome as Outcome);
  }

  #taskOf({ row, ...body }: Json): Task {
    const json = stringifyExact(body);
    const rows = isObject(row) ? [row] : [];
    const key = this.#settings.dedup ? createHash('sha256').update(json).digest('base64') : undefined;
    const equalTask = key && this.#tasks.get(key);
    if (equalTask) {
      if (equalTask.outcome === undefined) equalTask.rows.push(...rows);
      return equalTask;
    }
    const bytes = Buffer.byteLength(json) + Buffer.byteLength(stringifyExact(rows));
    const task: Task = { body, rows, bytes, notBefore: 0, failures: 0 };
    if (key) this.#tasks.set(key, task);
    if (task.bytes > this.#piece.tooLarge) {
      const message = `The filled options have ${task.bytes} bytes; the gateway takes ${this.#piece.tooLarge}`;
      this.#settle(task, { error_code: 'payload_too_large', message });
    }
    return task;
  }

  async #estimate(signal: AbortSignal): Promise<void> {
    const [first] = this.#fresh;
    if (first === undefined) return;
    this.#isEstimated = true;
    const dry = new BatchQueue(this.#gateway, this.#clock, { ...this.#settings, isDryRun: true, failsFast: true });
    const [outcome] = await dry.ask([bodyOf(first)], signal);
    const { cost_estimated } = outcome && 'response' in outcome ? outcome.response : {};
    if (typeof cost_estimated !== 'number')
      throw new SearchError(
        'max_cost needs a model with a known price: leave it out, or add the price to ml_prices.conf',
      );
    this.#budget.estimate = cost_estimated;
  }

  async #work(share: number, signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted && this.#error === undefined) {
        this.#endTasks();
        const now = this.#clock.now();
        const batch = this.#take(now);
        if (batch.length > 0) {
          await this.#send(batch, share);
          continue;
        }
        const next = this.#nextTime();
        if (next === undefined) return;
        await this.#clock.sleep(Math.max(20, next - now), signal);
      }
    } catch (error) {
      this.#error ??= error;
    }
  }

  /** Ends the tasks without time left, and all when the budget is spent. */
  #endTasks(): void {
    const now = this.#clock.now();
    const expired = this.#again.filter(({ expiresAt = 0 }) => expiresAt <= now);
    for (const task of expired) this.#timeOut(task);
    if (expired.length > 0) this.#again = this.#again.filter(({ outcome }) => outcome === undefined);
    if (!this.#budget.isSpent) return;
    const message = `The search has cost max_cost=${this.#settings.maxCost} US dollars`;
    for (const task of [...this.#again, ...this.#fresh]) task.outcome = { error_code: MAX_COST, message };
    this.#again = [];
    this.#fresh = [];
  }

  /** Undefined if nothing is left to send. */
  #nextTime(): number | undefined {
    if (this.#fresh.length > 0) return this.#pausedUntil;
    if (this.#again.length === 0) return undefined;
    return Math.max(this.#pausedUntil, Math.min(...this.#again.map(({ notBefore }) => notBefore)));
  }

  #take(now: number): Task[] {
    if (now < this.#pausedUntil) return [];
    const most = Math.min(this.#batchSize, this.#budget.affordable());
    const selection = selectBatch(this.#again, this.#fresh, {
      ...{ now, most, bytes: this.#piece.bytes, timeoutMs: this.#timeoutS * 1000 },
    });
    this.#again = selection.again;
    return selection.batch;
  }

  async #send(batch: readonly Task[], share: number): Promise<void> {
    const begun = this.#clock.now();
    const charge = this.#budget.reserve(batch.length);
    const answer = await this.#call(batch, share, begun);
    if (answer.status !== 200) {
      charge(0, 0);
      return this.#refused(batch, answer);
    }
    const { result = [], usage } = answer.body as { result?: ItemAnswer[]; usage?: { cost?: number } };
    const answers = new Map(result.map((entry) => [entry.id, entry]));
    const reached = batch.filter((task, index) => this.#finish(task, answers.get(String(index)))).length;
    charge(usage?.cost ?? 0, reached);
    const isShort = this.#clock.now() - begun < SHORT_BATCH_MS;
    if (reached < batch.length) this.#batchSize = Math.max(share, reached);
    else if (isShort && reached >= this.#batchSize) this.#batchSize = Math.min(this.#piece.items, this.#batchSize * 2);
    if (reached > 0) this.#pauses = 0;
    else this.#pause();
  }

  async #call(batch: readonly Task[], share: number, now: number): Promise<ApiAnswer> {
    const { operation, common, isDryRun } = this.#settings;
    const left = Math.max(...batch.map(({ expiresAt = now }) => expiresAt)) - now;
    try {
      return await this.#gateway.batch({
        operation,
        common,
        items: batch.map((task, index) => ({ ...bodyOf(task), id: String(index) })),
        parallel: share,
        deadline_s: Math.min(MAX_DEADLINE_S, Math.ceil(left / 1000)),
        begin_within_s: BEGIN_WITHIN_S,
        // Equal items of the search have become one task.
        dedup: false,
        ...(isDryRun ? { dry_run: true } : {}),
      });
    } catch (error) {
      if (error instanceof Fault) return { status: error.status, body: { message: error.message } };
      throw error;
    }
  }

  /** @returns whether the gateway began the item */
  #finish(task: Task, answer: ItemAnswer | undefined): boolean {
    if (!answer || answer.status === 'not_reached') {
      this.#again.push(task);
      return false;
    }
    if (answer.status === 'done') this.#settle(task, { response: answer.response });
    else {
      const { error_code, message, should_retry, retry_after } = answer;
      const mayRepeat = should_retry && (this.#settings.isRepeatable || NOT_PROCESSED.includes(error_code));
      if (!mayRepeat) this.#settle(task, { error_code, message });
      else {
        if (retry_after !== undefined) this.#pause(retry_after);
        this.#repeat(task, { error_code, message });
      }
    }
    return true;
  }

  /** The whole batch was refused, or its fate is unknown. */
  #refused(batch: readonly Task[], { status, body, retryAfter }: ApiAnswer): void {
    const message = String(body.message ?? `The platform answered ${status}`);
    const error_code = String(body.error_code ?? (status === 429 ? 'too_many_requests' : 'store_unavailable'));
    const stays = body.should_retry === false || (status < 500 && status !== 429);
    if (error_code === 'limit_exceeded' || stays) throw failureError({ error_code, message });
    const isUnknown = status >= 500 && (status !== 503 || body.error_code === undefined);
    this.#pause(retryAfter);
    for (const task of batch) {
      if (isUnknown && !this.#settings.isRepeatable) this.#settle(task, { error_code, message });
      else this.#repeat(task, { error_code, message });
    }
  }

  #repeat(task: Task, failure: Failure): void {
    const { expiresAt = 0 } = task;
    task.lastFailure = failure;
    task.failures += 1;
    task.notBefore = Math.max(this.#pausedUntil, this.#clock.now() + pauseMs(task.failures));
    if (task.notBefore < expiresAt) this.#again.push(task);
    else if (failure.error_code === 'limit_exceeded') this.#settle(task, failure);
    else this.#timeOut(task);
  }

  #timeOut(task: Task): void {
    const { lastFailure: last } = task;
    const cause = last ? `; the last attempt failed with ${last.error_code}: ${last.message}` : '';
    this.#settle(task, {
      error_code: 'timeout',
      message: `No answer within timeout=${this.#timeoutS} s${cause}`,
    });
  }

  #settle(task: Task, outcome: Outcome): void {
    task.outcome = outcome;
    task.body = {};
    task.rows = [];
    if ('response' in outcome) return;
    if (outcome.error_code === 'limit_exceeded' || this.#settings.failsFast) this.#error ??= failureError(outcome);
  }

  #pause(seconds?: number): void {
    this.#pauses += 1;
    const ms = seconds === undefined ? pauseMs(this.#pauses) : seconds * 1000;
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + ms);
  }
}

/** The body with the values of all rows that it is made of. */
function bodyOf({ body, rows }: Task): Json {
  const row = mergedRow(rows);
  return row ? { ...body, row } : body;
}

const pauseMs = (failures: number): number => Math.min(MAX_PAUSE_MS, 500 * 2 ** (failures - 1));

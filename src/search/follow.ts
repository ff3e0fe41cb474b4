import { Fault } from '../contract/codes/faults.ts';
import { type AgentAction, PROGRESS_FIELDS, waitMs } from '../contract/families/agents.ts';
import type { Clock } from '../ports/platform/clock.ts';
import type { AgentsApi, ApiAnswer } from '../ports/platform/ownApi.ts';
import type { Output } from './command.ts';
import type { Row } from './rows.ts';

export interface FollowOptions {
  name: string;
  action: AgentAction;
  /** Ends the search only, not the agent's action. */
  timeoutS: number;
  intervalS: number;
}

interface Parts {
  agents: AgentsApi;
  clock: Clock;
}

/** Without rows for longer, a search looks dead. */
const ROW_EVERY_MS = 60_000;
/** Fields whose change emits a row; counters and times change every time. */
const WATCHED_FIELDS = ['state', 'runtime_id', 'runtime_status', 'outcome', 'error_code', 'message'] as const;

/** Emits a row on each change, at least one a minute, and a last one with `done`. */
export async function* follow(parts: Parts, following: FollowOptions): AsyncGenerator<Output> {
  const { clock } = parts;
  const ends = clock.now() + following.timeoutS * 1000;
  const track = new Progress(following, clock);
  let rounds = 0;
  let troubles = 0;
  for (;;) {
    const polling = poll(parts, following, track);
    for (;;) {
      const untilRow = track.lastRowAt + ROW_EVERY_MS - clock.now();
      const untilEnd = ends - clock.now();
      const polled = await firstOf(polling, clock, Math.max(0, Math.min(untilRow, untilEnd)));
      if (polled?.row.done === 1) return yield track.last(polled.row);
      if (clock.now() >= ends) return yield track.last(timedOut(polled?.row ?? track.current(), following));
      if (polled) {
        troubles = polled.isError ? troubles + 1 : 0;
        if (track.hasChanged(polled.row) || untilRow <= 0) yield track.show(polled.row);
        break;
      }
      yield track.show(track.current());
    }
    rounds += 1;
    const looks = { polls: Math.max(rounds, track.polls), troubles };
    const until = Math.min(ends, clock.now() + waitMs(following.name, looks, following.intervalS));
    while (clock.now() < until) {
      await clock.sleep(Math.min(until, track.lastRowAt + ROW_EVERY_MS) - clock.now());
      if (clock.now() < until && clock.now() >= track.lastRowAt + ROW_EVERY_MS) yield track.show(track.current());
    }
  }
}

interface Poll {
  row: Row;
  isError: boolean;
}

async function firstOf(polling: Promise<Poll>, clock: Clock, ms: number): Promise<Poll | undefined> {
  const stop = new AbortController();
  try {
    return await Promise.race([polling, clock.sleep(ms, stop.signal).then(() => undefined)]);
  } finally {
    stop.abort();
  }
}

async function poll({ agents }: Parts, { name, action, intervalS }: FollowOptions, track: Progress): Promise<Poll> {
  try {
    return track.read(await agents.follow(name, action, intervalS));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { isError: true, row: track.troubled(error.code, error.message) };
  }
}

/** The last state received and the last row emitted. */
class Progress {
  readonly #following: FollowOptions;
  readonly #clock: Clock;
  readonly #started: number;
  #seen: Row | undefined;
  #seenAt = 0;
  #lastRow: Row | undefined;
  lastRowAt: number;

  constructor(following: FollowOptions, clock: Clock) {
    this.#following = following;
    this.#clock = clock;
    this.#started = clock.now();
    this.lastRowAt = clock.now();
  }

  /** Converts a reply or failure of the endpoint into a row. */
  read({ status, body }: ApiAnswer): Poll {
    if (status === 200) {
      const row = Object.fromEntries(PROGRESS_FIELDS.map((field) => [field, cell(body[field])]));
      // Another monitor may have advanced the state: report the transition as this search saw it.
      const previous = this.#seen?.state || row.previous_state || '';
      this.#seen = { ...row, previous_state: previous };
      this.#seenAt = this.#clock.now();
      return { row: this.#seen, isError: row.error_code !== '' && row.done !== 1 };
    }
    const code = String(body.error_code ?? (status === 401 ? 'not_authenticated' : 'upstream_error'));
    const text = String(body.message ?? (status === 401 ? 'The session has ended' : `The app answered ${status}`));
    if (status === 404 && code === 'not_found') return { row: this.#missing(code, text), isError: false };
    if (status === 429 || status >= 500) return { row: this.troubled(code, text), isError: true };
    return { row: { ...this.current(), done: 1, outcome: 'fail', error_code: code, message: text }, isError: false };
  }

  /** A missing agent means success if it was being deleted: another monitor has completed the deletion. */
  #missing(code: string, text: string): Row {
    const row = this.current();
    const isDeleted = this.#following.action === 'delete' && this.#seen !== undefined;
    if (isDeleted) {
      const message = 'The agent is deleted';
      return { ...row, state: 'Deleted', runtime_status: 'GONE', done: 1, outcome: 'success', error_code: '', message };
    }
    return { ...row, done: 1, outcome: 'fail', error_code: code, message: text };
  }

  troubled(error_code: string, message: string): Row {
    return { ...this.current(), error_code, message };
  }

  /** Known number of cloud polls. */
  get polls(): number {
    return Number(this.#seen?.attempt ?? 0);
  }

  /** The last known state with the elapsed time updated. */
  current(): Row {
    if (this.#seen) {
      const since = this.#clock.now() - this.#seenAt;
      return {
        ...this.#seen,
        previous_state: this.#seen.state ?? '',
        elapsed_ms: Number(this.#seen.elapsed_ms) + since,
      };
    }
    const { name, action } = this.#following;
    const empty = Object.fromEntries(PROGRESS_FIELDS.map((field) => [field, '']));
    const elapsed_ms = this.#clock.now() - this.#started;
    return { ...empty, agent_name: name, action, attempt: 0, elapsed_ms, done: 0, message: 'Waiting for an answer' };
  }

  hasChanged(row: Row): boolean {
    return this.#lastRow === undefined || WATCHED_FIELDS.some((field) => row[field] !== this.#lastRow?.[field]);
  }

  show(row: Row): Output {
    this.#lastRow = row;
    this.lastRowAt = this.#clock.now();
    return { rows: [{ _time: (this.lastRowAt / 1000).toFixed(3), ...row }] };
  }

  last(row: Row): Output {
    const text = `agentstatus: ${row.action} of agent ${row.agent_name} failed: ${row.message} (${row.error_code})`;
    const messages = row.outcome === 'fail' ? [['ERROR', text] as const] : [];
    return { ...this.show(row), messages, last: true };
  }
}

function timedOut(row: Row, { timeoutS }: FollowOptions): Row {
  const message = `Not done after ${timeoutS} s; the search ends, but the agent's action goes on`;
  return { ...row, done: 1, outcome: 'fail', error_code: 'timeout', message };
}

const cell = (value: unknown): string | number => (typeof value === 'number' ? value : String(value ?? ''));

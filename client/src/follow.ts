import type { MlExtension } from './client.ts';
import { isFailure } from './errors.ts';
import { pause } from './limit.ts';
import type { AgentAction, AgentProgress, Container, ContainerLogLine } from './schemas.ts';
import type { CallOptions } from './types.ts';

/** These iterators poll, since the app sends no events. */

export interface FollowOptions extends CallOptions {
  /** Milliseconds between two calls; `timeoutMs` and `retries` apply to each call. */
  intervalMs?: number;
}

export interface LogOptions extends FollowOptions {
  /** Number of past lines to begin with, 1 to 10,000; default 1000. */
  tail?: number;
  /** ISO 8601 time, or a number of seconds to go back. */
  since?: string;
}

const LOG_MS = 2000;
const CONTAINER_MS = 5000;
const AGENT_MS = 5000;

/** Lines of one replica may arrive after newer lines of another. */
const LATE_MS = 2000;
const MOST_LINES = '10000';

/**
 * Follows the log of a container; before it runs, yields the engine's start events. Ends when the container is stopped through
 * the app. Misses lines only if more than 10,000 arrive between two calls.
 */
export async function* followLog(
  ml: MlExtension,
  model: string,
  { tail = 1000, since, intervalMs = LOG_MS, ...options }: LogOptions = {},
): AsyncGenerator<ContainerLogLine, void, undefined> {
  let payload = { model, tail: String(tail), ...(since === undefined ? {} : { since }) };
  let previous: ReadonlyMap<string, number> | undefined;
  let begin: number | undefined;
  for (; ; await pause(intervalMs, options.signal)) {
    const log = await orGone(ml.call('getContainerLogs', { body: { payload } }, options), previous !== undefined);
    if (log === undefined) return;
    const { entries } = log.container_logs;
    // Identical lines with the same timestamp are counted.
    const counts = new Map<string, number>();
    for (const entry of entries) {
      const key = `${entry._time} ${entry.log}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > (previous?.get(key) ?? 0)) yield entry;
    }
    if (counts.size > 0 || previous === undefined) previous = counts;
    const times = entries.map(({ _time }) => Date.parse(_time)).filter((time) => !Number.isNaN(time));
    const newest = times.at(-1);
    if (newest === undefined) continue;
    // `tail` has cut off everything before the first line.
    begin ??= times[0] ?? newest;
    payload = { model, tail: MOST_LINES, since: new Date(Math.max(begin, newest - LATE_MS)).toISOString() };
  }
}

/**
 * Yields the runtime record of a container on each change of its status or reason, such as the progress of a pull. Ends when it
 * has started or failed, or was stopped.
 */
export async function* followContainer(
  ml: MlExtension,
  model: string,
  { intervalMs = CONTAINER_MS, ...options }: FollowOptions = {},
): AsyncGenerator<Container, void, undefined> {
  let last: string | undefined;
  for (; ; await pause(intervalMs, options.signal)) {
    const data = await orGone(ml.call('getContainerData', { query: { model } }, options), last !== undefined);
    const container = data?.config[model];
    if (container === undefined) return;
    const { status, status_reason, status_message } = container;
    const now = JSON.stringify([status, status_reason, status_message]);
    if (now !== last) yield container;
    last = now;
    if (status !== 'Waiting for Url to start') return;
  }
}

/** The wait grows up to the interval, as in `| agentstatus`. */
const FIRST_MS = 1000;
const GROWTH = 1.6;

/**
 * Yields each change while an agent is created or deleted. The last item has `done: 1` and an `outcome`.
 */
export async function* followAgent(
  ml: MlExtension,
  agentName: string,
  action: AgentAction,
  { intervalMs = AGENT_MS, ...options }: FollowOptions = {},
): AsyncGenerator<AgentProgress, void, undefined> {
  const input = {
    params: { agent_name: agentName },
    body: { action, interval: Math.min(60, Math.max(0.1, intervalMs / 1000)) },
  };
  let last: AgentProgress | undefined;
  for (let wait = Math.min(FIRST_MS, intervalMs); ; wait = Math.min(intervalMs, wait * GROWTH)) {
    const isKnown = action === 'delete' && last !== undefined;
    const progress = (await orGone(ml.call('followAgent', input, options), isKnown)) ?? deleted(last);
    if (progress === undefined) return;
    if (hasChanged(progress, last)) yield progress;
    if (progress.done === 1) return;
    last = progress;
    await pause(wait * (0.8 + Math.random() * 0.4), options.signal);
  }
}

const hasChanged = (now: AgentProgress, last: AgentProgress | undefined): boolean =>
  now.done === 1 ||
  now.state !== last?.state ||
  now.runtime_status !== last.runtime_status ||
  now.error_code !== last.error_code ||
  now.message !== last.message;

/** Another monitor has completed the deletion and removed the record. */
function deleted(last: AgentProgress | undefined): AgentProgress | undefined {
  if (last === undefined) return undefined;
  const end = { state: 'Deleted', previous_state: last.state, runtime_status: 'GONE' } as const;
  return { ...last, ...end, done: 1, outcome: 'success', error_code: '', message: 'The agent is deleted' };
}

/** The reply; undefined if a record that existed before is gone. */
async function orGone<T>(calling: Promise<T>, wasSeen: boolean): Promise<T | undefined> {
  try {
    return await calling;
  } catch (error) {
    if (wasSeen && isFailure(error, 'not_found')) return undefined;
    throw error;
  }
}

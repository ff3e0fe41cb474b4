import { isObject, type Json } from '../../contract/basics.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { ALERT_OUTCOMES, type AlertOutcome, isPerRow, PASSING_ALERT_REASONS } from '../../contract/families/alerts.ts';
import type { Clock } from '../../ports/platform/clock.ts';
import type { AlertsApi, ApiAnswer } from '../../ports/platform/ownApi.ts';
import { type Part, requestOf } from './parts.ts';
import type { Payload } from './payload.ts';

/** The gateway's word about a row. */
export interface RowOutcome {
  outcome: AlertOutcome;
  runId?: string;
  errorCode?: string;
  message?: string;
}

/** Outcomes of the rows; those without one were not handed over. */
export interface HandedOver {
  /** By the row's index among all of the alert. */
  outcomes: Map<number, RowOutcome>;
  /** Why rows have no outcome. */
  failure?: string;
  /** The gateway's warnings. */
  warnings?: Set<string>;
}

/** An answer of the launcher, which has not reached the gateway. */
const NOT_OF_GATEWAY = 'runtime_missing';
/** Longer ids and codes are none of the gateway's. */
const MAX_ID = 128;
/** Warnings of one answer that are logged. */
const MAX_WARNINGS = 20;
const WAIT_MS = 1000;
const MAX_WAIT_MS = 3000;

type Answer =
  | { outcomes: Map<number, RowOutcome & { mayPass: boolean }>; warnings: readonly string[] }
  | { refusal: RowOutcome; mayPass: boolean; waitMs: number }
  | { failure: string; mayPass: boolean };

/**
 * Hands the parts over, one after the other, each at most twice; each outcome goes into `handed` at once, so that it is there
 * when the time is over.
 * @param timeoutMs how long a connection may be silent
 */
export async function handOver(
  { api, clock, timeoutMs }: { api: AlertsApi; clock: Clock; timeoutMs: number },
  payload: Payload,
  { parts, rowCount, handed }: { parts: readonly Part[]; rowCount: number; handed: HandedOver },
): Promise<void> {
  /** @param willRetry the gateway reports rows that may pass only where nobody sends them again */
  const send = async (part: Part, willRetry: boolean): Promise<Answer> => {
    const answer = await ask(api, { ...requestOf(payload, part, rowCount), will_retry: willRetry }, timeoutMs);
    return typeof answer === 'string'
      ? { failure: answer, mayPass: true }
      : readAnswer(answer, part.rows.length, isPerRow(payload.params.per));
  };
  for (const part of parts) {
    const answer = await send(part, true);
    note(handed, part, answer);
    const again = toRepeat(part, answer);
    if (again.length > 0) await clock.sleep('waitMs' in answer ? answer.waitMs : WAIT_MS);
    for (const repeated of again) note(handed, repeated, await send(repeated, false));
    if (handed.failure !== undefined) return;
  }
}

/** @returns a text where the platform was not reached */
async function ask(
  api: AlertsApi,
  request: Parameters<AlertsApi['start']>[0],
  timeoutMs: number,
): Promise<ApiAnswer | string> {
  try {
    return await api.start(request, timeoutMs);
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

function readAnswer({ status, body, retryAfter }: ApiAnswer, rows: number, perRow: boolean): Answer {
  if (status === 200) return readOutcomes(body, perRow ? rows : 1);
  const { error_code: code, message } = body;
  if (typeof code !== 'string' || code === NOT_OF_GATEWAY) {
    const why = typeof message === 'string' ? `: ${message}` : messageOfPlatform(body);
    return { failure: `The platform answered ${status}${why}`, mayPass: status === 429 || status >= 500 };
  }
  const refusal = {
    outcome: 'refused',
    errorCode: code.slice(0, MAX_ID),
    ...(typeof message === 'string' ? { message } : {}),
  } as const;
  const waitMs = Math.min(retryAfter === undefined ? WAIT_MS : retryAfter * 1000, MAX_WAIT_MS);
  return { refusal, mayPass: isPassing(code), waitMs };
}

const isPassing = (code: string): boolean => PASSING_ALERT_REASONS.includes(code);

/** splunkd's own answers, such as that of a session that has ended. */
function messageOfPlatform({ messages }: Json): string {
  const [first] = Array.isArray(messages) ? messages : [];
  return isObject(first) && typeof first.text === 'string' ? `: ${first.text}` : '';
}

function readOutcomes({ alert, warnings }: Json, expected: number): Answer {
  const list = isObject(alert) && Array.isArray(alert.outcomes) ? alert.outcomes : [];
  const outcomes = new Map<number, RowOutcome & { mayPass: boolean }>();
  for (const entry of list) {
    const { row, outcome, run_id, error_code, message, should_retry } = Object(entry) as Json;
    const name = ALERT_OUTCOMES.find((candidate) => candidate === outcome);
    if (name === undefined || !Number.isInteger(row) || Number(row) < 0 || Number(row) >= expected) continue;
    outcomes.set(Number(row), {
      outcome: name,
      ...(typeof run_id === 'string' ? { runId: run_id.slice(0, MAX_ID) } : {}),
      ...(typeof error_code === 'string' ? { errorCode: error_code.slice(0, MAX_ID) } : {}),
      ...(typeof message === 'string' ? { message } : {}),
      mayPass: name === 'refused' && should_retry === true,
    });
  }
  const texts = (Array.isArray(warnings) ? warnings : []).filter((warning) => typeof warning === 'string');
  if (outcomes.size === expected) return { outcomes, warnings: texts.slice(0, MAX_WARNINGS) };
  return { failure: 'The gateway did not say what became of each row', mayPass: false };
}

function note(handed: HandedOver, { rows, first }: Part, answer: Answer): void {
  if ('failure' in answer) {
    handed.failure = answer.failure;
    return;
  }
  delete handed.failure;
  if ('warnings' in answer) handed.warnings = new Set([...(handed.warnings ?? []), ...answer.warnings]);
  for (const index of rows.keys()) {
    // With one run for the alert its rows share one outcome.
    const { mayPass: _, ...own } =
      'refusal' in answer
        ? { ...answer.refusal, mayPass: false }
        : ((answer.outcomes.get(index) ?? answer.outcomes.get(0)) as RowOutcome & { mayPass: boolean });
    handed.outcomes.set(first + index, own);
  }
}

/** The rows that are sent once more: the whole part, or those whose refusal may pass, neighbours together. */
function toRepeat(part: Part, answer: Answer): Part[] {
  if (!('outcomes' in answer)) return answer.mayPass ? [part] : [];
  const isForAll = answer.outcomes.size < part.rows.length;
  if (isForAll) return answer.outcomes.get(0)?.mayPass ? [part] : [];
  const groups: { from: number; to: number }[] = [];
  for (const [index] of part.rows.entries()) {
    if (!answer.outcomes.get(index)?.mayPass) continue;
    const last = groups.at(-1);
    if (last?.to === index) last.to = index + 1;
    else groups.push({ from: index, to: index + 1 });
  }
  return groups.map(({ from, to }) => ({
    rows: part.rows.slice(from, to),
    first: part.first + from,
    ordinals: part.ordinals.slice(from, to),
  }));
}

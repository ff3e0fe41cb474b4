import { SYSTEM_USER } from '../../../contract/audit.ts';
import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import {
  ALERT_ACTION,
  ALERT_REASONS,
  type AlertReason,
  isPerRow,
  MAX_ALERT_ROWS,
  PASSING_ALERT_REASONS,
} from '../../../contract/families/alerts.ts';
import { withoutUndefined } from '../../../domain/values/json.ts';
import { roundMilliseconds } from '../../../domain/values/numbers.ts';
import type { AlertEvent } from '../../../metering/usage/alertEvent.ts';
import type { Alert } from './schemas.ts';

/** Reasons for codes that are none themselves. */
const REASON_OF: Readonly<Record<string, AlertReason>> = {
  malformed_json: 'validation_failed',
  ambiguous_reference: 'unknown_reference',
  not_found: 'unknown_reference',
  acl_denied: 'unknown_reference',
  not_supported: 'invalid_state',
  newer_schema: 'store_unavailable',
};

/** The reason for a failure; `internal_error` for what no contract names. */
export function reasonFor(code: string): AlertReason {
  const mapped = Object.hasOwn(REASON_OF, code) ? REASON_OF[code] : code;
  return ALERT_REASONS.find((reason) => reason === mapped) ?? 'internal_error';
}

/** Users of the platform itself: nobody is answerable for what they start. */
const SYSTEM_USERS: readonly string[] = [SYSTEM_USER, 'nobody'];

/** Undefined for a person. @param search name of the saved search; empty for one that nobody saved */
export function systemUserFault(user: string, search: string): Fault | undefined {
  if (!SYSTEM_USERS.includes(user)) return undefined;
  const which = search === '' ? 'a search that nobody saved' : `the saved search ${search}`;
  const message = `The session of ${which} is that of ${user}, and a run needs a user whose rights it has. Give the search an owner.`;
  return new Fault('system_user', message);
}

/** A row that was not started. */
export interface LeftRow {
  reason: AlertReason;
  message: string;
  rid?: string;
  /** Rows that this stands for. */
  count?: number;
}

/** Rows that an alert may not hand over. @param rows all of the alert */
export const leftBeyond = (rows: number): LeftRow => ({
  ...{ reason: 'max_rows', message: `An alert hands over at most ${MAX_ALERT_ROWS} rows` },
  count: rows - MAX_ALERT_ROWS,
});

type AlertNames = Pick<Alert, 'search_name' | 'sid' | 'result_id' | 'app'>;

/** One event for each reason and message. @param now epoch seconds */
export function alertEvents(alert: AlertNames, user: string, now: number, left: readonly LeftRow[]): AlertEvent[] {
  const groups = Map.groupBy(left, ({ reason, message }) => `${reason} ${message}`);
  return [...groups.values()].map((rows) => {
    const [{ reason, message, rid }] = rows as [LeftRow];
    const count = rows.reduce((sum, row) => sum + (row.count ?? 1), 0);
    const { search_name, sid, result_id, app } = alert;
    const which = count === 1 ? { rid } : { count };
    return withoutUndefined({
      ...{ time: roundMilliseconds(now), action: ALERT_ACTION, reason, message },
      ...{ search_name, sid, result_id: result_id || undefined, ...which, app, user },
    }) as AlertEvent;
  });
}

const MAX_NAME = 1024;

/**
 * The events of a request that was refused as a whole.
 * @param body as it came, perhaps invalid
 * @returns none for a request that is of no alert
 */
export function eventsOfRefusal(body: unknown, user: string, now: number, error: unknown): AlertEvent[] {
  const alert = isObject(body) ? body.alert : undefined;
  if (!isObject(alert)) return [];
  const textOf = (field: keyof AlertNames): string => {
    const value = (alert as Json)[field];
    return typeof value === 'string' ? value.slice(0, MAX_NAME) : '';
  };
  const named = {
    ...{ search_name: textOf('search_name'), sid: textOf('sid'), app: textOf('app') },
    result_id: textOf('result_id'),
  };
  // Without the capability as well: another owner is what the saved search needs.
  const fault = systemUserFault(user, named.search_name) ?? (error instanceof Fault ? error : undefined);
  const reason = fault ? reasonFor(fault.code) : 'internal_error';
  if (alert.will_retry === true && PASSING_ALERT_REASONS.includes(reason)) return [];
  const message = fault?.message ?? 'The app has a bug. Its log has the cause.';
  const isOne = isObject(alert.params) && !isPerRow(alert.params.per);
  const count = Array.isArray(alert.rows) && !isOne ? Math.max(1, alert.rows.length) : 1;
  const { first_row, row_count } = alert;
  const isLast = !isOne && Number(first_row ?? 0) + count === MAX_ALERT_ROWS && Number(row_count) > MAX_ALERT_ROWS;
  const beyond = isLast ? [leftBeyond(Number(row_count))] : [];
  return alertEvents(named, user, now, [{ reason, message, count }, ...beyond]);
}

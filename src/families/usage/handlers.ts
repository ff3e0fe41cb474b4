import { counted } from '../../contract/basics.ts';
import { invalid, type Problem } from '../../contract/codes/faults.ts';
import {
  DAYS_BY_HOUR,
  MAX_USAGE_ROWS,
  USAGE_KEYS,
  type UsageInterval,
  type UsageKey,
} from '../../contract/families/usage.ts';
import type { Handlers } from '../../contract/rows/handlers.ts';
import { parseTime } from '../../domain/values/time.ts';
import { reportUsage } from '../../metering/usage/report.ts';
import { DAY_S, HOUR_S } from '../../metering/usage/sums.ts';
import type { usage } from './endpoints.ts';
import { inTurn, type TurnStores } from './reportTurns.ts';

const DEFAULT_DAYS = 30;

export function usageHandlers(stores: TurnStores): Handlers<typeof usage> {
  const { records, clock } = stores;
  return {
    async getUsage({ query, caller }) {
      const by = parseKeys(query.by);
      const times = parseRange(query, clock.now() / 1000);
      const user = caller.capabilities.includes('list_ml_usage') ? undefined : caller.user;
      const asked = { by, ...times, interval: query.interval, user };
      const { rows, total } = await inTurn(stores, (progress) => reportUsage(records, asked, progress));
      const result = rows.slice(0, MAX_USAGE_ROWS);
      const message = counted(total.requests, 'use');
      return { result, total, message, ...(rows.length > result.length ? { truncated: true } : {}) };
    },
  };
}

/** @throws Fault `validation_failed` */
function parseKeys(text: string): UsageKey[] {
  const names = text.split(',').map((name) => name.trim());
  const isKnown = names.every((name) => USAGE_KEYS.some((key) => key === name));
  if (isKnown && names.length <= 2 && new Set(names).size === names.length) return names as UsageKey[];
  throw invalid([{ field: 'by', message: `must be one or two of ${USAGE_KEYS.join(', ')}, separated by a comma` }]);
}

/** Whole hours. @throws Fault `validation_failed` */
function parseRange(
  query: { earliest?: string | undefined; latest?: string | undefined; interval?: UsageInterval | undefined },
  now: number,
): { from: number; to: number } {
  const begin = parseTime('earliest', query.earliest);
  // The hour that has begun counts whole. A time that has not come has no uses.
  const latest = parseTime('latest', query.latest) ?? Math.max(Math.floor(now / HOUR_S + 1) * HOUR_S, begin ?? 0);
  const earliest = begin ?? Math.min(latest, now) - DEFAULT_DAYS * DAY_S;
  const problems: Problem[] = [];
  if (earliest > latest) problems.push({ field: 'earliest', message: 'must not be later than latest' });
  const from = Math.floor(earliest / HOUR_S) * HOUR_S;
  if (query.interval === 'hour' && from < Math.floor((now - DAYS_BY_HOUR * DAY_S) / HOUR_S) * HOUR_S) {
    const message = `hour needs earliest within the last ${DAYS_BY_HOUR} days; older uses are summed by day`;
    problems.push({ field: 'interval', message });
  }
  if (problems.length > 0) throw invalid(problems);
  return { from, to: Math.ceil(latest / HOUR_S) * HOUR_S };
}

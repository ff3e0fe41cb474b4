import type { Reply } from '../../../../client/src/index.ts';
import type { UsageKey } from '../../../../src/contract/families/usage.ts';
import { ml } from '../../../api/client.ts';
import { stackOf } from '../../../parts/chart/stack.ts';
import { type ReportQuery, spanIn } from './asked.ts';
import { GROUPS, MEASURES, type MeasureName } from './measures.ts';
import { beginsOf, type Interval, intervalOf, type Span } from './time.ts';

export type UsageRow = Reply<'getUsage'>['result'][number];

export interface Report {
  /** Key that groups the rows. */
  by: UsageKey;
  span: Span;
  interval: Interval;
  /** A row for each group and interval. */
  overTime: readonly UsageRow[];
  /** A row for each group. */
  groups: readonly UsageRow[];
  total: Reply<'getUsage'>['total'];
  isTruncated: boolean;
}

/** Relative times begin at the moment of the call. @param now epoch seconds */
export async function readReport(asked: ReportQuery, now: number, signal: AbortSignal): Promise<Report> {
  const span = spanIn(asked, now);
  const interval = intervalOf(asked.interval, span, now);
  const query = { by: asked.by, earliest: String(span.earliest), latest: String(span.latest) };
  // One after the other, since a driver serves one request at a time.
  const overTime = await ml.call('getUsage', { query: { ...query, interval } }, { signal });
  const groups = await ml.call('getUsage', { query }, { signal });
  return {
    ...{ by: asked.by, span, interval, overTime: overTime.result, groups: groups.result, total: groups.total },
    isTruncated: overTime.truncated === true || groups.truncated === true,
  };
}

/** The name of a row's group. */
export const groupOf = (row: UsageRow, by: UsageKey): string => row[by] || GROUPS[by][2];

export function stackIn({ by, overTime, span, interval }: Report, show: MeasureName) {
  const { of } = MEASURES[show];
  const values = overTime.map((row) => ({ at: row.time ?? 0, group: groupOf(row, by), value: of(row) }));
  return stackOf(values, beginsOf(span, interval), `other ${GROUPS[by][1]}`);
}

/** The groups by what is shown, the largest first. */
export function ranked({ groups }: Report, show: MeasureName): UsageRow[] {
  const { of } = MEASURES[show];
  return [...groups].sort((a, b) => of(b) - of(a));
}

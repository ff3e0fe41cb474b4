import type { UsageInterval, UsageKey } from '../../contract/families/usage.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { roundTenths } from '../values/numbers.ts';
import { windowAt } from '../values/windows.ts';
import { NOTHING, parseRows, sumOf, USAGE, type UsageDoc, type UsageSums, withoutFolded } from './sums.ts';

export interface UsageQuery {
  by: readonly UsageKey[];
  /** Epoch seconds of whole hours; `to` is exclusive. */
  from: number;
  to: number;
  interval: UsageInterval | undefined;
  /** Only uses of this user; undefined: of all. */
  user: string | undefined;
}

/** A row of a reply. */
export type ReportRow = { time?: number } & { [K in UsageKey]?: string } & ReportSums;

export type ReportSums = Omit<UsageSums, 'upstream_ms' | 'overhead_ms'> & {
  upstream_ms_mean: number;
  overhead_ms_mean: number;
};

interface Group {
  time: number | undefined;
  values: readonly string[];
  sums: UsageSums;
}

/** Sums usage by keys and, if asked, by time. Rows are in the order of time, then of the keys. */
export async function reportUsage(
  records: RecordStore,
  { by, from, to, interval, user }: UsageQuery,
): Promise<{ rows: ReportRow[]; total: ReportSums }> {
  const query = { from: { $lt: to }, to: { $gt: from } };
  const docs = withoutFolded(await records.find<UsageDoc>(USAGE, { query }));
  const groups = new Map<string, Group>();
  let total = NOTHING;
  for (const doc of docs) {
    const time = interval && windowAt(interval, doc.from * 1000).begin;
    for (const row of parseRows(doc)) {
      if (user !== undefined && row.user !== user) continue;
      const values = by.map((key) => row[key]);
      const name = JSON.stringify([time, ...values]);
      groups.set(name, { time, values, sums: sumOf(groups.get(name)?.sums ?? NOTHING, row) });
      total = sumOf(total, row);
    }
  }
  const rows = [...groups.values()].sort(compareGroups).map(({ time, values, sums }) => ({
    ...(time === undefined ? {} : { time }),
    ...Object.fromEntries(by.map((key, index) => [key, values[index] as string])),
    ...shown(sums),
  }));
  return { rows, total: shown(total) };
}

function compareGroups(a: Group, b: Group): number {
  const [one, other] = [a, b].map(({ values }) => JSON.stringify(values)) as [string, string];
  return (a.time ?? 0) - (b.time ?? 0) || (one < other ? -1 : 1);
}

function shown({ upstream_ms, overhead_ms, ...sums }: UsageSums): ReportSums {
  const mean = (sum: number) => (sums.requests === 0 ? 0 : roundTenths(sum / sums.requests));
  return { ...sums, upstream_ms_mean: mean(upstream_ms), overhead_ms_mean: mean(overhead_ms) };
}

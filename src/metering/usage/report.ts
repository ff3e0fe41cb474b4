import { append } from '../../contract/basics.ts';
import type { UsageInterval, UsageKey } from '../../contract/families/usage.ts';
import { andQuery } from '../../domain/access/audience.ts';
import { roundTenths } from '../../domain/values/numbers.ts';
import type { Query, RecordStore } from '../../ports/stores/recordStore.ts';
import { addSources, NOTHING, parseRows, sumOf, USAGE, type UsageDoc, type UsageSums } from './sums.ts';
import { windowAt } from './windows.ts';

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

export type ReportSums = Omit<UsageSums, 'masked' | 'upstream_ms' | 'overhead_ms'> & {
  masked: number;
  upstream_ms_mean: number;
  overhead_ms_mean: number;
};

interface Group {
  time: number | undefined;
  values: readonly string[];
  sums: UsageSums;
}

/** Folding is rare: a reading that it disturbs is repeated, so often at most. */
const MAX_READINGS = 3;

interface Reading {
  /** Before the first document, also of a repeated reading. */
  begin(): void;
  add(doc: UsageDoc): void;
  /** Before each part that is read. */
  progress(): Promise<void>;
}

/** Reads the documents that no other one contains, a few megabytes at a time. */
async function eachDoc(records: RecordStore, where: Query, { begin, add, progress }: Reading): Promise<void> {
  let before = await readFolded(records, where);
  for (let reading = 1; ; reading += 1) {
    begin();
    await progress();
    for await (const chunk of records.chunks<UsageDoc>(USAGE, { query: where })) {
      for (const doc of chunk) if (!before.sources.has(doc._key)) add(doc);
      await progress();
    }
    const after = await readFolded(records, where);
    if (after.keys === before.keys || reading === MAX_READINGS) return;
    before = after;
  }
}

/** The documents that contain others, and those that they contain. */
async function readFolded(records: RecordStore, where: Query): Promise<{ keys: string; sources: Set<string> }> {
  const query = andQuery(where, { kind: { $ne: 'process' } });
  const keys: string[] = [];
  const sources = new Set<string>();
  for await (const chunk of records.chunks<UsageDoc>(USAGE, { query, fields: ['sources'] })) {
    append(
      keys,
      chunk.map(({ _key }) => _key),
    );
    addSources(sources, chunk);
  }
  return { keys: keys.join(), sources };
}

/**
 * Sums usage by keys and, if asked, by time. Rows are in the order of time, then of the keys.
 * @param progress called again and again while it reads; an error ends the report
 */
export async function reportUsage(
  records: RecordStore,
  { by, from, to, interval, user }: UsageQuery,
  progress: () => Promise<void> = async () => {},
): Promise<{ rows: ReportRow[]; total: ReportSums }> {
  const where = andQuery(
    { from: { $lt: to }, to: { $gt: from } },
    user === undefined ? undefined : { $or: [{ users: user }, { has_users: { $ne: true } }] },
  );
  let groups = new Map<string, Group>();
  let total = NOTHING;
  await eachDoc(records, where, {
    begin() {
      groups = new Map();
      total = NOTHING;
    },
    add(doc) {
      const time = interval && windowAt(interval, doc.from * 1000).begin;
      for (const row of parseRows(doc)) {
        if (user !== undefined && row.user !== user) continue;
        const values = by.map((key) => row[key]);
        const name = JSON.stringify([time, ...values]);
        groups.set(name, { time, values, sums: sumOf(groups.get(name)?.sums ?? NOTHING, row) });
        total = sumOf(total, row);
      }
    },
    progress,
  });
  const rows = [...groups.values()].sort(compareGroups).map(({ time, values, sums }) => ({
    ...(time === undefined ? {} : { time }),
    ...Object.fromEntries(by.map((key, index) => [key, values[index] as string])),
    ...shown(sums),
  }));
  return { rows, total: shown(total) };
}

function compareGroups(a: Group, b: Group): number {
  const [first, other] = [a, b].map(({ values }) => JSON.stringify(values)) as [string, string];
  return (a.time ?? 0) - (b.time ?? 0) || (first < other ? -1 : 1);
}

function shown({ masked = 0, upstream_ms, overhead_ms, ...sums }: UsageSums): ReportSums {
  const mean = (sum: number) => (sums.requests === 0 ? 0 : roundTenths(sum / sums.requests));
  return { ...sums, masked, upstream_ms_mean: mean(upstream_ms), overhead_ms_mean: mean(overhead_ms) };
}

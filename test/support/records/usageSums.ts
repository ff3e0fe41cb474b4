import { DAY_S, HOUR_S, USAGE, type UsageDoc, type UsageRow } from '../../../src/metering/usage/sums.ts';
import type { TestPlatform } from '../e2e/platform.ts';

const KEYS = { operation: 'chat', provider: 'General_Chat', connection: 'first', alias: '', agent: '', via: 'openai' };
const SUMS = {
  ...{ requests: 1, failed: 0, input_tokens: 0, output_tokens: 0, unpriced: 0 },
  ...{ upstream_ms: 100, overhead_ms: 2 },
};

/** Sums of uses. @param row what sets them apart */
export const usageRow = (row: Partial<UsageRow> & Pick<UsageRow, 'user' | 'model'>): UsageRow => ({
  ...KEYS,
  ...SUMS,
  ...row,
});

/** The begin of a day in UTC. @param before how many days ago */
export const dayBefore = (before: number): number => (Math.floor(Date.now() / 1000 / DAY_S) - before) * DAY_S;

/** The begin of the present hour. */
export const thisHour = (): number => Math.floor(Date.now() / 1000 / HOUR_S) * HOUR_S;

/** Puts sums of days or hours into the store. @param sums begin -> rows */
export async function putUsage(
  site: TestPlatform,
  sums: ReadonlyMap<number, readonly UsageRow[]>,
  kind: 'day' | 'hour' = 'day',
): Promise<void> {
  const docs = [...sums].map(([from, rows]) => {
    const span = { from, to: from + (kind === 'day' ? DAY_S : HOUR_S) };
    const all = JSON.stringify(rows);
    return { _key: `${kind}${from}`, kind, ...span, member: 'test', sources: [], rows: all } satisfies UsageDoc;
  });
  await site.putDocuments(USAGE, docs);
}

const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-pro', 'llama3.2', 'a-model-with-a-long-name'];
const USERS = ['admin', 'analyst', 'night-shift'];

/** Uses of seven models in thirty days until the day before yesterday, with failures and with models that have no price. */
export const thirtyDays = (): Map<number, UsageRow[]> =>
  new Map(
    Array.from({ length: 30 }, (_, before) => {
      const rows = [...MODELS, 'titan-embed'].flatMap((model, at) => {
        const requests = ((before * 7 + at * 5) % 23) + 12 - at;
        const isPriced = at % 3 !== 1;
        return USERS.slice(0, 1 + ((before + at) % USERS.length)).map((user) =>
          usageRow({
            ...{ user, model, requests, failed: (before + at) % 6 === 0 ? 3 : 0 },
            ...(model === 'titan-embed' ? { operation: 'embeddings' } : {}),
            ...{ input_tokens: requests * 800, output_tokens: model === 'titan-embed' ? 0 : requests * 150 },
            ...(isPriced ? { cost: requests * 0.0123 } : { unpriced: requests }),
            upstream_ms: requests * (400 + at * 150),
          }),
        );
      });
      return [dayBefore(before + 2), rows];
    }),
  );

import { HOUR_S, RowSums, type UsageDoc, type UsageRow } from '../../src/metering/usage/sums.ts';
import { SEARCH_TOOL } from './hostLoad.ts';
import { MODELS } from './peers/model.ts';

const HOURS = 24;
const SMALL = 'scripted-small';

/** A recurring use. `weight` is the number of uses in the busiest hour. */
interface Habit {
  keys: Pick<UsageRow, 'user' | 'operation' | 'provider' | 'connection' | 'model' | 'via'> & {
    alias?: string;
    agent?: string;
  };
  weight: number;
  /** Tokens of a use; none for what is not a language model. */
  tokens?: readonly [input: number, output: number];
  upstreamMs: number;
  /** Hours ago at which half of the uses failed. */
  failures?: readonly number[];
  /** Active at night instead of by day. */
  isNightly?: true;
}

const MODEL = { provider: 'General_Chat', connection: 'Demo', model: SMALL };
const TOOL = { operation: 'execute_tool', provider: 'mcp', connection: 'Desk' };
const HABITS: readonly Habit[] = [
  {
    keys: { user: 'analyst', operation: 'chat', ...MODEL, alias: 'default', via: 'search' },
    ...{ weight: 42, tokens: [620, 140], upstreamMs: 780, failures: [5] },
  },
  {
    keys: { user: 'admin', operation: 'chat', ...MODEL, via: 'openai' },
    ...{ weight: 11, tokens: [1400, 380], upstreamMs: 1900 },
  },
  {
    keys: { user: 'admin', operation: 'chat', ...MODEL, model: MODELS.large, via: 'openai' },
    ...{ weight: 7, tokens: [900, 460], upstreamMs: 2600, failures: [3, 4, 11] },
  },
  {
    keys: { user: 'night_shift', operation: 'chat', ...MODEL, agent: 'night_watch', via: 'run' },
    ...{ weight: 9, tokens: [2100, 210], upstreamMs: 1200, isNightly: true },
  },
  {
    keys: { user: 'night_shift', ...TOOL, model: 'disk_usage', agent: 'night_watch', via: 'run' },
    ...{ weight: 9, upstreamMs: 160, failures: [14], isNightly: true },
  },
  {
    keys: {
      user: 'night_shift',
      ...{ operation: 'search', provider: 'splunk', connection: 'splunk', model: SEARCH_TOOL },
      ...{ agent: 'night_watch', via: 'run' },
    },
    ...{ weight: 7, upstreamMs: 310, isNightly: true },
  },
  {
    keys: { user: 'analyst', ...TOOL, model: 'search_incidents', via: 'mcp' },
    ...{ weight: 14, upstreamMs: 210 },
  },
  {
    keys: { user: 'analyst', operation: 'embeddings', ...MODEL, model: MODELS.embedding, via: 'search' },
    ...{ weight: 18, tokens: [240, 0], upstreamMs: 120 },
  },
  {
    keys: {
      user: 'analyst',
      operation: 'retrieve',
      provider: 'CLOUD_KB',
      connection: 'Runbooks',
      model: 'Runbooks',
      via: 'search',
    },
    ...{ weight: 6, upstreamMs: 340 },
  },
  {
    keys: {
      user: 'analyst',
      operation: 'predict',
      provider: 'onnx',
      connection: 'onnx',
      model: 'outage_risk',
      via: 'search',
    },
    ...{ weight: 12, upstreamMs: 90 },
  },
];

/** US dollars of a million tokens, for each model. */
export const PRICES: Readonly<Record<string, readonly [input: number, output: number]>> = {
  [SMALL]: [0.4, 1.6],
  [MODELS.large]: [2.5, 10],
  [MODELS.embedding]: [0.02, 0],
};

/** The 24 whole hours before now, one document of sums each. @param nowS epoch seconds */
export function usageDay(nowS: number): UsageDoc[] {
  const thisHour = Math.floor(nowS / HOUR_S) * HOUR_S;
  return Array.from({ length: HOURS }, (_, index) => {
    const ago = index + 1;
    const from = thisHour - ago * HOUR_S;
    const sums = new RowSums();
    for (const [index, habit] of HABITS.entries()) {
      const row = rowAt(habit, new Date(from * 1000).getHours(), ago, index);
      if (row) sums.add(row);
    }
    const rows = JSON.stringify(sums.rows);
    return { _key: `demo${from}`, kind: 'hour', from, to: from + HOUR_S, member: 'demo', sources: [], rows };
  });
}

/** A habit in one hour: most at two in the afternoon, or at night, with some unevenness that does not change between starts. */
function rowAt(
  { keys, weight, tokens, upstreamMs, failures, isNightly }: Habit,
  hour: number,
  ago: number,
  index: number,
) {
  const peak = isNightly ? 2 : 14;
  const activity = 0.5 + 0.5 * Math.cos(((hour - peak) / 24) * 2 * Math.PI);
  const unevenness = 0.75 + ((ago * 37 + index * 53) % 50) / 100;
  const requests = Math.round(weight * activity ** 1.5 * unevenness);
  const failed = failures?.includes(ago) ? Math.max(2, Math.ceil(requests / 2)) : 0;
  const total = Math.max(requests, failed);
  if (total === 0) return undefined;
  const answered = total - failed;
  const [input, output] = tokens ?? [0, 0];
  const [inputPrice, outputPrice] = PRICES[keys.model] ?? [0, 0];
  const cost = (answered * (input * inputPrice + output * outputPrice)) / 1e6;
  return {
    ...{ alias: '', agent: '', ...keys },
    ...{ requests: total, failed, input_tokens: answered * input, output_tokens: answered * output },
    ...(tokens ? { cost: Math.round(cost * 1e6) / 1e6 } : {}),
    ...{ unpriced: 0, upstream_ms: total * upstreamMs, overhead_ms: total * 6 },
  } satisfies UsageRow;
}

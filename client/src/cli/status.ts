import type { MlExtension } from '../client.ts';
import { MlExtensionError } from '../errors.ts';
import type { LastTest, LimitLeft, LimitSubject, LimitUsed, LimitWindow } from '../schemas.ts';
import { plain, type Terminal, table } from './terminal.ts';
import type { Arguments } from './usage.ts';

interface Row {
  family: string;
  name: string;
  state: string;
  last_test?: LastTest | null | undefined;
}

/** A usage limit in its present window. */
interface LimitRow extends Row {
  family: 'usage_limits';
  window: LimitWindow;
  /** Not known to those who only see the limits that hold them. */
  per?: LimitSubject;
  used: LimitUsed;
  /** With per=user, of the user who has least. */
  left: LimitLeft;
  /** Epoch seconds. */
  resets_at: number;
}

type Listing = (ml: MlExtension) => AsyncGenerator<Row>;

const QUANTITIES = ['requests', 'tokens', 'cost'] as const;

const LISTINGS: readonly Listing[] = [
  async function* agents(ml) {
    for await (const { name, state } of ml.each('listAgents')) yield { family: 'agents', name, state };
  },
  async function* containerConnections(ml) {
    for await (const { container_type, connection_name, last_test } of ml.each('listTestedConnections'))
      yield row('container-connections', `${container_type}/${connection_name}`, last_test);
  },
  async function* experiments(ml) {
    for await (const { title, status } of ml.each('listExperiments'))
      yield { family: 'experiments', name: title, state: status };
  },
  async function* llm(ml) {
    for await (const { service, connection_name, model, last_test } of ml.each('listLlmConfigurations'))
      yield row('llm-providers', `${service}/${connection_name}/${model}`, last_test);
  },
  async function* mcp(ml) {
    for await (const { name, last_test } of ml.each('listMcpConnections'))
      yield row('mcp-connections', name, last_test);
  },
  async function* modelAliases(ml) {
    const family = 'model_aliases';
    for await (const { name, state, last_test } of ml.each('listConnectionHealth', { query: { family } })) {
      const isTested = last_test.tested_at !== undefined;
      yield { family, name, state, last_test: isTested ? (last_test as LastTest) : null };
    }
  },
  async function* models(ml) {
    for await (const { type, name } of ml.each('listModels')) {
      if (type !== 'cloud') continue;
      const { config } = await ml.call('getRegistration', { query: { model_name: name } });
      yield row('model-registrations', name, config.last_test);
    }
  },
  async function* vectorStores(ml) {
    for await (const { name, last_test } of ml.each('listVectorStores')) yield row('vector-stores', name, last_test);
  },
];

function row(family: string, name: string, last_test: LastTest | null | undefined): Row {
  if (!last_test) return { family, name, state: 'untested', last_test: null };
  return { family, name, state: last_test.status === 'success' ? 'ok' : (last_test.error_code ?? 'fail'), last_test };
}

async function allLimits(ml: MlExtension): Promise<LimitRow[]> {
  const rows: LimitRow[] = [];
  for await (const { name, window, per, is_enabled } of ml.each('listUsageLimits')) {
    const { config } = await ml.call('getUsageLimit', { params: { name } });
    rows.push(limitRow({ name, window, per, ...config.status }, is_enabled));
  }
  return rows;
}

/** The limits that hold the caller, which every user may see. */
async function ownLimits(ml: MlExtension): Promise<LimitRow[]> {
  const { result } = await ml.call('getOwnUsageLimits');
  return result.map((limit) => limitRow(limit));
}

type LimitAmounts = Pick<LimitRow, 'name' | 'window' | 'per' | 'used' | 'left' | 'resets_at'>;

function limitRow({ name, window, per, used, left, resets_at }: LimitAmounts, isEnabled = true): LimitRow {
  const isUsedUp = Object.values(left).some((amount) => amount === 0);
  const state = isEnabled ? (isUsedUp ? 'used_up' : 'ok') : 'off';
  return { family: 'usage_limits', name, state, window, ...(per ? { per } : {}), used, left, resets_at };
}

/** All limits for those who may edit them, else those that hold the caller. */
async function limitsOf(ml: MlExtension): Promise<LimitRow[]> {
  try {
    return await allLimits(ml);
  } catch (error) {
    if (!isNotPermitted(error)) throw error;
    return ownLimits(ml);
  }
}

const isNotPermitted = (error: unknown): error is MlExtensionError =>
  error instanceof MlExtensionError && error.code === 'missing_capability';

/** Lists records with their last test, and what is left of usage limits; skips families that the caller may not list. */
export async function status(ml: MlExtension, { json }: Arguments, terminal: Terminal): Promise<number> {
  const rows: Row[] = [];
  for (const listing of LISTINGS) {
    try {
      for await (const row of listing(ml)) rows.push(row);
    } catch (error) {
      if (!isNotPermitted(error)) throw error;
      terminal.note(`Not shown: ${plain(error.message)}`);
    }
  }
  const limits = await limitsOf(ml);
  if (json) terminal.out(JSON.stringify({ result: [...rows, ...limits] }, null, 2));
  else {
    for (const line of [...recordLines(rows), ...limitLines(limits)]) terminal.out(line);
  }
  return 0;
}

function recordLines(rows: readonly Row[]): string[] {
  const cells = rows.map(({ family, name, state, last_test }) => [
    family,
    plain(name),
    state,
    last_test ? timeText(last_test.tested_at) : '',
  ]);
  return table([['FAMILY', 'NAME', 'STATE', 'TESTED'], ...cells]);
}

function limitLines(limits: readonly LimitRow[]): string[] {
  if (limits.length === 0) return [];
  const cells = limits.map(({ name, state, per = '', window, used, left, resets_at }) => [
    plain(name),
    state,
    per,
    window,
    amountsText(used, left),
    amountsText(left, left),
    timeText(resets_at),
  ]);
  return ['', ...table([['LIMIT', 'STATE', 'PER', 'WINDOW', 'USED', 'LEFT', 'RESETS'], ...cells])];
}

/** @param stated its keys are the amounts that the limit states */
const amountsText = (amounts: LimitLeft, stated: LimitLeft): string =>
  QUANTITIES.filter((of) => stated[of] !== undefined)
    .map((of) => `${amounts[of]} ${of === 'cost' ? 'USD' : of}`)
    .join(', ');

/** @param seconds since the epoch */
const timeText = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

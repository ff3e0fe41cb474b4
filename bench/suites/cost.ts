import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configure, gatewayPlatform, MOUNT } from '../../test/e2e/gateway/gatewayPlatform.ts';
import { MASTER_KEY, prepareLitellm, startLitellm } from '../../test/support/peers/litellm.ts';
import { type Bench, leftOut } from '../bench.ts';
import { figureOf } from '../measure.ts';
import type { Comparison } from '../report.ts';
import { type Chat, chatAt, MAX_CONCURRENT, many, raiseSlots, startUpstream } from './chats.ts';

const ROUNDS = 5;
/** Ticks of `/proc/<pid>/stat`. */
const TICK_MS = 10;
/** Clients at a time, and how many chats they have in a round. */
const CHATS = [
  [1, 100],
  [8, 400],
  [16, 400],
] as const;
const WARM_UP = 400;
/** Of ours there are more processes, and chats take less time. */
const OURS = 3;

/** One of the gateways that are compared. */
interface Gateway {
  chat: Chat;
  /** CPU of its processes, ms. */
  cpu(): number;
}

interface Figures {
  p50: number;
  cpu: number;
  aSecond: number;
}

const NAMES = ['ours', 'one', 'each'] as const;
type Gateways = Readonly<Record<(typeof NAMES)[number], Gateway>>;
/** By the number of clients, the gateway, and the round. */
type Measured = Record<number, Record<(typeof NAMES)[number], Figures[]>>;

/** What a chat costs beside LiteLLM's proxy on the same upstream, with one worker and with one for each core. */
export async function cost(bench: Bench): Promise<void> {
  const problem = await prepareLitellm();
  if (problem !== undefined) return leftOut("LiteLLM's proxy", problem);
  const upstream = await startUpstream();
  const platform = await gatewayPlatform({ ML_DRIVER_IDLE_S: '600' });
  const cores = availableParallelism();
  const litellm_params = { model: 'openai/at-once', api_base: `${upstream.url}/v1`, api_key: 'none' };
  // Its own supervisor of workers ends those that a busy machine starts slowly.
  const start = () => startLitellm([{ model_name: 'at-once', litellm_params }]);
  const litellms = await Promise.all(Array.from({ length: cores }, start));
  try {
    await configure(platform, 'up', upstream.url, { model: 'at-once' });
    await raiseSlots(platform);
    const key = `Bearer ${await platform.sessionKey('anna')}`;
    const chat = chatAt(`${platform.url}${MOUNT}/v1`, key, 'up/at-once');
    const ours: Gateway = { chat, cpu: () => cpuOf(platform.drivers('ml_gateway')) };
    const gateways = { ours, one: litellm(litellms.slice(0, 1)), each: litellm(litellms) };
    const direct = chatAt(`${upstream.url}/v1`, 'Bearer none', 'at-once');
    report(bench, await rounds(gateways, direct), cores);
  } finally {
    for (const { close } of litellms) await close();
    await platform.dispose();
    await upstream.close();
  }
}

/** Requests go to the workers in turn. */
function litellm(workers: readonly Awaited<ReturnType<typeof startLitellm>>[]): Gateway {
  const chats = workers.map(({ url }) => chatAt(`${url}/v1`, `Bearer ${MASTER_KEY}`, 'at-once'));
  let turn = 0;
  return { chat: async () => chats[turn++ % workers.length]?.(), cpu: () => cpuOf(workers.map(({ pid }) => pid)) };
}

/** Every gateway with every number of clients in every round, so that changes of machine speed affect all. */
async function rounds(gateways: Gateways, direct: Chat): Promise<Measured> {
  const measured: Measured = {};
  // All processes are there and warm.
  for (const name of NAMES) await many(gateways[name].chat, 16, timesOf(name) * WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [clients, least] of CHATS) {
      measured[clients] ??= { ours: [], one: [], each: [] };
      const bare = p50(await many(direct, clients, least));
      for (const name of NAMES) {
        const { chat, cpu } = gateways[name];
        const count = timesOf(name) * least;
        const before = cpu();
        const result = await many(chat, clients, count);
        const figures = { p50: p50(result) - bare, cpu: (cpu() - before) / count, aSecond: result.aSecond };
        measured[clients][name].push(figures);
      }
      process.stderr.write(`bench: round ${round + 1} of ${ROUNDS}, ${clients} at a time\n`);
    }
  }
  return measured;
}

function report(bench: Bench, measured: Measured, cores: number): void {
  const values = (clients: number, name: (typeof NAMES)[number], figure: keyof Figures) =>
    (measured[clients]?.[name] ?? []).map((figures) => figures[figure]);
  for (const [clients] of CHATS)
    for (const [name, against] of [
      ['one', "LiteLLM's proxy, one process"],
      ['each', `LiteLLM's proxy, ${cores} processes`],
    ] as const) {
      const pairs = (figure: keyof Figures) => ({
        ours: values(clients, 'ours', figure),
        base: values(clients, name, figure),
      });
      const at = `${clients} at a time`;
      bench.add(
        { what: `CPU of the gateway's processes for a chat, ${at}`, against, unit: 'ms', aim: 0.4 },
        pairs('cpu'),
      );
      const added: Comparison = {
        what: `time that a chat takes longer than without a gateway, p50, ${at}`,
        against,
        unit: 'ms',
      };
      bench.add({ ...added, ...(clients > 8 ? {} : { aim: 0.5 }) }, pairs('p50'));
      const aim = clients > 1 && name === 'each' ? { aim: 1.5 } : {};
      bench.add({ what: `chats, ${at}`, against, unit: '/s', better: 'more', ...aim }, pairs('aSecond'));
    }
  const what = `chats, 16 at a time, max_concurrent ${MAX_CONCURRENT}`;
  const row = { what, against: '8 at a time', unit: '/s', better: 'more', aim: 1 } as const;
  bench.add(row, { ours: values(16, 'ours', 'aSecond'), base: values(8, 'ours', 'aSecond') });
}

const timesOf = (name: (typeof NAMES)[number]): number => (name === 'ours' ? OURS : 1);

const p50 = ({ times }: { times: readonly number[] }): number => figureOf('p50', times);

/** CPU that these processes have needed, ms. */
const cpuOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + ticksOf(pid) * TICK_MS, 0);

function ticksOf(pid: number): number {
  // The name of the program may have spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

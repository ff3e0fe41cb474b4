import { Agent, request } from 'node:http';
import { availableParallelism } from 'node:os';
import { searched } from '../../test/e2e/agents/agentSupport.ts';
import { completionOf, configure, gatewayPlatform, MOUNT } from '../../test/e2e/gateway/gatewayPlatform.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../test/support/peers/listen.ts';
import { MASTER_KEY, prepareLitellm, startLitellm } from '../../test/support/peers/litellm.ts';
import { eventually } from '../../test/support/time.ts';
import { type Bench, leftOut } from '../bench.ts';
import { inTurn, timed } from '../measure.ts';

const SEARCH = { rows: 1000, parallel: 8, upstreamMs: 100 };
const SLOW_CHATS = 16;
/** More than half of the slots, which one user may hold. */
const SLOTS = { max_concurrent: '64' };
/** After so long, drivers have read changed settings. */
const SETTINGS_MS = 5500;

/** Asks a model once. */
type Chat = () => Promise<unknown>;

/** Chats through the gateway beside LiteLLM's proxy on the same upstream; a search; reads beside slow chats. */
export async function gateway(bench: Bench): Promise<void> {
  const upstream = await startUpstream();
  const platform = await gatewayPlatform({ ML_TLS: '0' });
  try {
    for (const model of ['at-once', 'limited', 'slow', 'held'])
      await configure(platform, 'up', upstream.url, { model });
    expectStatus(await platform.admin('POST', `${CONF}/gateway`, SLOTS), 200, 'slots');
    await new Promise((resolve) => setTimeout(resolve, SETTINGS_MS));
    const url = `${platform.url}${MOUNT}/v1`;
    const ours = chatAt(url, `Bearer ${await platform.sessionKey('anna')}`, 'up/at-once');
    const direct = chatAt(`${upstream.url}/v1`, 'Bearer none', 'at-once');
    await besideLitellm(bench, upstream, ours, direct);
    await besideLimits(bench, platform, ours);
    await searches(bench, platform);
    await besideSlowChats(bench, platform, upstream);
  } finally {
    await platform.dispose();
    await upstream.close();
  }
}

const CONF = '/servicesNS/nobody/ml_extension/configs/conf-ml_extension';

async function besideLitellm(bench: Bench, upstream: Peer, ours: Chat, direct: Chat): Promise<void> {
  const problem = await prepareLitellm();
  if (problem !== undefined) return leftOut("LiteLLM's proxy", problem);
  const workers = availableParallelism();
  const litellm_params = { model: 'openai/at-once', api_base: `${upstream.url}/v1`, api_key: 'none' };
  // Its own supervisor of workers ends those that a busy machine starts slowly.
  const start = () => startLitellm([{ model_name: 'at-once', litellm_params }]);
  const litellms = await Promise.all(Array.from({ length: workers }, start));
  const chats = litellms.map(({ url }) => chatAt(`${url}/v1`, `Bearer ${MASTER_KEY}`, 'at-once'));
  let turn = 0;
  const theirs: Chat = async () => chats[turn++ % workers]?.();
  const against = `LiteLLM's proxy in ${workers} processes`;
  try {
    for (const chat of [ours, theirs]) await many(chat, 16, 64);
    for (const [clients, aim] of [
      [1, 0.6],
      [8, 0.3],
    ] as const) {
      const what = `time that a chat takes longer than without a gateway, p50, ${clients} at a time`;
      const figures = { ours: 'p50', base: 'p50' } as const;
      await bench.row({ what, against, unit: 'ms', figures, aim }, 3, async (runs) => {
        const count = 20 * clients;
        const without = await many(direct, clients, count);
        const pairs = { ours: [] as number[], base: [] as number[] };
        const bare = without.times.toSorted((a, b) => a - b)[count >> 1] ?? 0;
        for (let run = 0; run < runs; run++) {
          pairs.ours.push(...(await many(ours, clients, count)).times.map((ms) => ms - bare));
          pairs.base.push(...(await many(theirs, clients, count)).times.map((ms) => ms - bare));
        }
        return pairs;
      });
    }
    const aSecond = async (chat: Chat) => (await many(chat, 16, 160)).aSecond;
    await bench.row({ what: 'chats, 16 at a time', against, unit: '/s', better: 'more', aim: 2 }, 3, (runs) =>
      inTurn(
        runs,
        () => aSecond(ours),
        () => aSecond(theirs),
      ),
    );
  } finally {
    for (const { close } of litellms) await close();
  }
}

async function besideLimits(bench: Bench, platform: TestPlatform, unlimited: Chat): Promise<void> {
  const figures = { ours: 'p50', base: 'p50' } as const;
  const key = await platform.sessionKey('anna');
  const limited = chatAt(`${platform.url}${MOUNT}/v1`, `Bearer ${key}`, 'up/limited');
  for (const [quantity, most] of [
    ['requests', 1_000_000],
    ['tokens', 1_000_000_000],
  ] as const) {
    const far = { name: quantity, applies_to: { models: ['up/limited'] }, window: 'month', [quantity]: most };
    expectStatus(await platform.ml('anna', 'POST', '/usage_limits', far), 200, 'a limit');
    const what = `a chat with a limit on ${quantity} that is far, p50`;
    await bench.row({ what, against: 'without a limit', unit: 'ms', figures, aim: 1.3 }, 3, async (runs) => {
      const pairs = { ours: [] as number[], base: [] as number[] };
      await many(limited, 1, 50);
      for (let run = 0; run < runs; run++) {
        pairs.ours.push(...(await many(limited, 1, 100)).times);
        pairs.base.push(...(await many(unlimited, 1, 100)).times);
      }
      return pairs;
    });
    expectStatus(await platform.ml('anna', 'DELETE', `/usage_limits/${quantity}`), 200, 'no limit');
  }
}

async function searches(bench: Bench, platform: TestPlatform): Promise<void> {
  const { rows, parallel, upstreamMs } = SEARCH;
  const text = `| makeresults count=${rows} | streamstats count as n | mlchat prompt="{n}" model="up/slow" parallel=${parallel} max_rows=${rows} timeout=120`;
  const ideal = (rows / parallel) * upstreamMs;
  const search = async () => {
    const { job } = await searched(platform, 'anna', text);
    if (job.isFailed || job.messages.length > 0) throw new Error(JSON.stringify(job.messages));
  };
  const what = `mlchat, ${rows} rows of ${upstreamMs} ms, ${parallel} at a time`;
  await bench.row({ what, against: 'the time of the upstream alone', unit: 'ms', aim: 1.2 }, 3, async (runs) => {
    return inTurn(
      runs - 1,
      () => timed(search),
      async () => ideal,
    );
  });
}

async function besideSlowChats(bench: Bench, platform: TestPlatform, upstream: Upstream): Promise<void> {
  const made = { name: 'bench', type: 'PLATFORM', details: { url: 'https://mcp.example.com/mcp' } };
  expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', made), 200, 'a connection');
  const chat = chatAt(`${platform.url}${MOUNT}/v1`, `Bearer ${await platform.sessionKey('anna')}`, 'up/held');
  const read = () => platform.ml('anna', 'GET', '/mcp_connection/bench').then((reply) => expectStatus(reply, 200, ''));
  const reads = async () => {
    const times: number[] = [];
    for (let count = 0; count < 200; count++) times.push(await timed(read));
    return times;
  };
  const what = `GET of a connection while ${SLOW_CHATS} chats wait, p99`;
  const figures = { ours: 'p99', base: 'p99' } as const;
  await bench.row({ what, against: 'without chats', unit: 'ms', figures, aim: 1.5 }, 3, async (runs) => {
    const pairs = { ours: [] as number[], base: [] as number[] };
    await reads();
    for (let run = 0; run < runs; run++) {
      pairs.base.push(...(await reads()));
      const slow = Array.from({ length: SLOW_CHATS }, chat);
      await eventually(() => upstream.held() === SLOW_CHATS, 30_000, 'the slow chats');
      pairs.ours.push(...(await reads()));
      upstream.release();
      await Promise.all(slow);
    }
    return pairs;
  });
}

/** So many chats by so many clients, each of which asks again when it has its answer. */
async function many(chat: Chat, clients: number, count: number) {
  const times: number[] = [];
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      times.push(await timed(chat));
    }
  };
  const took = await timed(() => Promise.all(Array.from({ length: clients }, client)));
  return { times, aSecond: (count * 1000) / took };
}

interface Upstream extends Peer {
  /** Chats that wait for `release`. */
  held(): number;
  release(): void;
}

/** Answers at once, after `upstreamMs`, or when released, by the model. */
async function startUpstream(): Promise<Upstream> {
  let waiting: (() => void)[] = [];
  const peer = await startHttp(async (incoming, response) => {
    const text = await readBody(incoming).catch(() => '');
    // LiteLLM looks at the address itself.
    if (text === '') return sendJson(response, 404, {});
    const { model } = JSON.parse(text);
    const answer = () => sendJson(response, 200, completionOf('An answer of a few words.'));
    if (model === 'slow') setTimeout(answer, SEARCH.upstreamMs);
    else if (model === 'held') waiting.push(answer);
    else answer();
  });
  return {
    ...peer,
    held: () => waiting.length,
    release() {
      for (const answer of waiting) answer();
      waiting = [];
    },
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function chatAt(url: string, authorization: string, model: string): Chat {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'A question of a few words?' }] });
  const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(`${url}/chat/completions`, { agent, method: 'POST', headers }, (response) => {
        const done = response.statusCode === 200 ? resolve : () => reject(new Error(`HTTP ${response.statusCode}`));
        response.on('data', () => {}).on('end', done);
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

import { searched } from '../../test/e2e/agents/agentSupport.ts';
import { configure, gatewayPlatform, MOUNT } from '../../test/e2e/gateway/gatewayPlatform.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import { eventually } from '../../test/support/time.ts';
import type { Bench } from '../bench.ts';
import { inTurn, timed } from '../measure.ts';
import { type Chat, chatAt, many, raiseSlots, SLOW_MS, startUpstream, type Upstream } from './chats.ts';

const SEARCH = { rows: 1000, parallel: 8, upstreamMs: SLOW_MS };
const SLOW_CHATS = 16;

/** Chats with limits, a search, and reads beside slow chats. */
export async function gateway(bench: Bench): Promise<void> {
  const upstream = await startUpstream();
  const platform = await gatewayPlatform({ ML_TLS: '0' });
  try {
    for (const model of ['at-once', 'limited', 'slow', 'held'])
      await configure(platform, 'up', upstream.url, { model });
    await raiseSlots(platform);
    const url = `${platform.url}${MOUNT}/v1`;
    const ours = chatAt(url, `Bearer ${await platform.sessionKey('anna')}`, 'up/at-once');
    await besideLimits(bench, platform, ours);
    await searches(bench, platform);
    await besideSlowChats(bench, platform, upstream);
  } finally {
    await platform.dispose();
    await upstream.close();
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ALERT_ACTION } from '../../src/contract/families/alerts.ts';
import { configure, gatewayPlatform, MOUNT } from '../../test/e2e/gateway/gatewayPlatform.ts';
import type { TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Bench } from '../bench.ts';
import { timed } from '../measure.ts';
import { chatAt, many, raiseSlots, startUpstream } from './chats.ts';

const RUNS = 40;
const CLIENTS = 8;
/** Longer an alert must not hold one of the threads that splunkd has for all actions. */
const MOST_MS = 2000;

/** The alert action beside a gateway that is busy: its model takes a request and never answers. */
export async function alert(bench: Bench): Promise<void> {
  const upstream = await startUpstream();
  const platform = await gatewayPlatform({ ML_TLS: '0' });
  try {
    for (const model of ['at-once', 'held']) await configure(platform, 'up', upstream.url, { model });
    await raiseSlots(platform);
    const key = await platform.sessionKey('anna');
    const chat = chatAt(`${platform.url}${MOUNT}/v1`, `Bearer ${await platform.sessionKey('bob')}`, 'up/at-once');
    const what = `${ALERT_ACTION}: start to end of its process beside ${CLIENTS} clients of the gateway, p95`;
    const row = { what, against: 'two seconds', unit: 'ms', figures: { ours: 'p95', base: 'p95' }, aim: 1 } as const;
    await bench.row(row, RUNS, async (runs) => {
      let isOver = false;
      const busy = Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          while (!isOver) await many(chat, 1, 10);
        }),
      );
      const ours: number[] = [];
      try {
        for (let run = 0; run < runs; run++) ours.push(await timed(() => handOver(platform, key, run)));
      } finally {
        isOver = true;
        await busy;
      }
      return { ours, base: ours.map(() => MOST_MS) };
    });
  } finally {
    upstream.release();
    await platform.dispose();
    await upstream.close();
  }
}

/** Starts the action as splunkd does. */
async function handOver(platform: TestPlatform, key: string, run: number): Promise<void> {
  const payload = {
    ...{ app: 'search', owner: 'anna', server_uri: platform.url, session_key: key },
    ...{ sid: `scheduler__anna__search__bench_at_${run}`, search_name: 'Bench', results_file: '/nonexistent.csv.gz' },
    configuration: { model: 'up/held', input: 'Look into {host}' },
    result: { host: `web-${run}` },
  };
  const launcher = join(platform.home, 'etc/apps/ml_extension/bin', `${ALERT_ACTION}.sh`);
  const child = spawn(launcher, ['--execute'], { env: { ...process.env, SPLUNK_HOME: platform.home } });
  child.stdin.end(JSON.stringify(payload));
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`The action ended with ${code}: ${said}`);
}

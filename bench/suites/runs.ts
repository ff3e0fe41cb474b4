import { completionOf, configure, gatewayPlatform, MOUNT } from '../../test/e2e/gateway/gatewayPlatform.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import { readBody, sendJson, startHttp } from '../../test/support/peers/listen.ts';
import type { Bench } from '../bench.ts';
import { timed } from '../measure.ts';

const STEPS = 60;
const WARM = 10;
const DATA = '/servicesNS/nobody/ml_extension/storage/collections/data/ml_experiments';

/** What a step of a run costs beside one write to the KV store: its model answers at once, and that time is taken off. */
export async function runs(bench: Bench): Promise<void> {
  const upstream = await startHttp(async (incoming, response) => {
    await readBody(incoming);
    sendJson(response, 200, completionOf('An answer of a few words.'));
  });
  const platform = await gatewayPlatform({ ML_TLS: '0' });
  try {
    await configure(platform, 'up', upstream.url);
    const ask = () =>
      fetch(`${upstream.url}/v1/chat/completions`, { method: 'POST', body: '{}' }).then((r) => r.text());
    const what = 'a step of a run, without its model, p50';
    const figures = { ours: 'p50', base: 'p50' } as const;
    const row = { what, against: 'a raw write to the KV store', unit: 'ms', figures, aim: 12 } as const;
    await bench.row(row, 3, async (count) => {
      const pairs = { ours: [] as number[], base: [] as number[] };
      for (let index = 0; index < WARM; index++) await step(platform);
      for (let run = 0; run < count; run++) {
        for (let index = 0; index < STEPS; index++) {
          const model = await timed(ask);
          pairs.ours.push((await step(platform)) - model);
          pairs.base.push(await timed(() => write(platform)));
        }
      }
      return pairs;
    });
  } finally {
    await platform.dispose();
    await upstream.close();
  }
}

/** Milliseconds of the one step of a new run. */
async function step(platform: TestPlatform): Promise<number> {
  const definition = { runtime_type: 'BUILT_IN', llm: { model: 'up/m' } };
  const body = { definition, input: 'A question of a few words?', worker: 'caller' };
  const started = await platform.call('anna', 'POST', `${MOUNT}/runs`, body);
  expectStatus(started, 200, 'a run');
  return timed(async () => {
    const reply = await platform.call('anna', 'POST', `${MOUNT}/runs/${started.json.run_id}/step`, {});
    if (reply.json?.state !== 'succeeded') throw new Error(reply.text);
  });
}

/** A document of the size of a step. */
async function write(platform: TestPlatform): Promise<void> {
  const body = JSON.stringify({ name: 'step', output: 'x'.repeat(300) });
  const reply = await platform.call('admin', 'POST', DATA, body, { 'Content-Type': 'application/json' });
  expectStatus(reply, 201, 'a raw write');
}

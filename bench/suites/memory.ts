import { setTimeout as sleep } from 'node:timers/promises';
import { expectStatus, TestPlatform } from '../../test/support/e2e/platform.ts';
import { modelOf } from '../../test/support/models/onnx.ts';
import { callingRuntime, idleRuntime, RECORD, residentMiB } from '../bareRuntime.ts';
import type { Bench } from '../bench.ts';

const AIM = 1.5;
const REQUESTS = 1000;
const LOOK_MS = 1000;
const SOON = 10_000;
const MINUTE = 60_000;
/** The largest model that is taken. */
const MODEL_BYTES = 31_457_280;
const EXPERIMENTS = 20;
const PAGE_BYTES = 15 * 1024 * 1024;

/** What a driver that goes on running takes, after a lot of work and after the heaviest. */
export async function memory(bench: Bench): Promise<void> {
  const mixed = { what: `memory of a driver, soon after ${REQUESTS} mixed requests`, unit: 'MiB', aim: AIM } as const;
  const calling: number[] = [];
  const twice = async (platform: TestPlatform, driver: Driver) => {
    await afterMixed(platform, driver);
    calling.push(await afterCalls(platform));
  };
  let ours: readonly number[] = [];
  await bench.row({ ...mixed, against: IDLE, keep: 2.6 }, 3, async (runs) => {
    const pairs = await each(runs, twice);
    ours = pairs.ours;
    return pairs;
  });
  const against = `bare runtime after ${REQUESTS} times the two calls of a read`;
  await bench.row({ ...mixed, against, keep: 1.5 }, 3, async () => ({ ours, base: calling }));
  const what = 'memory of a driver, at most a minute after 30 MB in and 16 MB out';
  await bench.row({ what, against: IDLE, unit: 'MiB', aim: AIM }, 2, (runs) => each(runs, afterHeaviest));
}

const IDLE = 'bare runtime, idle';

interface Driver {
  resident(): number;
  /** What it is held against. */
  bare: number;
}

/** Each run has a driver of its own, which nobody ends for being idle. */
async function each(
  runs: number,
  work: (platform: TestPlatform, driver: Driver) => Promise<void>,
): Promise<{ ours: number[]; base: number[] }> {
  const measured = { ours: [] as number[], base: [] as number[] };
  for (let run = 0; run < runs; run += 1) {
    const bare = await idleRuntime();
    const platform = await new TestPlatform({ env: { ML_DRIVERS: '1', ML_DRIVER_IDLE_S: '600' } }).start();
    try {
      const resident = () => residentMiB(platform.drivers()[0] ?? 0);
      await work(platform, { resident, bare });
      measured.ours.push(resident());
      measured.base.push(bare);
    } finally {
      await platform.dispose();
    }
  }
  return measured;
}

/** Until it has given back enough, or nobody would wait any longer. */
async function waitUntilIdle({ resident, bare }: Driver, atMostMs: number): Promise<void> {
  for (const end = performance.now() + atMostMs; performance.now() < end && resident() > bare * AIM; )
    await sleep(LOOK_MS);
}

async function afterCalls(platform: TestPlatform): Promise<number> {
  const runtime = callingRuntime(platform.url, await platform.sessionKey('admin'), REQUESTS);
  await runtime.done;
  const size = runtime.resident();
  await runtime.end();
  return size;
}

async function afterMixed(platform: TestPlatform, driver: Driver): Promise<void> {
  const name = RECORD;
  const details = { url: 'https://mcp.example.com/mcp', token: 'a token' };
  const experiment = { title: 'mixed', type: 'smart_forecast' };
  await send(platform, 'POST', '/mcp_connection', { name, type: 'PLATFORM', details });
  const calls: readonly (readonly [string, string, ((number: number) => object)?])[] = [
    ['GET', `/mcp_connection/${name}`],
    ['PUT', '/mcp_connection', (number) => ({ name, description: `change ${number}` })],
    ['GET', '/mcp_connection'],
    ['POST', '/vector_stores', (number) => ({ ...STORE, name: `store ${number}` })],
    ['GET', '/vector_stores?search=store'],
    ['POST', '/experiments', () => experiment],
    ['GET', '/experiments'],
    ['GET', '/list_models'],
    ['GET', '/connection_health'],
    ['GET', '/audit'],
  ];
  for (let number = 0; number < REQUESTS; number += 1) {
    const [method, path, body] = calls[number % calls.length] ?? ['GET', '/audit'];
    await send(platform, method, path, body?.(number));
  }
  await waitUntilIdle(driver, SOON);
}

const STORE = { type: 'CLOUD_KB', details: { cloud_region: 'eu-central-1', kb_id: 'ABCDEFGHIJ' } };

async function afterHeaviest(platform: TestPlatform, driver: Driver): Promise<void> {
  const model_file = modelOf(MODEL_BYTES).toString('base64');
  const body = { title: 'large', type: 'smart_forecast', search_stages: [{ role: 'fit', search: 'x' }] };
  await send(platform, 'POST', '/experiments', body);
  const [doc] = await platform.documents('ml_experiments');
  const stages = JSON.stringify(Array.from({ length: 4 }, () => ({ role: 'fit', search: 'x'.repeat(250_000) })));
  const docs = Array.from({ length: EXPERIMENTS }, (_, index) => {
    const id = String(index).padStart(32, '0');
    return { ...doc, _key: id, experiment_id: id, title: id, title_key: id, stages };
  });
  await platform.putDocuments('ml_experiments', docs);
  const fields = { features: ['a', 'b', 'c'], targets: ['y'], model_file };
  await send(platform, 'POST', '/upload_model', { model_name: 'largest', ...fields });
  const page = await send(platform, 'GET', '/experiments?count=0&detail=true');
  if (page.length < PAGE_BYTES) throw new Error(`the page has ${page.length} bytes only`);
  await waitUntilIdle(driver, MINUTE);
}

async function send(platform: TestPlatform, method: string, path: string, body?: object): Promise<string> {
  const reply = await platform.call('admin', method, `/servicesNS/nobody/ml_extension/ml${path}`, body);
  expectStatus(reply, 200, `${method} ${path}`);
  return reply.text;
}

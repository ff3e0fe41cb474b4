import { expectStatus, TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Bench } from '../bench.ts';
import { inTurn, timed } from '../measure.ts';
import { pythonPeer } from '../python.ts';

const NAME = 'bench';
const RUNS = 600;
/** Reads of a run that is counted by the second. */
const IN_A_ROW = 60;
const CLIENTS = 32;
const AT_ONCE = 320;

const APP = '/servicesNS/nobody/ml_extension';
const OURS = `${APP}/ml/mcp_connection/${NAME}`;
const RAW = `${APP}/storage/collections/data/ml_mcp_connections/${NAME}?output_mode=json`;

/** A record that is read again and again, by one client and by many, through two drivers. */
export async function reads(bench: Bench): Promise<void> {
  const peer = await pythonPeer();
  const platform = new TestPlatform({ env: { ML_DRIVERS: '2' } });
  peer?.install(platform.home);
  await platform.start();
  try {
    const made = { name: NAME, type: 'PLATFORM', details: { url: 'https://mcp.example.com/mcp' } };
    expectStatus(await platform.ml('admin', 'POST', '/mcp_connection', made), 200, 'the bench record');
    await besideRaw(bench, platform);
    if (peer) await besidePython(bench, platform, `${peer.path}/${NAME}`);
    await manyClients(bench, platform);
  } finally {
    await platform.dispose();
  }
}

async function besideRaw(bench: Bench, platform: TestPlatform): Promise<void> {
  const raw = { against: 'raw KV read through the same platform', unit: 'ms', aim: 2.5 } as const;
  const p50 = { ...raw, what: 'warm record read, p50', figures: { ours: 'p50', base: 'p50' }, keep: 6 } as const;
  const p99 = { ...raw, what: 'warm record read, p99', figures: { ours: 'p99', base: 'p99' } } as const;
  let measured: ReturnType<typeof inTurn> | undefined;
  const measure = (runs: number) => {
    measured ??= inTurn(
      runs,
      () => timed(() => read(platform, OURS)),
      () => timed(() => read(platform, RAW)),
    );
    return measured;
  };
  await bench.row(p50, RUNS, measure);
  await bench.row(p99, RUNS, measure);
}

async function besidePython(bench: Bench, platform: TestPlatform, path: string): Promise<void> {
  const python = { against: 'Python handler with the public SDK', unit: '/s', better: 'more' } as const;
  const inARow = async (url: string) => (await burst(platform, url, 1, IN_A_ROW)).aSecond;
  await bench.row({ ...python, what: 'warm record reads, one client', aim: 4, keep: 2 }, 10, (runs) =>
    inTurn(
      runs,
      () => inARow(OURS),
      () => inARow(path),
    ),
  );
  const atOnce = async (url: string) => (await burst(platform, url, CLIENTS, AT_ONCE)).aSecond;
  await bench.row({ ...python, what: `record reads, ${CLIENTS} clients, two drivers`, aim: 3, keep: 2.4 }, 6, (runs) =>
    inTurn(
      runs,
      () => atOnce(OURS),
      () => atOnce(path),
    ),
  );
}

async function manyClients(bench: Bench, platform: TestPlatform): Promise<void> {
  const what = `record reads, ${CLIENTS} clients, two drivers: p99`;
  const figures = { ours: 'p99', base: 'p50' } as const;
  await bench.row({ what, against: 'p50 of the same reads', unit: 'ms', figures, aim: 5 }, 6, async (runs) => {
    await burst(platform, OURS, CLIENTS, AT_ONCE);
    const { times } = await burst(platform, OURS, CLIENTS, runs * AT_ONCE);
    return { ours: times, base: times };
  });
}

/** So many reads by so many clients, each of which sends its next one when it has got its last. */
async function burst(platform: TestPlatform, path: string, clients: number, count: number) {
  const times: number[] = [];
  let left = count;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      times.push(await timed(() => read(platform, path)));
    }
  };
  const took = await timed(() => Promise.all(Array.from({ length: clients }, client)));
  return { times, aSecond: (count * 1000) / took };
}

async function read(platform: TestPlatform, path: string): Promise<void> {
  const { status, text } = await platform.call('admin', 'GET', path);
  if (status !== 200 || !text.includes(`"${NAME}"`)) throw new Error(`${path}: ${text.slice(0, 500)}`);
}

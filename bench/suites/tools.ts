import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { gatewayPlatform, MOUNT } from '../../test/e2e/gateway/gatewayPlatform.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Peer } from '../../test/support/peers/listen.ts';
import { startEverything } from '../../test/support/peers/mcp/everything.ts';
import { startModern } from '../../test/support/peers/mcp/modern.ts';
import type { Bench } from '../bench.ts';
import { timed } from '../measure.ts';

const CALLS = 60;
/** The first call of a process lists the tools, and the first of an hour writes the entry of the audit trail. */
const WARM_UP = 40;
/** Counts of calls and usage are written within this time. */
const WRITTEN_MS = 2500;
const RAW = '/servicesNS/nobody/ml_extension/storage/collections/data/ml_mcp_connections/tools?output_mode=json';

/** What a call of a tool costs through the gateway: time beside a direct call, and calls to the platform's stores. */
export async function tools(bench: Bench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-tools-'));
  const file = join(folder, 'calls');
  writeFileSync(file, '');
  const preload = join(import.meta.dirname, '../outgoingCalls.cjs');
  const env = { ML_TLS: '0', CALLS_FILE: file, NODE_OPTIONS: `--require "${preload}"` };
  const servers: Record<string, [Peer, string, Record<string, unknown>]> = {
    'a stateless server': [await startModern({ modernOnly: true }), 'echo', {}],
    'a server with sessions': [await startEverything('streamableHttp'), 'echo', { message: 'hi' }],
  };
  const platform = await gatewayPlatform(env);
  try {
    for (const [what, [peer, tool, args]] of Object.entries(servers)) {
      await platform.ml('anna', 'DELETE', '/mcp_connection/tools');
      const body = { name: 'tools', type: 'PLATFORM', details: { url: peer.url } };
      expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', body), 200, what);
      await besideDirectCalls(bench, platform, { what, peer, tool, args });
      await countCalls(bench, platform, { what, peer, tool, args }, file);
    }
  } finally {
    await platform.dispose();
    for (const [peer] of Object.values(servers)) await peer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Called {
  what: string;
  peer: Peer;
  tool: string;
  args: Record<string, unknown>;
}

async function callThrough(platform: TestPlatform, { tool, args }: Called): Promise<void> {
  const body = { connection: 'tools', tool, arguments: args };
  expectStatus(await platform.call('anna', 'POST', `${MOUNT}/tools/call`, body), 200, tool);
}

async function besideDirectCalls(bench: Bench, platform: TestPlatform, called: Called): Promise<void> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(called.peer.url)));
  const direct = () => client.callTool({ name: called.tool, arguments: called.args });
  const raw = async () => expectStatus(await platform.admin('GET', RAW), 200, 'a raw read');
  for (let n = 0; n < WARM_UP; n += 1) await Promise.all([callThrough(platform, called), direct(), raw()]);
  const figures = { ours: 'p50', base: 'p50' } as const;
  const what = `time that a call of a tool takes longer than directly, p50, ${called.what}`;
  await bench.row(
    { what, against: 'raw KV read through the same platform', unit: 'ms', figures, aim: 10 },
    CALLS,
    async (runs) => {
      const [ours, base]: [number[], number[]] = [[], []];
      for (let run = 0; run < runs; run += 1) {
        const through = await timed(() => callThrough(platform, called));
        ours.push(through - (await timed(direct)));
        base.push(await timed(raw));
      }
      return { ours, base };
    },
  );
  await client.close();
}

/** Of warm calls, each alone. */
async function countCalls(bench: Bench, platform: TestPlatform, called: Called, file: string): Promise<void> {
  await pause(WRITTEN_MS);
  const counts = { before: [] as number[], after: [] as number[], upstream: [] as number[] };
  for (let n = 0; n < 5; n += 1) {
    writeFileSync(file, '');
    await callThrough(platform, called);
    await pause(100);
    const lines = () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const isUpstream = ({ host }: { host: string }) => host === new URL(called.peer.url).host;
    const soon = lines();
    counts.before.push(soon.filter((call) => !isUpstream(call)).length);
    counts.upstream.push(soon.filter(isUpstream).length);
    await pause(WRITTEN_MS);
    counts.after.push(lines().filter((call) => !isUpstream(call)).length - (counts.before.at(-1) ?? 0));
    if (process.env.BENCH_CALLS)
      process.stderr.write(
        `${lines()
          .map(({ host, path }) => `${host} ${path}`)
          .join('\n')}\n\n`,
      );
  }
  for (const [when, what] of [
    ['before', 'calls to the platform before the reply of a call of a tool'],
    ['after', 'calls to the platform after it'],
    ['upstream', 'calls to the server'],
  ] as const) {
    const row = { what: `${what}, ${called.what}`, against: 'one', unit: 'calls' } as const;
    await bench.row(row as never, 1, async () => ({ ours: counts[when], base: counts[when].map(() => 1) }));
  }
}

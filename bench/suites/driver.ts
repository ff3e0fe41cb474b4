import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../../test/driver/peer.ts';
import type { TestPlatform } from '../../test/support/e2e/platform.ts';
import { callingRuntime, idleRuntime, RECORD, residentMiB } from '../bareRuntime.ts';
import type { Bench } from '../bench.ts';
import { inTurn, timed } from '../measure.ts';
import { pythonPeer } from '../python.ts';

const COLD = 'cold start: spawn to first reply of a record read';
const IDLE = 'memory of an idle driver after one read';
const RUNTIME = 'bare runtime that makes the same two calls';

/** Start and memory of the REST driver, each beside the least that could do the job. */
export async function driver(bench: Bench, platform: TestPlatform): Promise<void> {
  const { launcher, packet, token } = await prepared(platform);
  const cold = () => firstReply(launcher, packet, platform.home);
  await bench.row({ what: COLD, against: 'bare runtime, spawn to exit', unit: 'ms' }, 20, (runs) =>
    inTurn(runs, cold, () => timed(bareRuntime)),
  );
  await bench.row({ what: COLD, against: RUNTIME, unit: 'ms', aim: 1.4, keep: 1.9 }, 40, (runs) =>
    inTurn(runs, cold, () => twoCalls(platform.url, token)),
  );
  const peer = await pythonPeer();
  if (peer) {
    const python = () => firstReply(peer.command, packet, platform.home, peer.args);
    const against = 'Python handler with the public SDK';
    await bench.row({ what: COLD, against, unit: 'ms', aim: 0.8 }, 20, (runs) => inTurn(runs, cold, python));
  }
  await bench.row({ what: IDLE, against: 'bare runtime, idle', unit: 'MiB', aim: 1.5, keep: 1.9 }, 5, (runs) =>
    inTurn(runs, () => idleDriver(launcher, packet, platform.home), idleRuntime),
  );
}

/** Start and memory of the driver beside those of another build of the app. @param other the folder of that build */
export async function driverAgainst(bench: Bench, platform: TestPlatform, other: string): Promise<void> {
  const { launcher, packet } = await prepared(platform);
  const against = join(other, 'bin/ml_rest.sh');
  // What one build keeps between starts is nothing to the other.
  const home = mkdtempSync(join(tmpdir(), 'bench-home-'));
  try {
    mkdirSync(join(home, 'var/run/splunk'), { recursive: true });
    await bench.row({ what: COLD, against: other, unit: 'ms' }, 40, (runs) =>
      inTurn(
        runs,
        () => firstReply(launcher, packet, platform.home),
        () => firstReply(against, packet, home),
      ),
    );
    await bench.row({ what: IDLE, against: other, unit: 'MiB' }, 10, (runs) =>
      inTurn(
        runs,
        () => idleDriver(launcher, packet, platform.home),
        () => idleDriver(against, packet, home),
      ),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A record to read, and the request for it as the platform would hand it to a driver. */
async function prepared(platform: TestPlatform): Promise<{ launcher: string; packet: Buffer; token: string }> {
  const created = await platform.ml('admin', 'POST', '/mcp_connection', {
    name: RECORD,
    type: 'PLATFORM',
    details: { url: 'https://mcp.example.com/mcp' },
  });
  if (created.status !== 200) throw new Error(`the bench record could not be made: ${created.text}`);
  const token = await platform.sessionKey('admin');
  const launcher = join(platform.home, 'etc/apps/ml_extension/bin/ml_rest.sh');
  const packet = requestPacket(platform.url, token);
  return { launcher, packet, token };
}

const requestPacket = (rest_uri: string, token: string): Buffer =>
  request({
    output_mode: 'json',
    server: { rest_uri },
    session: { user: 'admin', authtoken: token },
    system_authtoken: token,
    rest_path: `/ml/mcp_connection/${RECORD}`,
    query: [],
    headers: [],
    method: 'GET',
  });

/** Spawns a launcher, sends one request, and gives the milliseconds until its reply is there; its end takes no part. */
async function firstReply(
  launcher: string,
  packet: Buffer,
  home: string,
  args: readonly string[] = [],
): Promise<number> {
  const began = performance.now();
  const driver = startDriver(launcher, packet, home, args);
  await driver.replied;
  const took = performance.now() - began;
  driver.child.stdin.end();
  await driver.ended;
  return took;
}

/** As the platform starts it: with its own home, where a launcher keeps what it need not find out again. */
function startDriver(launcher: string, packet: Buffer, home: string, args: readonly string[] = []) {
  const env = { ...process.env, SPLUNK_HOME: home };
  const child = spawn(launcher, [...args], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const replied = new Promise<void>((resolve, reject) => {
    let text = '';
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the driver ended with ${code} and said ${text}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.startsWith('0\n') || !text.endsWith('}')) return;
      if (/"status": ?200/.test(text)) resolve();
      else reject(new Error(`the driver answered ${text}`));
    });
  });
  child.stdin.write(packet);
  return { child, replied, ended };
}

async function bareRuntime(): Promise<void> {
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
}

/** Milliseconds until a bare runtime has made the calls that the driver makes for a record, and has said so. */
async function twoCalls(url: string, token: string): Promise<number> {
  const began = performance.now();
  const runtime = callingRuntime(url, token, 1);
  await runtime.done;
  const took = performance.now() - began;
  await runtime.end();
  return took;
}

async function idleDriver(launcher: string, packet: Buffer, home: string): Promise<number> {
  const driver = startDriver(launcher, packet, home);
  await driver.replied;
  await sleep(300);
  const size = residentMiB(driver.child.pid ?? 0);
  driver.child.stdin.end();
  await driver.ended;
  return size;
}

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestPlatform } from '../test/support/e2e/platform.ts';
import { inTurn, type Row, timed } from './measure.ts';

/** Start, warm reads and memory of the REST driver, each beside the least that could do the job. */
export async function driverRows(platform: TestPlatform): Promise<Row[]> {
  const { launcher, packet, token } = await prepared(platform);
  const kv = '/servicesNS/nobody/ml_extension/storage/collections/data/ml_mcp_connections/bench?output_mode=json';
  return [
    {
      what: 'cold start: spawn to first reply of a record read',
      against: 'bare runtime, spawn to exit',
      unit: 'ms',
      aim: 1.5,
      ...(await inTurn(
        20,
        () => timed(() => firstReply(launcher, packet)),
        () => timed(bareRuntime),
      )),
    },
    {
      what: 'cold start: spawn to first reply of a record read',
      against: 'bare runtime that makes the same two HTTPS calls',
      unit: 'ms',
      ...(await inTurn(
        20,
        () => timed(() => firstReply(launcher, packet)),
        () => timed(() => twoCalls(platform.url, token)),
      )),
    },
    {
      what: 'warm record read',
      against: 'raw KV read through the same platform',
      unit: 'ms',
      aim: 1.25,
      ...(await inTurn(
        300,
        () => timed(() => platform.ml('admin', 'GET', '/mcp_connection/bench')),
        () => timed(() => platform.call('admin', 'GET', kv)),
      )),
    },
    {
      what: 'memory of an idle driver after one read',
      against: 'bare runtime, idle',
      unit: 'MiB',
      aim: 1.5,
      ...(await inTurn(5, () => idleDriver(launcher, packet), idleRuntime)),
    },
  ];
}

/** Start and memory of the driver beside those of another build of the app. @param other the folder of that build */
export async function driverRowsAgainst(platform: TestPlatform, other: string): Promise<Row[]> {
  const { launcher, packet } = await prepared(platform);
  const against = join(other, 'bin/ml_rest.sh');
  return [
    {
      what: 'cold start: spawn to first reply of a record read',
      against: other,
      unit: 'ms',
      ...(await inTurn(
        40,
        () => timed(() => firstReply(launcher, packet)),
        () => timed(() => firstReply(against, packet)),
      )),
    },
    {
      what: 'memory of an idle driver after one read',
      against: other,
      unit: 'MiB',
      ...(await inTurn(
        10,
        () => idleDriver(launcher, packet),
        () => idleDriver(against, packet),
      )),
    },
  ];
}

/** A record to read, and the request for it as the platform would hand it to a driver. */
async function prepared(platform: TestPlatform): Promise<{ launcher: string; packet: Buffer; token: string }> {
  const created = await platform.ml('admin', 'POST', '/mcp_connection', {
    name: 'bench',
    type: 'PLATFORM',
    details: { url: 'https://mcp.example.com/mcp' },
  });
  if (created.status !== 200) throw new Error(`the bench record could not be made: ${created.text}`);
  const token = await sessionKey(platform);
  const launcher = join(platform.home, 'etc/apps/ml_extension/bin/ml_rest.sh');
  const packet = requestPacket(platform.url, token);
  return { launcher, packet, token };
}

async function sessionKey(platform: TestPlatform): Promise<string> {
  const { ADMIN_PASSWORD } = await import('../test/support/e2e/platform.ts');
  const form = new URLSearchParams({ username: 'admin', password: ADMIN_PASSWORD, output_mode: 'json' }).toString();
  const reply = await platform.raw('POST', '/services/auth/login', form, {
    'Content-Type': 'application/x-www-form-urlencoded',
  });
  return String(reply.json.sessionKey);
}

function requestPacket(restUri: string, token: string): Buffer {
  const block = JSON.stringify({
    output_mode: 'json',
    server: { rest_uri: restUri },
    session: { user: 'admin', authtoken: token },
    system_authtoken: token,
    rest_path: '/ml/mcp_connection/bench',
    query: [],
    headers: [],
    method: 'GET',
  });
  return Buffer.from(`\x071\n11\nml_rest.mjs0\n${Buffer.byteLength(block)}\n${block}`, 'utf8');
}

/** Spawns the shipped launcher, sends one request, waits for the reply frame. */
async function firstReply(launcher: string, packet: Buffer): Promise<void> {
  const driver = startDriver(launcher, packet);
  await driver.replied;
  driver.child.stdin.end();
  await driver.ended;
}

function startDriver(launcher: string, packet: Buffer) {
  const child = spawn(launcher, [], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const replied = new Promise<void>((resolve, reject) => {
    let text = '';
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the driver ended with ${code} and said ${text}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.startsWith('0\n') || !text.endsWith('}')) return;
      if (text.includes('"status":200')) resolve();
      else reject(new Error(`the driver answered ${text}`));
    });
  });
  child.stdin.write(packet);
  return { child, replied, ended };
}

function run(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', () => resolve());
  });
}

const bareRuntime = () => run(['-e', '0']);

const twoCalls = (url: string, token: string) =>
  run([
    '-e',
    `const h=require(${JSON.stringify(url.startsWith('https') ? 'node:https' : 'node:http')});
     const agent=new h.Agent({keepAlive:true,rejectUnauthorized:false});
     const get=(p,next)=>h.get(${JSON.stringify(url)}+p,{agent,headers:{Authorization:'Splunk ${token}'}},r=>{r.resume();r.on('end',next)});
     get('/services/authentication/current-context?output_mode=json',()=>
     get('/servicesNS/nobody/ml_extension/storage/collections/data/ml_mcp_connections/bench?output_mode=json',()=>process.exit()));`,
  ]);

async function idleDriver(launcher: string, packet: Buffer): Promise<number> {
  const driver = startDriver(launcher, packet);
  await driver.replied;
  await sleep(300);
  const size = residentMiB(driver.child.pid ?? 0);
  driver.child.stdin.end();
  await driver.ended;
  return size;
}

async function idleRuntime(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(()=>{},1e6)'], { stdio: 'ignore' });
  await sleep(300);
  const size = residentMiB(child.pid ?? 0);
  child.kill();
  return size;
}

function residentMiB(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}

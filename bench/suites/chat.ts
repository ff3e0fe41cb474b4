import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chat as ask, completionOf, configure, gatewayPlatform } from '../../test/e2e/gateway/gatewayPlatform.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import { readBody, sendJson, startHttp } from '../../test/support/peers/listen.ts';
import type { Bench } from '../bench.ts';

const CHATS = 200;
/** Each with a key that was just changed. */
const CHANGED = 20;
/** Parts below it are left out. */
const SMALLEST_MS = 0.01;
/** After so long, the calls of a chat are in the file. */
const WRITTEN_MS = 100;

/** Part of a chat -> how the path of its calls to the platform begins; the first that fits. */
const CALLS: Readonly<Record<string, RegExp>> = {
  'the session': /^\/services\/auth/,
  'the connection, the cooldowns and the limits, side by side': /\/ml_(llm_connections|llm_cooldowns|usage_limits)/,
  'the key': /\/storage\/passwords/,
  'the settings': /\/conf-ml_extension/,
  'the prices': /\/conf-ml_prices/,
  'other calls to the platform': /^/,
};
/** Written within two seconds after the reply, for all chats of them. */
const USAGE = 'the usage, written after the reply';
const USAGE_CALLS = /\/ml_usage|\/receivers\//;
const UPSTREAM = 'the upstream';
const APP = 'the app itself';
const PLATFORM = 'the platform, between the client and the app';
const PARTS = [PLATFORM, ...Object.keys(CALLS), UPSTREAM, APP];

type Parts = Record<string, number>;

/** Where the time of one chat goes that waits for nobody else. */
export async function chat(bench: Bench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-chat-'));
  const file = join(folder, 'calls');
  const upstream = await startHttp(async (incoming, response) => {
    await readBody(incoming);
    sendJson(response, 200, completionOf('An answer of a few words.'));
  });
  const preload = join(import.meta.dirname, '../outgoingCalls.cjs');
  const env = { ML_TLS: '0', CALLS_FILE: file, NODE_OPTIONS: `--require "${preload}"` };
  const platform = await gatewayPlatform(env);
  try {
    await configure(platform, 'up', upstream.url);
    const one = () => partsOfChat(platform, file, new URL(upstream.url).host);
    for (let count = 0; count < CHANGED; count++) await one();
    const chats: Parts[] = [];
    for (let count = 0; count < CHATS; count++) chats.push(await one());
    const first: Parts[] = [];
    for (let count = 0; count < CHANGED; count++) {
      await configure(platform, 'up', upstream.url, { key: `sk-of-a-test-${count}` });
      first.push(await one());
    }
    await rowsOf(bench, PARTS, fasterHalf(chats), 'the whole chat');
    await rowsOf(bench, ['the key'], fasterHalf(first), 'the first chat after the key was changed');
    await rowsOf(bench, [USAGE], chats, 'the whole chat');
  } finally {
    await platform.dispose();
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Means, which add up. */
async function rowsOf(bench: Bench, parts: readonly string[], chats: readonly Parts[], against: string): Promise<void> {
  const mean = (part: string) => chats.reduce((sum, one) => sum + (one[part] ?? 0), 0) / chats.length;
  for (const part of parts.filter((one) => mean(one) >= SMALLEST_MS)) {
    const pairs = { ours: [mean(part)], base: [mean('total')] };
    await bench.row({ what: `part of a chat: ${part}`, against, unit: 'ms' }, 1, async () => pairs);
  }
}

/** The slower half tells more about the machine. */
const fasterHalf = (chats: readonly Parts[]): Parts[] =>
  chats.toSorted((a, b) => (a.total ?? 0) - (b.total ?? 0)).slice(0, chats.length >> 1);

/** The clock of `outgoingCalls.cjs`. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

interface Call {
  began: number;
  ended: number;
  host: string;
  path: string;
}

async function partsOfChat(platform: TestPlatform, file: string, upstream: string): Promise<Parts> {
  writeFileSync(file, '');
  const began = now();
  const reply = await ask(platform, 'anna', 'up/m');
  const ended = now();
  expectStatus(reply, 200, 'a chat');
  await pause(WRITTEN_MS);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const calls = lines.map((line): Call => JSON.parse(line)).sort((a, b) => a.began - b.began);
  const isUsage = ({ path }: Call) => USAGE_CALLS.test(path);
  const total = ended - began;
  const parts: Parts = {
    total,
    [USAGE]: calls.filter(isUsage).reduce((sum, call) => sum + call.ended - call.began, 0),
  };
  let [end, inCalls] = [0, 0];
  for (const call of calls.filter((one) => !isUsage(one) && one.began >= began && one.ended <= ended)) {
    // Of calls at the same time, the later one counts from the end of the earlier one.
    const ms = Math.max(0, call.ended - Math.max(call.began, end));
    end = Math.max(end, call.ended);
    inCalls += ms;
    const part = call.host === upstream ? UPSTREAM : partOf(call.path);
    parts[part] = (parts[part] ?? 0) + ms;
  }
  const inDriver = Number(reply.headers['x-ml-overhead-ms']) + Number(reply.headers['x-ml-upstream-ms']);
  parts[APP] = inDriver - inCalls;
  parts[PLATFORM] = total - inDriver;
  return parts;
}

const partOf = (path: string): string => Object.entries(CALLS).find(([, begins]) => begins.test(path))?.[0] ?? '';

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../../support/time.ts';
import { expectStatus, type TestPlatform } from '../../support/e2e/platform.ts';
import { readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { chat, completionOf, configure, gatewayPlatform } from './gatewayPlatform.ts';

interface Call {
  began: number;
  ended: number;
  host: string;
  path: string;
}

const NAMES: readonly [name: string, path: RegExp][] = [
  ['session', /current-context/],
  ['alias', /ml_model_aliases/],
  ['connections that the reference names', /ml_llm_connections\?/],
  ['connection of a target', /ml_llm_connections\//],
  ['limits', /ml_usage_limits/],
  ['cooldowns', /ml_llm_cooldowns/],
  ['usage', /ml_usage\b|receivers\/simple/],
  ['settings', /configs\/conf-/],
  ['schema version', /ml_schema/],
];

describe('calls to the platform of a chat', () => {
  const folder = mkdtempSync(join(tmpdir(), 'calls-'));
  const file = join(folder, 'calls');
  let platform: TestPlatform;
  let upstream: { url: string; close(): Promise<void> };
  before(async () => {
    upstream = await startHttp(async (incoming, response) => {
      await readBody(incoming);
      sendJson(response, 200, completionOf('An answer.'));
    });
    const preload = join(import.meta.dirname, '../../../bench/outgoingCalls.cjs');
    const env = { ML_GATEWAY_DRIVERS: '1', CALLS_FILE: file, NODE_OPTIONS: `--require "${preload}"` };
    platform = await gatewayPlatform(env);
    await configure(platform, 'up', upstream.url);
    const target = { service: 'General_Chat', connection_name: 'up', model: 'm' };
    expectStatus(
      await platform.ml('anna', 'POST', '/model_aliases', { name: 'fast', targets: [target] }),
      200,
      'the alias',
    );
  });
  after(async () => {
    await platform?.dispose();
    await upstream?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Calls of one chat by a process that has answered others, those at the same time in one round. */
  async function roundsOf(model: string): Promise<string[][]> {
    // What is read once in two seconds, and the key, is there from the chat before.
    for (let count = 0; count < 2; count += 1) {
      writeFileSync(file, '');
      expectStatus(await chat(platform, 'anna', model), 200, 'the chat');
    }
    const lines = () => readFileSync(file, 'utf8').split('\n').filter(Boolean);
    await eventually(() => lines().some((line) => line.includes(new URL(upstream.url).host)), 2000, 'the call');
    const calls = lines().map((line): Call => JSON.parse(line));
    const rounds: { ended: number; names: string[] }[] = [];
    for (const { began, ended, host, path } of calls.sort((a, b) => a.began - b.began)) {
      const isUpstream = host === new URL(upstream.url).host;
      const name = isUpstream ? 'upstream' : (NAMES.find(([, test]) => test.test(path))?.[0] ?? path);
      if (name === 'usage') continue;
      const round = rounds.at(-1);
      if (round && began < round.ended) {
        round.names.push(name);
        round.ended = Math.max(round.ended, ended);
      } else rounds.push({ ended, names: [name] });
    }
    return rounds.map(({ names }) => names.sort());
  }

  it('by a model are the session and one round side by side', async () => {
    expect(await roundsOf('up/m')).to.deep.equal([
      ['session'],
      ['connections that the reference names', 'cooldowns', 'limits'],
      ['upstream'],
    ]);
  });

  it('by an alias are one round more', async () => {
    expect(await roundsOf('fast')).to.deep.equal([
      ['session'],
      ['alias', 'connections that the reference names', 'cooldowns', 'limits'],
      ['connection of a target'],
      ['upstream'],
    ]);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { cloudEnv } from '../../support/e2e/cloud.ts';
import { expectStatus, type Reply, type TestPlatform } from '../../support/e2e/platform.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { startModern } from '../../support/peers/mcp/modern.ts';
import { eventually } from '../../support/time.ts';
import { chat, completionOf, configure, gatewayPlatform, MOUNT } from './gatewayPlatform.ts';

interface Call {
  began: number;
  ended: number;
  host: string;
  path: string;
}

const NAMES: readonly [name: string, path: RegExp][] = [
  ['session', /current-context/],
  ['alias', /ml_model_aliases/],
  ['LLM connections by name', /ml_llm_connections\?/],
  ['LLM connection', /ml_llm_connections\//],
  ['MCP connection', /ml_mcp_connections/],
  ['vector store', /ml_vector_stores/],
  ['run', /ml_runs/],
  ['steps', /ml_run_steps/],
  ['claims', /ml_run_claims/],
  ['decisions', /ml_run_decisions/],
  ['listing of tools', /ml_mcp_listings/],
  ['lease', /ml_leases/],
  ['limits', /ml_usage_limits/],
  ['cooldowns', /ml_llm_cooldowns/],
  ['masking policies', /ml_masking_policies/],
  ['usage', /ml_usage\b|receivers\/simple/],
  ['audit', /ml_audit/],
  ['settings', /configs\/conf-/],
  ['schema version', /ml_schema/],
  ['roles', /authorization\/roles/],
];
/** In this time everything is written that is written after replies. */
const WRITTEN_MS = 2500;
/** What is read once in two seconds; policies of masking, once in a second. */
const KEPT = ['settings', 'schema version', 'roles', 'masking policies'];
const TRIES = 20;
/** In this time what follows a reply is done. */
const AFTER_MS = 200;
/** The clock of `outgoingCalls.cjs`. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

describe('calls to the platform', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'calls-'));
  const file = join(folder, 'calls');
  const upstreams: Peer[] = [];
  let platform: TestPlatform;
  before(async () => {
    const llm = await startHttp(async (incoming, response) => {
      await readBody(incoming);
      sendJson(response, 200, completionOf('An answer.'));
    });
    const kb = await startHttp(async (incoming, response) => {
      await readBody(incoming);
      sendJson(response, 200, { retrievalResults: [{ content: { text: 'A passage.', type: 'TEXT' }, score: 0.5 }] });
    });
    writeFileSync(file, '');
    const mcp = await startModern({ modernOnly: true });
    upstreams.push(llm, kb, mcp);
    const preload = join(import.meta.dirname, '../../../bench/outgoingCalls.cjs');
    platform = await gatewayPlatform({
      ...cloudEnv({ url: kb.url }),
      ML_GATEWAY_DRIVERS: '1',
      CALLS_FILE: file,
      NODE_OPTIONS: `--require "${preload}"`,
    });
    await configure(platform, 'up', llm.url);
    const target = { service: 'General_Chat', connection_name: 'up', model: 'm' };
    const aws = { cloud_access_key_id: 'AKIAEXAMPLE', cloud_access_key_token: 'canary' };
    const details = { cloud_region: 'eu-central-1', kb_id: 'ABCDE12345', ...aws };
    for (const [path, body] of [
      ['/model_aliases', { name: 'fast', targets: [target] }],
      ['/mcp_connection', { name: 'tools', type: 'PLATFORM', details: { url: mcp.url } }],
      ['/vector_stores', { name: 'runbooks', type: 'CLOUD_KB', details }],
    ] as const)
      expectStatus(await platform.ml('anna', 'POST', path, body), 200, path);
  });
  after(async () => {
    await platform?.dispose();
    for (const { close } of upstreams) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * What a process that has served others before asks for one use until it calls the upstream, in rounds: those at the same
   * time are in one.
   * @param prepare is not counted
   */
  async function roundsOf<T>(prepare: () => Promise<T>, use: (prepared: T) => Promise<Reply>): Promise<string[][]> {
    const once = async () => {
      const prepared = await prepare();
      const since = now();
      expectStatus(await use(prepared), 200, 'the use');
      return callsSince(since);
    };
    await once();
    // By now the first use is written, with what only the first has.
    await setTimeout(WRITTEN_MS);
    // The second one reads what holds for two seconds; on a busy machine it may not hold until the next.
    await once();
    let calls = await once();
    for (let tries = 0; tries < TRIES && calls.some(({ name }) => KEPT.includes(name)); tries += 1)
      calls = await once();
    const rounds: { ended: number; names: string[] }[] = [];
    for (const { began, ended, name } of calls) {
      const round = rounds.at(-1);
      if (round && began < round.ended) {
        round.names.push(name);
        round.ended = Math.max(round.ended, ended);
      } else rounds.push({ ended, names: [name] });
    }
    return rounds.map(({ names }) => names.sort());
  }

  /** Calls to the platform that began after a time and before the call to the upstream. */
  async function callsSince(since: number): Promise<(Call & { name: string })[]> {
    const hosts = upstreams.map(({ url }) => new URL(url).host);
    const read = () => {
      const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
      const calls = lines.map((line): Call => JSON.parse(line)).filter(({ began }) => began >= since);
      return calls.sort((a, b) => a.began - b.began);
    };
    const place = () => read().findIndex(({ host }) => hosts.includes(host));
    // It is noted when it has ended, after those before it.
    await eventually(() => place() >= 0, 10_000, 'the call to the upstream');
    const calls = read().slice(0, place());
    return calls.map((call) => ({ ...call, name: NAMES.find(([, test]) => test.test(call.path))?.[0] ?? call.path }));
  }
  const nothing = async () => {};
  const post = (path: string, body: object) => () => platform.call('anna', 'POST', `${MOUNT}${path}`, body);

  it('of a chat by a model are the session and one round side by side', async () => {
    expect(await roundsOf(nothing, () => chat(platform, 'anna', 'up/m'))).to.deep.equal([
      ['session'],
      ['LLM connections by name', 'cooldowns', 'limits'],
    ]);
  });

  it('of a chat by an alias are one round more', async () => {
    expect(await roundsOf(nothing, () => chat(platform, 'anna', 'fast'))).to.deep.equal([
      ['session'],
      ['LLM connections by name', 'alias', 'cooldowns', 'limits'],
      ['LLM connection'],
    ]);
  });

  it('of a retrieval are the session and one round side by side', async () => {
    expect(await roundsOf(nothing, post('/retrieve', { store: 'runbooks', query: 'disk' }))).to.deep.equal([
      ['session'],
      ['limits', 'vector store'],
    ]);
  });

  it('of a call of a tool are two rounds more than the session', async () => {
    const call = post('/tools/call', { connection: 'tools', tool: 'echo', arguments: {} });
    expect(await roundsOf(nothing, call)).to.deep.equal([
      ['session'],
      ['MCP connection', 'limits'],
      ['listing of tools'],
    ]);
  });

  it('of a step of a run are its documents under their lease, and a chat', async () => {
    const definition = { runtime_type: 'BUILT_IN', llm: { model: 'up/m' } };
    const start = async () => {
      const { json } = await post('/runs', { definition, input: 'Hello?', worker: 'caller' })();
      // Old runs are removed after the reply.
      await setTimeout(AFTER_MS);
      return json.run_id;
    };
    const step = (id: string) => platform.call('anna', 'POST', `${MOUNT}/runs/${id}/step`, {});
    expect(await roundsOf(start, step)).to.deep.equal([
      ['session'],
      ['run'],
      ['lease'],
      ['lease'],
      ['claims', 'decisions', 'run', 'steps'],
      ['LLM connections by name'],
      ['run'],
      ['run'],
      ['cooldowns', 'limits'],
      ['run'],
      ['steps'],
    ]);
  });
});

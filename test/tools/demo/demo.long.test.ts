import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { HOUR_S } from '../../../src/metering/usage/sums.ts';
import { ALERT } from '../../../tools/demo/outage.ts';
import { searched } from '../../e2e/agents/agentSupport.ts';
import { project } from '../../support/e2e/build.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { freePort } from '../../support/peers/listen.ts';
import { isInstalled, needs } from '../../support/programs/part.ts';
import { eventually } from '../../support/time.ts';
import { demoArguments, PROGRAM, processesOf, startDemo } from './demoPlatform.ts';

const GATEWAY = '/servicesNS/nobody/ml_extension/ai_gateway';
interface RunRow {
  state: string;
  input: string;
  source?: { search_name: string };
}
const LISTS = {
  '/mcp_connection': ['Desk', 'Tickets'],
  '/model_aliases': ['best', 'default'],
  '/vector_stores': ['Runbooks'],
  '/search_tools': ['host_load'],
  '/agents': ['night_watch'],
  '/usage_limits': ['Five dollars a day', 'Tools'],
  '/list_models': ['outage_risk'],
} as const;

describe('the demo', function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  const home = join(folder, 'home');
  const thisHour = Math.floor(Date.now() / 1000 / HOUR_S) * HOUR_S;
  const started: TestPlatform[] = [];
  let demo: TestPlatform;
  let blocker: Server | undefined;

  before(async function () {
    needs(this, isInstalled('curl'), 'curl');
    demo = await start(home);
  });
  after(async () => {
    for (const one of started) await one.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => void blocker?.close());

  async function start(at: string, env: Record<string, string> = {}): Promise<TestPlatform> {
    const platform = await startDemo({ home: at, env: { ML_WEB_PORT: '0', ...env } });
    started.push(platform);
    return platform;
  }
  /** The same without waiting for it. */
  function launch(env: Record<string, string>) {
    const child = spawn(process.execPath, [join(project, PROGRAM), ...demoArguments()], {
      env: { ...process.env, ML_PORT: '0', ML_WEB_PORT: 'off', ...env },
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk) => {
      said.out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said.err += chunk;
    });
    return { child, said, exited: once(child, 'close') as Promise<[number | null]> };
  }
  async function occupy(port: number): Promise<void> {
    blocker = createServer((_request, response) => void response.writeHead(500).end());
    await once(blocker.listen(port, '127.0.0.1'), 'listening');
  }
  const recorded = (at = home): { port: number } => JSON.parse(readFileSync(join(at, 'demo.json'), 'utf8'));
  const runs = async (of: TestPlatform) => (await of.call('admin', 'GET', `${GATEWAY}/runs?count=0`)).json.result;

  /** Everything that the demo has made, by its names and numbers. */
  async function content(of: TestPlatform): Promise<Record<string, unknown>> {
    const get = async (path: string) => (await of.ml('admin', 'GET', path)).json;
    const names = Object.keys(LISTS).map(async (path) => [
      path,
      (await get(path)).result.map(({ name }: { name: string }) => name).sort(),
    ]);
    const { result: experiments } = await get('/experiments');
    const histories = experiments.map(
      async ({ experiment_id: id }: { experiment_id: string }) =>
        (await get(`/experiments/${id}/history`)).pagination.total,
    );
    return {
      ...Object.fromEntries(await Promise.all(names)),
      models: (await get('/aicommander')).pagination.total,
      engines: (await get('/container_connection/docker')).pagination.total,
      containers: Object.keys((await get('/container_data')).config),
      histories: await Promise.all(histories),
      runs: (await runs(of)).map(({ state, input, source }: RunRow) => [source?.search_name ?? input, state]).sort(),
      // What this test uses itself arrives late.
      usage: (await get(`/usage?by=model&latest=${thisHour}`)).total.requests,
    };
  }

  it('prints lines that work when they are pasted into a shell', async () => {
    const [, lines = ''] = /another terminal:\n([\s\S]*)\nCtrl-C/.exec(demo.output) ?? [];
    const { stdout } = await promisify(execFile)('bash', ['-c', lines]);
    const [classified, predicted, disks, answer, waiting] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(classified.results).to.deep.equal([
      { message: 'disk /var is full on db-3', severity: 'high', cause: 'a disk is full' },
      { message: 'payment timed out', severity: 'high', cause: 'a service does not answer in time' },
      { message: 'login of guest refused', severity: 'low', cause: 'credentials were refused' },
    ]);
    const outages = predicted.results.map((row: Record<string, string>) => row['predicted(outage)']);
    expect(outages).to.deep.equal(['no', 'yes', 'yes']);
    expect(disks.results[0]).to.deep.equal({
      ...{ 'result.host': 'db-3', 'result.mount': '/var', 'result.used_percent': '94' },
    });
    expect(answer.choices[0].message.content).to.include('Empty the spool directory first');
    expect(answer.ml.cost).to.be.above(0);
    expect(waiting.result).to.have.length(1);
  });

  it('prints the address of the pages and a password that works', async () => {
    const [, web] = /pages {6}(\S+)/.exec(demo.output) ?? [];
    expect(web).to.equal(demo.web);
    expect(demo.output).to.include(`password   ${demo.passwordOf('admin')}\n`);
    expect((await fetch(`${web}/`)).status).to.equal(200);
  });

  it('has something in each view', async () => {
    const { usage, runs: all, models, engines, containers, histories, ...lists } = await content(demo);
    expect(lists).to.deep.equal(LISTS);
    expect([models, engines, containers]).to.deep.equal([3, 1, ['llama']]);
    // Its creation and four trainings.
    expect(histories).to.deep.equal([5]);
    expect(usage).to.be.above(500);
    expect(all).to.deep.equal([
      [ALERT, 'waiting_for_approval'],
      ['Summarise the incidents of last week.', 'failed'],
      ['Which disks are nearly full, and what should I do?', 'succeeded'],
    ]);
    const { status, protocol } = (await demo.ml('admin', 'GET', '/container_data')).json.config.llama;
    expect([status, protocol]).to.deep.equal(['Active', 'openai']);
    const logs = await demo.ml('admin', 'POST', '/container_logs', { payload: { model: 'llama' } });
    expect(logs.json.container_logs.entries.at(-1).log).to.equal('Serving on port 5000');
    const health = (await demo.ml('admin', 'GET', '/connection_health?count=0')).json.result;
    const states = health.map(({ name, state }: Record<string, string>) => [name, state]);
    expect(Object.fromEntries(states)).to.deep.equal({
      ...{
        Desk: 'ok',
        Tickets: 'reauth_required',
        'General_Chat/Demo': 'ok',
        Workshop: 'ok',
        Runbooks: 'ok',
        host_load: 'ok',
        best: 'ok',
        default: 'ok',
      },
      ...{ 'Five dollars a day': 'ok', Tools: 'ok' },
    });
    expect((await demo.ml('admin', 'GET', '/audit')).json.pagination.total).to.be.above(10);
  });

  it('spreads its usage over the last 24 hours, with failures and prices', async () => {
    const day = Date.now() / 1000 - 25 * 3600;
    const { result, total } = (await demo.ml('admin', 'GET', `/usage?by=operation&interval=hour&earliest=${day}`)).json;
    const hours = new Set(result.map(({ time }: { time: number }) => time));
    expect(hours.size).to.be.within(24, 25);
    const operations = new Set(result.map(({ operation }: { operation: string }) => operation));
    expect([...operations].sort()).to.deep.equal([
      'chat',
      'embeddings',
      'execute_tool',
      'index',
      'predict',
      'retrieve',
      'search',
    ]);
    expect(total.failed).to.be.within(10, total.requests / 5);
    expect(total.cost).to.be.above(0.1);
  });

  it('has a run that searched the events, with a link to the job', async () => {
    const [{ run_id }] = (await runs(demo)).filter(({ state }: { state: string }) => state === 'succeeded');
    const { config } = (await demo.call('admin', 'GET', `${GATEWAY}/runs/${run_id}`)).json;
    const tools = config.steps.filter(({ kind }: { kind: string }) => kind !== 'model');
    expect(tools.map(({ name }: { name: string }) => name)).to.deep.equal([
      ...['Desk__disk_usage', 'search__host_load', 'retrieve__Runbooks'],
    ]);
    const { state, input, output, sid } = tools[1];
    expect([state, input, output]).to.deep.equal([
      ...['done', { host: 'db-3' }, 'host,readings,cpu,memory,disk\ndb-3,3,44,72,94\n'],
    ]);
    expect(config.output).to.include('host db-3, readings 3, cpu 44, memory 72, disk 94');
    expect(sid).to.match(/^[\w.]+$/);
    const called = await demo.call('admin', 'POST', `${GATEWAY}/search`, {
      tool: 'host_load',
      arguments: { host: '*' },
    });
    expect(called.json.result.count, called.text).to.equal(3);
  });

  it('asks for approval of a restart for an alert, restarts, and writes the answer into an index', async () => {
    const [{ run_id }] = (await runs(demo)).filter(({ state }: { state: string }) => state === 'waiting_for_approval');
    const run = async () => (await demo.call('admin', 'GET', `${GATEWAY}/runs/${run_id}?wait_s=20`)).json.config;
    const { steps, source } = await run();
    expect(source).to.include({ kind: 'alert', search_name: ALERT, app: 'search' });
    const { index, name } = steps.findLast(({ state }: { state: string }) => state === 'waiting');
    expect([index, name]).to.deep.equal([7, 'Desk__restart_service']);
    const decision = { step: index, decision: 'approve' };
    expect((await demo.call('admin', 'POST', `${GATEWAY}/runs/${run_id}/approve`, decision)).status).to.equal(200);
    await eventually(async () => (await run()).state === 'succeeded', 60_000);
    const { output } = await run();
    expect(output).to.include('checkout was restarted');
    const search = 'search index=summary sourcetype=ml_extension:answer | table run_id state output orig_sid';
    const answers = async () => (await searched(demo, 'admin', search)).rows;
    await eventually(async () => (await answers()).length > 0, 20_000, 'the event of the answer');
    expect(await answers()).to.deep.equal([{ run_id, state: 'succeeded', output, orig_sid: source.sid }]);
  });

  it('leaves no process behind, and makes nothing twice at the next start', async () => {
    const before = await content(demo);
    const { port } = recorded();
    await demo.stop();
    expect(processesOf(home)).to.deep.equal([]);
    await occupy(port);
    blocker?.close();
    demo = await start(home);
    expect(await content(demo)).to.deep.equal(before);
  });

  it('keeps what somebody has deleted deleted', async () => {
    await demo.ml('admin', 'DELETE', '/mcp_connection/Tickets');
    await demo.stop('SIGINT');
    expect(processesOf(home)).to.deep.equal([]);
    demo = await start(home);
    expect((await demo.ml('admin', 'GET', '/mcp_connection')).json.pagination.total).to.equal(1);
  });

  it('moves its examples when another program has its port', async () => {
    const { port } = recorded();
    await demo.stop();
    await occupy(port);
    demo = await start(home);
    expect(recorded().port).not.to.equal(port);
    const messages = [{ role: 'user', content: 'What is a saved search?' }];
    for (const model of ['default', 'container/llama']) {
      const answer = await demo.call('admin', 'POST', `${GATEWAY}/v1/chat/completions`, { model, messages });
      expect(answer.json.choices?.[0].message.content, answer.text).to.include('A saved search is');
    }
    const call = { connection: 'Desk', tool: 'disk_usage', arguments: { host: 'db-3' } };
    const called = await demo.call('admin', 'POST', `${GATEWAY}/tools/call`, call);
    expect(called.json.result.content[0].text).to.equal('db-3 /var 94 %');
    const query = { store: 'Runbooks', query: 'disk full' };
    const found = await demo.call('admin', 'POST', `${GATEWAY}/retrieve`, query);
    expect(found.json.result?.[0], found.text).to.deep.include({
      id: 'disk-full.md',
      source: { type: 'built_in', uri: 'disk-full.md' },
      metadata: { team: 'operations' },
    });
  });

  it('goes on where a signal has interrupted its first start', async () => {
    const other = join(folder, 'interrupted');
    const { child, said, exited } = launch({ ML_HOME: other });
    await eventually(() => /^ready /m.test(said.out), 60_000, 'the platform of the demo');
    child.kill('SIGTERM');
    expect((await exited)[0], said.err).to.equal(0);
    expect(processesOf(other)).to.deep.equal([]);
    const { usage, ...complete } = await content(await start(other));
    expect(complete).to.deep.include({ ...LISTS, models: 3, engines: 1, containers: ['llama'], histories: [5] });
    expect(complete.runs).to.have.length(3);
    expect(usage).to.be.above(500);
  });

  it('ends with the platform that cannot start', async () => {
    const port = await freePort();
    await occupy(port);
    const other = join(folder, 'refused');
    const { said, exited } = launch({ ML_HOME: other, ML_PORT: String(port) });
    expect((await exited)[0]).to.equal(1);
    expect(said.err).to.include(`${port}`);
    expect(processesOf(other)).to.deep.equal([]);
  });

  it('does not touch a folder with other data', async () => {
    const other = join(folder, 'others');
    mkdirSync(other);
    writeFileSync(join(other, 'mine'), '');
    const { said, exited } = launch({ ML_HOME: other });
    expect((await exited)[0]).to.equal(1);
    expect(said.err).to.equal(
      `ML_HOME is ${other}, which has other data than the demo's. Unset it, or name a folder that is empty.\n`,
    );
  });
});

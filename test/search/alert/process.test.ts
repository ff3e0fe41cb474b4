import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { testedApp } from '../../support/e2e/build.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { callers, KEY, payloadOf, resultsFile } from './payloads.ts';

interface Call {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: { alert: { rows: Record<string, unknown>[] } & Record<string, unknown> };
}

describe('alert action, as built', () => {
  const home = mkdtempSync(join(tmpdir(), 'alert-process-'));
  const launcher = () => join(testedApp(), 'bin/ml_agent.sh');
  let gateway: Peer;
  let calls: Call[];
  let answer: (response: ServerResponse, call: Call) => void;
  const started = (response: ServerResponse) =>
    sendJson(response, 200, {
      status: 'success',
      alert: { outcomes: [{ row: 0, outcome: 'started', run_id: 'run-1' }] },
    });

  before(async () => {
    gateway = await startHttp(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const call = { method, url, headers, body: JSON.parse(await readBody(request)) };
      calls.push(call);
      answer(response, call);
    });
  });
  beforeEach(() => {
    calls = [];
    answer = started;
  });
  after(async () => {
    rmSync(home, { recursive: true, force: true });
    await gateway.close();
  });

  async function run(input: string, { args = ['--execute'], program = launcher(), env = {} } = {}) {
    const child = spawn(program, args, {
      cwd: '/',
      env: { PATH: process.env.PATH, SPLUNK_HOME: home, LD_LIBRARY_PATH: '/nonexistent', ...env },
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const ended = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await ended;
    for (const line of stderr.trimEnd().split('\n')) expect(line).to.match(/^((INFO|WARN|ERROR) |$)/);
    expect(stdout + stderr).to.not.include(KEY);
    return { code, stdout, stderr };
  }

  for (const [caller, payload] of Object.entries(callers('URL'))) {
    it(`hands over what ${caller} sends, with the session of its owner`, async () => {
      const { code, stderr, stdout } = await run(JSON.stringify({ ...payload, server_uri: gateway.url }));
      expect([code, stdout], stderr).to.deep.equal([0, '']);
      expect(stderr).to.include('run_id="run-1"').and.include(`sid="${payload.sid}"`);
      const [{ method, url, headers, body }] = calls as [Call];
      expect([method, url]).to.deep.equal(['POST', '/servicesNS/nobody/ml_extension/ai_gateway/runs?output_mode=json']);
      expect(headers.authorization).to.equal(`Splunk ${KEY}`);
      expect(body.alert).to.include({ sid: String(payload.sid), app: payload.app, first_row: 0, row_count: 1 });
      expect(JSON.stringify(body)).to.not.include(KEY);
    });
  }

  it('reads the rows of the file, and writes a line for each into the log of Splunk_SA_CIM', async () => {
    const path = join(home, 'results.csv.gz');
    const rows = [
      { user: 'bob', src: ['192.0.2.7', '192.0.2.8'], text: 'x'.repeat(200_000) },
      { user: 'eve "e"', src: '192.0.2.9', text: 'a\nb,c' },
    ];
    writeFileSync(path, resultsFile(rows, ['user', 'src', 'text']));
    const log = join(home, 'var/log/splunk/ml_agent_modalert.log');
    rmSync(log, { force: true });
    expect((await run(JSON.stringify(payloadOf({ server_uri: gateway.url, results_file: path })))).code).to.equal(0);
    expect(calls[0]?.body.alert.rows).to.deep.equal(rows);
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(lines).to.have.length(2);
    expect(lines[0]).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\+0000 INFO sendmodaction - worker="sh1" /);
  });

  it('ends with 1 for a refusal, 2 for a session that has ended or a redirect, which it does not follow', async () => {
    const input = JSON.stringify(payloadOf({ server_uri: gateway.url }));
    const refused = {
      row: 0,
      outcome: 'refused',
      error_code: 'system_user',
      message: `as nobody, ${KEY}\nINFO all is well`,
    };
    answer = (response) => sendJson(response, 200, { alert: { outcomes: [refused] } });
    const { code, stderr } = await run(input);
    expect(code).to.equal(1);
    expect(stderr).to.include('error_code="system_user": as nobody, [redacted] INFO all is well');
    answer = (response) => sendJson(response, 401, { messages: [{ text: 'call not properly authenticated' }] });
    expect((await run(input)).code).to.equal(2);
    calls = [];
    answer = (response) => response.writeHead(307, { Location: `${gateway.url}/elsewhere` }).end();
    expect((await run(input)).code).to.equal(2);
    expect(calls).to.have.length(1);
    answer = (response) => response.writeHead(200).end('not JSON');
    expect((await run(input)).code).to.equal(2);
    answer = (response) => response.destroy();
    expect((await run(input)).code).to.equal(2);
  });

  it('ends when the gateway is silent, or never ends its answer', async function () {
    this.timeout(120_000);
    const input = JSON.stringify(payloadOf({ server_uri: gateway.url }));
    answer = (response) => {
      const timer = setInterval(() => response.write(' '), 1000);
      response.on('close', () => clearInterval(timer));
    };
    const { code, stderr } = await run(input);
    expect(code).to.equal(2);
    expect(stderr).to.include('The gateway did not answer within 20 seconds');
  });

  it('hands over what a search started whose id no header can carry', async () => {
    for (const sid of ['ワークロード', 'a\nb']) {
      calls = [];
      const { code, stderr } = await run(JSON.stringify(payloadOf({ server_uri: gateway.url, sid })));
      expect(code, stderr).to.equal(0);
      expect(calls[0]?.body.alert.sid).to.equal(sid);
    }
  });

  it('hands over though nobody reads what it says', async () => {
    const log = join(home, 'var/log/splunk/ml_agent_modalert.log');
    rmSync(log, { force: true });
    const child = spawn(launcher(), ['--execute'], { cwd: '/', env: { PATH: process.env.PATH, SPLUNK_HOME: home } });
    child.stdout.destroy();
    child.stderr.destroy();
    // Its values are cut, which is said before the hand-over.
    const result = { text: 'x'.repeat(1_500_000) };
    child.stdin.end(JSON.stringify(payloadOf({ server_uri: gateway.url, result })));
    const [code] = await once(child, 'exit');
    expect([code, calls.length]).to.deep.equal([0, 1]);
    expect(readFileSync(log, 'utf8')).to.include('run_id="run-1"');
  });

  it('explains itself, and says what is wrong with a payload', async () => {
    expect((await run('', { args: ['--help'] })).stdout).to.include('ml_agent.sh --execute');
    for (const input of ['', '{', `{"session_key": "${KEY}"}`, `<alert>${KEY}</alert>`]) {
      const { code, stderr } = await run(input);
      expect(code).to.equal(2);
      expect(stderr).to.match(/^ERROR ml_agent: .*payload/i);
    }
    expect(calls).to.deep.equal([]);
  });

  it('says that there is no runtime, as a line of splunkd.log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'alert-bare-'));
    try {
      for (const name of ['ml_agent.sh', 'runtime.sh'])
        copyFileSync(join(testedApp(), 'bin', name), join(folder, name));
      const { code, stderr } = await run('{}', { program: join(folder, 'ml_agent.sh'), env: { PATH: '/nonexistent' } });
      expect(code).to.equal(2);
      expect(stderr).to.match(/^ERROR ml_agent: no Node runtime: .*ML_EXTENSION_NODE/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('leaves the session in no file', () => {
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).to.be.greaterThan(1);
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).includes(KEY), name).to.equal(false);
  });
});

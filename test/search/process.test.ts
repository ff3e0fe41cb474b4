import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { type Peer, readBody, sendJson, startHttp } from '../support/peers/listen.ts';
import { chunk, EXECUTE, rowsOf, searchinfo } from './peer.ts';
import { launcher, Started, started } from './started.ts';

const KEY = 'canary-session-key';

describe('agentstatus process, as built', () => {
  let app: Peer;
  let calls: { method: string; url: string; authorization: string; body: string }[];
  let answer: (n: number) => { status: number; body: object } | undefined;
  const step = (more: object = {}) => ({
    status: 200,
    body: {
      agent_name: 'triage',
      action: 'create',
      state: 'Creating',
      done: 0,
      attempt: 1,
      message: 'ä "quoted"',
      ...more,
    },
  });
  const info = (...args: string[]) => chunk(searchinfo(args, { splunkd_uri: app.url, session_key: KEY }));
  const CREATE = ['agent_name="triage"', 'action=create', 'interval=0.1'];
  const execute = chunk(EXECUTE);

  before(async () => {
    app = await startHttp(async (request, response) => {
      const { method = '', url = '', headers } = request;
      calls.push({ method, url, authorization: headers.authorization ?? '', body: await readBody(request) });
      const found = answer(calls.length);
      if (found) sendJson(response, found.status, found.body);
    });
  });
  beforeEach(() => {
    calls = [];
    answer = () => step();
  });
  afterEach(() => {
    for (const command of started.splice(0)) command.kill();
  });
  after(() => app.close());

  it('answers getinfo and ends with its input: nothing is called', async () => {
    const { code, chunks, stderr, rest } = await new Started().write(info(...CREATE)).end();
    expect(chunks).to.deep.equal([{ metadata: { type: 'stateful', generating: true }, body: '' }]);
    expect([code, stderr, rest, calls]).to.deep.equal([0, '', '', []]);
  });

  it('follows an agent with the session of the search, a chunk of rows for each execute', async () => {
    answer = (n) => (n < 3 ? step({ attempt: n }) : step({ state: 'Available', done: 1, outcome: 'success' }));
    const command = new Started().write(info(...CREATE), execute);
    const [, first] = await command.chunks(2);
    expect(first?.metadata).to.deep.equal({ finished: false });
    expect(rowsOf(first?.body ?? '')[0]).to.include({ state: 'Creating', done: '0', message: 'ä "quoted"' });
    const last = (await command.write(execute).chunks(3))[2];
    expect(last?.metadata).to.deep.equal({ finished: true });
    expect(rowsOf(last?.body ?? '')).to.have.length(1);
    expect(rowsOf(last?.body ?? '')[0]).to.include({ state: 'Available', previous_state: 'Creating', done: '1' });
    const { code, stderr } = await command.end();
    expect([code, stderr]).to.deep.equal([0, '']);
    for (const call of calls) {
      expect(call).to.deep.equal({
        method: 'POST',
        url: '/servicesNS/nobody/ml_extension/ml/agents/triage/status?output_mode=json',
        authorization: `Splunk ${KEY}`,
        body: '{"action":"create","interval":0.1}',
      });
    }
  });

  it('refuses arguments in its answer to getinfo, and nothing is called', async () => {
    for (const args of [
      ['agent_name=x', 'action=run'],
      ['nothing=1'],
      ['agent_name="x%2f..%2fy"', 'action=create'],
      ['agent_name="x\\" | delete"', 'action=create'],
    ]) {
      const { code, chunks, stderr } = await new Started().write(info(...args), execute).end();
      expect(chunks).to.have.length(1);
      expect(chunks[0]?.metadata.finished).to.equal(true);
      expect(chunks[0]?.metadata.error).to.be.a('string').and.not.equal('');
      expect([code, stderr, calls.length]).to.deep.equal([0, '', 0]);
    }
  });

  for (const how of ['the end of its input', 'SIGTERM'] as const) {
    it(`stops polling when the search is cancelled by ${how}`, async () => {
      const command = new Started().write(info(...CREATE), execute);
      await command.chunks(2);
      command.write(execute);
      while (calls.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
      const { stderr } = await (how === 'SIGTERM' ? command.signal('SIGTERM').ended() : command.end());
      const after = calls.length;
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect(calls.length).to.equal(after);
      expect(stderr).to.equal('');
    });
  }

  it('does not wait for a pending answer when cancelled', async () => {
    answer = () => undefined;
    const command = new Started().write(info(...CREATE), execute);
    while (calls.length < 1) await new Promise((resolve) => setTimeout(resolve, 20));
    const { code, stderr } = await command.end();
    expect([code, stderr]).to.deep.equal([0, '']);
  });

  it('reports invalid chunks in the protocol, not on stderr', async () => {
    for (const text of ['GET / HTTP/1.1\r\n\r\n', 'chunked 1.0,2,0\n[]', 'chunked 1.0,5,0\n{}', '{}\n']) {
      const { code, chunks, stderr } = await new Started().write(Buffer.from(text)).end();
      expect(chunks[0]?.metadata.error, text).to.be.a('string').and.not.equal('');
      expect([code, stderr]).to.deep.equal([1, '']);
    }
    const { chunks } = await new Started().write(execute).end();
    expect(chunks[0]?.metadata.error).to.include('getinfo');
  });

  it('never shows the session', async () => {
    answer = (n) => (n === 1 ? { status: 500, body: {} } : { status: 401, body: { messages: [] } });
    const command = new Started().write(info(...CREATE), execute, execute);
    await command.chunks(3);
    const { chunks, stderr } = await command.end();
    expect(JSON.stringify(chunks) + stderr).to.not.include(KEY);
    expect(rowsOf(chunks.at(-1)?.body ?? '')[0]).to.include({ error_code: 'not_authenticated', done: '1' });
  });

  it('reports a missing session', async () => {
    const hello = chunk(searchinfo(CREATE, { session_key: undefined, splunkd_uri: app.url }));
    const { chunks } = await new Started().write(hello, execute).end();
    expect(chunks.at(-1)?.metadata.error).to.include('no session');
  });

  for (const name of ['agentstatus', 'mlhealth']) {
    it(`reports a missing runtime of ${name} in the protocol`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'commands-'));
      try {
        for (const file of ['agentstatus.sh', 'mlhealth.sh', 'command.sh', 'runtime.sh'])
          copyFileSync(join(dirname(launcher()), file), join(folder, file));
        const command = new Started(join(folder, `${name}.sh`), { PATH: '/nonexistent' });
        const { chunks, rest, stderr } = await command.end();
        expect(chunks[0]?.metadata.error).to.include('ML_EXTENSION_NODE');
        expect([rest, stderr]).to.deep.equal(['', '']);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});

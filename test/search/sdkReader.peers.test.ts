import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { sendJson, startHttp } from '../support/peers/listen.ts';
import { needsInstalled } from '../support/programs/part.ts';
import { preparePython, pythonOf } from '../support/programs/python.ts';
import { searchinfo } from './peer.ts';
import { launcher } from './started.ts';

const run = promisify(execFile);

describe('agentstatus process, read by others', () => {
  it('the reader of the public Python SDK understands it', async function () {
    this.timeout(240_000);
    await needsInstalled(this, 'the public Python SDK', () => preparePython('splunkSdk'));
    const creating = { state: 'Creating', done: 0, message: 'ä "quoted"' };
    const available = { state: 'Available', done: 1, outcome: 'success', message: 'a\nb,"c"' };
    let calls = 0;
    const app = await startHttp((_, response) => {
      calls += 1;
      const step = calls < 2 ? creating : available;
      sendJson(response, 200, { agent_name: 'triage', action: 'create', attempt: 1, ...step });
    });
    const hello = JSON.stringify(
      searchinfo(['agent_name="triage"', 'action=create', 'interval=0.1'], {
        splunkd_uri: app.url,
        session_key: 'session-key',
      }),
    );
    const script = join(import.meta.dirname, 'sdk_reader.py');
    const { stdout } = await run(pythonOf('splunkSdk'), [script, launcher(), hello], {
      env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' },
    });
    const read = JSON.parse(stdout) as { metadata: Record<string, unknown>; rows: Record<string, string>[] }[];
    expect(read.map(({ metadata }) => metadata)).to.deep.equal([
      { type: 'stateful', generating: true },
      { finished: false },
      { finished: true },
    ]);
    expect(read.flatMap(({ rows }) => rows.map((row) => [row.state, row.done, row.message]))).to.deep.equal([
      ['Creating', '0', 'ä "quoted"'],
      ['Available', '1', 'a\nb,"c"'],
    ]);
    await app.close();
  });
});

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expectStatus, type TestPlatform } from '../test/support/e2e/platform.ts';
import { inTurn, type Row, timed } from './measure.ts';

const RUNS = 20;

/** The search command beside the least that speaks its protocol: a script that echoes one row for each execute. */
export async function agentRows(platform: TestPlatform): Promise<Row[]> {
  // Without a cloud the creation fails; the record is there all the same, and that is what the command shows.
  expectStatus(await platform.ml('admin', 'POST', '/agents', { name: 'bench_agent' }), 502, 'the bench agent');
  const key = await platform.sessionKey('admin');
  const launcher = join(platform.home, 'etc/apps/ml_extension/bin/agentstatus.sh');
  const hello = chunk({
    action: 'getinfo',
    searchinfo: {
      raw_args: ['agent_name=bench_agent'],
      session_key: key,
      splunkd_uri: platform.url,
      maxresultrows: 100,
    },
  });
  const first = () => converse(launcher, [], [hello, EXECUTE], 2);
  const echo = (script: string) => converse(process.execPath, ['-e', script], [hello, EXECUTE], 2);
  const bare = ECHO.replace('ANSWER', 'reply(ROW)');
  const calling = ECHO.replace('ANSWER', call(platform.url, key));
  return [
    {
      what: 'agentstatus: spawn to the answer to getinfo',
      against: 'bare chunked echo on the same runtime',
      unit: 'ms',
      aim: 1.5,
      ...(await inTurn(
        RUNS,
        () => timed(() => converse(launcher, [], [hello], 1)),
        () => timed(() => converse(process.execPath, ['-e', bare], [hello], 1)),
      )),
    },
    {
      what: 'agentstatus: spawn to the first row of an agent',
      against: 'bare chunked echo on the same runtime',
      unit: 'ms',
      ...(await inTurn(
        RUNS,
        () => timed(first),
        () => timed(() => echo(bare)),
      )),
    },
    {
      what: 'agentstatus: spawn to the first row of an agent',
      against: 'bare chunked echo that makes the same HTTPS call',
      unit: 'ms',
      aim: 1.5,
      ...(await inTurn(
        RUNS,
        () => timed(first),
        () => timed(() => echo(calling)),
      )),
    },
  ];
}

function chunk(metadata: object): Buffer {
  const json = JSON.stringify(metadata);
  return Buffer.from(`chunked 1.0,${Buffer.byteLength(json)},0\n${json}`);
}

const EXECUTE = chunk({ action: 'execute', finished: true });

const ECHO = `
  const send = (meta, body = '') => { const json = JSON.stringify(meta);
    process.stdout.write('chunked 1.0,' + Buffer.byteLength(json) + ',' + Buffer.byteLength(body) + '\\n' + json + body); };
  const ROW = '_time,agent_name,state\\r\\n1,bench_agent,Failed\\r\\n';
  const reply = (row) => send({ finished: true }, row);
  let held = '';
  process.stdin.on('data', (bytes) => {
    held += bytes;
    for (;;) {
      const head = /^chunked 1\\.0,(\\d+),0\\n/.exec(held);
      if (!head || held.length < head[0].length + Number(head[1])) return;
      const meta = JSON.parse(held.slice(head[0].length, head[0].length + Number(head[1])));
      held = held.slice(head[0].length + Number(head[1]));
      if (meta.action === 'getinfo') send({ type: 'stateful', generating: true });
      else ANSWER;
    }
  });
  process.stdin.on('end', () => process.exit());`;

const call = (url: string, key: string) => `require('node:https').get(
  ${JSON.stringify(`${url}/servicesNS/nobody/ml_extension/ml/agents/bench_agent?output_mode=json`)},
  { rejectUnauthorized: false, headers: { Authorization: 'Splunk ${key}' } },
  (answer) => { answer.resume(); answer.on('end', () => reply(ROW)); })`;

/** Starts a command, sends it chunks, waits for its answers, and lets it end. */
async function converse(command: string, args: string[], chunks: Buffer[], answers: number): Promise<void> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`${command} ended early and said ${text}`)));
    child.stdout.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (text.split('chunked 1.0,').length - 1 < answers) return;
      if (text.includes('"error"') || (answers === 2 && !text.includes('bench_agent,'))) reject(new Error(text));
      else resolve();
    });
    for (const bytes of chunks) child.stdin.write(bytes);
  });
  child.stdin.end();
  await ended;
}

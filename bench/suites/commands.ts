import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { chunk, EXECUTE } from '../../test/search/peer.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Bench } from '../bench.ts';
import { inTurn } from '../measure.ts';

const RUNS = 20;
const execute = chunk(EXECUTE);

interface Command {
  name: string;
  args: readonly string[];
  /** What it reads, below the app's namespace. */
  path: string;
  /** Stands in its first row. */
  shows: string;
}

/** The search commands beside the least that speaks their protocol: a script that echoes one row for each execute. */
export async function commands(bench: Bench, platform: TestPlatform): Promise<void> {
  // Without a cloud the creation fails; the record is there all the same, and that is what the command shows.
  expectStatus(await platform.ml('admin', 'POST', '/agents', { name: 'bench_agent' }), 502, 'the bench agent');
  const made = { name: 'bench_health', type: 'PLATFORM', details: { url: 'http://127.0.0.1:9/mcp' } };
  expectStatus(await platform.ml('admin', 'POST', '/mcp_connection', made), 200, 'the bench connection');
  const one = { args: ['agent_name=bench_agent'], path: '/ml/agents/bench_agent' };
  await rows(bench, platform, { name: 'agentstatus', ...one, shows: 'bench_agent' });
  await rows(bench, platform, { name: 'mlhealth', args: [], path: '/ml/connection_health', shows: 'bench_health' });
}

async function rows(bench: Bench, platform: TestPlatform, { name, args, path, shows }: Command): Promise<void> {
  const key = await platform.sessionKey('admin');
  const launcher = join(platform.home, 'etc/apps/ml_extension/bin', `${name}.sh`);
  const searchinfo = { raw_args: args, session_key: key, splunkd_uri: platform.url, maxresultrows: 100 };
  const hello = chunk({ action: 'getinfo', searchinfo });
  const node = process.execPath;
  const bare = ['-e', echo(shows, 'reply(ROW)')];
  const calling = ['-e', echo(shows, call(`${platform.url}/servicesNS/nobody/ml_extension${path}`, key))];
  // As the platform starts it: with its own home, where a launcher keeps what it need not find out again.
  const env = { ...process.env, SPLUNK_HOME: platform.home };
  const ours = (chunks: Buffer[], expected = '') => converse(launcher, [], chunks, expected, env);
  const first = () => ours([hello, execute], shows);
  const against = 'bare chunked echo on the same runtime';
  const answer = { what: `${name}: spawn to the answer to getinfo`, against, unit: 'ms', aim: 1.5, keep: 2.3 } as const;
  await bench.row(answer, RUNS, (runs) =>
    inTurn(
      runs,
      () => ours([hello]),
      () => converse(node, bare, [hello]),
    ),
  );
  const row = { what: `${name}: spawn to the first row`, unit: 'ms' } as const;
  await bench.row({ ...row, against }, RUNS, (runs) =>
    inTurn(runs, first, () => converse(node, bare, [hello, execute], shows)),
  );
  const same = { ...row, against: 'bare chunked echo that makes the same HTTPS call', aim: 1.2, keep: 1.5 };
  await bench.row(same, RUNS, (runs) => inTurn(runs, first, () => converse(node, calling, [hello, execute], shows)));
}

const echo = (shows: string, answer: string) => `
  const send = (meta, body = '') => { const json = JSON.stringify(meta);
    process.stdout.write('chunked 1.0,' + Buffer.byteLength(json) + ',' + Buffer.byteLength(body) + '\\n' + json + body); };
  const ROW = '_time,name,state\\r\\n1,${shows},Failed\\r\\n';
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
      else ${answer};
    }
  });
  process.stdin.on('end', () => process.exit());`;

const call = (url: string, key: string) => `require('node:https').get(${JSON.stringify(`${url}?output_mode=json`)},
  { rejectUnauthorized: false, headers: { Authorization: 'Splunk ${key}' } },
  (answer) => { answer.resume(); answer.on('end', () => reply(ROW)); })`;

/**
 * Starts a command, sends it chunks, and gives the milliseconds until it has answered each; its end takes no part.
 * @param shows stands in the last answer
 */
async function converse(
  command: string,
  args: string[],
  chunks: Buffer[],
  shows = '',
  env = process.env,
): Promise<number> {
  const began = performance.now();
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`${command} ended early and said ${text}`)));
    child.stdout.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (text.split('chunked 1.0,').length - 1 < chunks.length) return;
      if (text.includes('"error"') || !text.includes(shows)) reject(new Error(text));
      else resolve();
    });
    for (const bytes of chunks) child.stdin.write(bytes);
  });
  const took = performance.now() - began;
  child.stdin.end();
  await ended;
  return took;
}

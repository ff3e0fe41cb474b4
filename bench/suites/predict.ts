import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chunk, parseChunks, searchinfo } from '../../test/search/peer.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import { preparePython, pythonOf } from '../../test/support/programs/python.ts';
import { type Bench, leftOut } from '../bench.ts';
import { inTurn } from '../measure.ts';

const run = promisify(execFile);
const RUNS = 7;
const ROWS = 100_000;
const CHUNK_ROWS = 50_000;
const FEATURES = ['a', 'b', 'c', 'd'];
const PYTHON = join(import.meta.dirname, '../python');

interface Measured {
  wholeMs: number;
  firstMs: number;
  peakMiB: number;
}

/** `| mlpredict` with a forest of 100 trees beside a command in Python that does nothing else, with the same model and rows. */
export async function predict(bench: Bench, platform: TestPlatform): Promise<void> {
  const problem = await preparePython('onnx');
  if (problem !== undefined) return leftOut('mlpredict', problem.split('\n').at(-1) ?? problem);
  const python = pythonOf('onnx');
  const model = join(platform.home, 'forest.onnx');
  await run(python, [join(PYTHON, 'forest.py'), model]);
  const model_file = readFileSync(model).toString('base64');
  const body = { model_name: 'forest', features: FEATURES, targets: ['y'], model_file };
  expectStatus(await platform.ml('admin', 'POST', '/upload_model', body), 200, 'the upload of the forest');
  const info = { splunkd_uri: platform.url, session_key: await platform.sessionKey('admin') };
  const hello = chunk(searchinfo(['model=forest'], info));
  const launcher = join(platform.home, 'etc/apps/ml_extension/bin/mlpredict.sh');
  const env = { ...process.env, SPLUNK_HOME: platform.home };
  const chunks = executes();
  const pairs: { ours: Measured[]; base: Measured[] } = { ours: [], base: [] };
  await inTurn(
    RUNS,
    async () => {
      pairs.ours.push(await converse(launcher, [], hello, chunks, env));
      return 0;
    },
    async () => {
      pairs.base.push(await converse(python, [join(PYTHON, 'predict.py'), model], hello, chunks, env));
      return 0;
    },
  );
  const against = 'a command in Python with onnxruntime on one thread, without rights, limits and usage';
  const of = (figure: keyof Measured) => ({
    ours: pairs.ours.slice(1).map((one) => one[figure]),
    base: pairs.base.slice(1).map((one) => one[figure]),
  });
  const what = `mlpredict, ${ROWS} rows of 4 features, a forest of 100 trees`;
  await bench.row({ what, against, unit: 'ms', aim: 1 }, 1, async () => of('wholeMs'));
  await bench.row({ what: 'the same, to the first rows', against, unit: 'ms' }, 1, async () => of('firstMs'));
  await bench.row({ what: 'the same, peak of memory', against, unit: 'MiB' }, 1, async () => of('peakMiB'));
}

/** Rows as the platform sends them, with fields that the model does not use. */
function executes(): Buffer[] {
  let seed = 1;
  const value = () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return ((seed / 2 ** 31) * 4 - 2).toFixed(6);
  };
  const line = (row: number) => `host-${row % 50},${FEATURES.map(value).join(',')},${1_700_000_000 + row}\n`;
  return Array.from({ length: ROWS / CHUNK_ROWS }, (_, index) => {
    const lines = Array.from({ length: CHUNK_ROWS }, (_, at) => line(index * CHUNK_ROWS + at));
    const finished = (index + 1) * CHUNK_ROWS === ROWS;
    return chunk({ action: 'execute', finished }, `host,${FEATURES.join(',')},_time\n${lines.join('')}`);
  });
}

/** Starts a command and sends a chunk after each answer, as the platform does. */
async function converse(
  command: string,
  args: string[],
  hello: Buffer,
  chunks: readonly Buffer[],
  env: NodeJS.ProcessEnv,
): Promise<Measured> {
  const began = performance.now();
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const answers = child.stdout[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  const answer = async () => {
    for (;;) {
      const { chunks: found, rest } = parseChunks(held);
      const [first] = found;
      if (first) {
        held = rest as Buffer<ArrayBuffer>;
        if ('error' in first.metadata) throw new Error(String(first.metadata.error));
        return first;
      }
      const next = await answers.next();
      if (next.done) throw new Error(`${command} ended early`);
      held = Buffer.concat([held, next.value as Buffer]);
    }
  };
  child.stdin.write(hello);
  await answer();
  let firstMs: number | undefined;
  for (const one of chunks) {
    child.stdin.write(one);
    const { body } = await answer();
    firstMs ??= performance.now() - began;
    if (!body.startsWith('host,a,b,c,d,_time,predicted(y)')) throw new Error(body.slice(0, 200));
  }
  const wholeMs = performance.now() - began;
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  child.stdin.end();
  await ended;
  return { wholeMs, firstMs: firstMs ?? wholeMs, peakMiB: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024 };
}

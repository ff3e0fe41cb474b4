import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SplunkdClient } from '../../src/adapters/splunkd/client.ts';
import { splunkdRecords } from '../../src/adapters/splunkd/stores/recordStore.ts';
import { hostClock } from '../../src/app/dependencies/clock.ts';
import { replaceDocuments } from '../../src/families/vector-stores/builtIn/storeDocuments.ts';
import type { StoreStored } from '../../src/families/vector-stores/definition.ts';
import { Catalogue, type StoreRecord } from '../../src/families/vector-stores/documents/catalogue.ts';
import { configure, gatewayPlatform, MOUNT } from '../../test/e2e/gateway/gatewayPlatform.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import { readBody, sendJson, startHttp } from '../../test/support/peers/listen.ts';
import { preparePython, pythonOf } from '../../test/support/programs/python.ts';
import { type Bench, leftOut } from '../bench.ts';
import { timed } from '../measure.ts';
import { Corpus } from './corpus.ts';

const PASSAGES = Number(process.env.ML_BENCH_PASSAGES ?? 50_000);
const DIMENSIONS = 768;
const RUNS = 100;
const RESULTS = 5;
/** Aims for a quiet machine with two cores; the time is without the embedding. */
const MOST_MS = 60;
const MOST_MIB = 250e6 / 2 ** 20;
const STORE = 'Bench';

/** A store in the platform beside libraries that people run, in one run. */
export async function knowledge(bench: Bench): Promise<void> {
  const corpus = new Corpus(PASSAGES, DIMENSIONS);
  const upstream = await startHttp(async (incoming, response) => {
    const { input } = JSON.parse(await readBody(incoming)) as { input: string | string[] };
    const data = [input].flat().map((text, index) => ({ index, embedding: [...corpus.vector(indexIn(text))] }));
    sendJson(response, 200, { object: 'list', model: 'm', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
  });
  const platform = await gatewayPlatform({ ML_TLS: '0' });
  const vectorsPath = join(platform.home, 'bench.f32');
  try {
    await configure(platform, 'up', upstream.url);
    await seed(platform, corpus);
    corpus.write(vectorsPath);
    const folder = join(platform.home, 'var/lib/ml_extension', `knowledge.${process.getuid?.()}`);
    const builds: number[] = [];
    for (let build = 0; build < 2; build += 1) {
      rmSync(folder, { recursive: true, force: true });
      builds.push(await timed(() => retrieve(platform, corpus, build, 'semantic')));
    }
    const bytes = sizeOf(folder);
    const mib = { what: 'BUILT_IN: files of a member', against: 'the limit', unit: 'MiB', aim: 1 } as const;
    bench.add(mib, { ours: [bytes / 2 ** 20], base: [(MOST_MIB * PASSAGES) / 50_000] });
    bench.add(
      { what: 'BUILT_IN: the file made anew from the KV store', against: 'the first time', unit: 'ms' },
      { ours: builds.slice(1), base: builds.slice(0, 1) },
    );
    await compare(bench, platform, corpus, await startPeer(vectorsPath));
  } finally {
    await platform.dispose();
    await upstream.close();
  }
}

type Peer = (engine: 'qdrant' | 'chroma' | 'numpy', index: number) => Promise<{ ms: number; ids: number[] }>;

async function compare(
  bench: Bench,
  platform: TestPlatform,
  corpus: Corpus,
  peer: (Peer & { close(): void }) | undefined,
): Promise<void> {
  const times: Record<'hybrid' | 'semantic' | 'embedding' | 'qdrant' | 'chroma' | 'numpy', number[]> = {
    ...{ hybrid: [], semantic: [], embedding: [], qdrant: [], chroma: [], numpy: [] },
  };
  const recalls = { ours: 0, qdrant: 0, chroma: 0 };
  for (let run = -3; run < RUNS; run += 1) {
    const index = ((run + 3) * 997) % PASSAGES;
    const exact = corpus.nearest(index, RESULTS);
    let found: number[] = [];
    const took = {
      hybrid: await timed(() => retrieve(platform, corpus, index, 'hybrid')),
      semantic: await timed(async () => {
        found = await retrieve(platform, corpus, index, 'semantic');
      }),
      embedding: await timed(() => embed(platform, corpus, index)),
    };
    if (run < 0) continue;
    for (const name of ['hybrid', 'semantic', 'embedding'] as const) times[name].push(took[name]);
    recalls.ours += recallOf(found, exact);
    for (const engine of peer ? (['qdrant', 'chroma', 'numpy'] as const) : []) {
      const { ms, ids } = (await peer?.(engine, index)) ?? { ms: 0, ids: [] };
      times[engine].push(ms);
      if (engine !== 'numpy') recalls[engine] += recallOf(ids, exact);
    }
  }
  peer?.close();
  if (recalls.ours !== RUNS) throw new Error(`The recall is ${recalls.ours / RUNS}, not 1`);
  process.stderr.write(`bench: recall: ours 1, qdrant ${recalls.qdrant / RUNS}, chroma ${recalls.chroma / RUNS}\n`);
  const size = `${PASSAGES} × ${DIMENSIONS}`;
  for (const type of ['hybrid', 'semantic'] as const)
    bench.add(
      {
        ...{ what: `BUILT_IN: ${type} retrieval with its embedding, ${size}, p95`, against: '60 ms', unit: 'ms' },
        ...{ figures: { ours: 'p95', base: 'p95' }, aim: 1 },
      },
      { ours: times[type], base: times[type].map(() => MOST_MS) },
    );
  bench.add(
    { what: 'BUILT_IN: semantic retrieval', against: 'its embedding alone', unit: 'ms' },
    { ours: times.semantic, base: times.embedding },
  );
  if (!peer) return;
  for (const [engine, against, aim] of [
    ['qdrant', "qdrant-client's local mode, exact", 1],
    ['chroma', 'chromadb, approximate', undefined],
    ['numpy', 'numpy alone', undefined],
  ] as const)
    bench.add(
      { what: `BUILT_IN: semantic retrieval, ${size}`, against, unit: 'ms', ...(aim ? { aim } : {}) },
      { ours: times.semantic, base: times[engine] },
    );
}

const recallOf = (found: readonly number[], exact: ReadonlySet<number>): number =>
  found.filter((id) => exact.has(id)).length / RESULTS;

/** The text of a query names its vector. */
const indexIn = (text: string): number => Number(/\bq(\d+)\b/.exec(text)?.[1] ?? 0);

async function retrieve(platform: TestPlatform, corpus: Corpus, index: number, search_type: string): Promise<number[]> {
  const body = { store: STORE, query: `${corpus.question(index)} q${index}`, number_of_results: RESULTS, search_type };
  const reply = await platform.call('anna', 'POST', `${MOUNT}/retrieve`, body);
  expectStatus(reply, 200, 'retrieval');
  return reply.json.result.map(({ id }: { id: string }) => Number(id));
}

async function embed(platform: TestPlatform, corpus: Corpus, index: number): Promise<void> {
  const body = { model: 'up/m', input: `${corpus.question(index)} q${index}` };
  expectStatus(await platform.call('anna', 'POST', `${MOUNT}/v1/embeddings`, body), 200, 'embedding');
}

/** Writes all documents as the gateway does, without the provider. */
async function seed(platform: TestPlatform, corpus: Corpus): Promise<void> {
  const details = { embedding_model: 'up/m' };
  const made = await platform.ml('anna', 'POST', '/vector_stores', { name: STORE, type: 'BUILT_IN', details });
  expectStatus(made, 200, 'store');
  const records = splunkdRecords(new SplunkdClient(platform.url), await platform.sessionKey('admin'));
  const log = { info() {}, warn() {}, error() {} };
  const stores = { records, clock: hostClock('bench'), newId: randomUUID, log };
  const [record] = await records.find<StoreRecord & StoreStored>('ml_vector_stores');
  const catalogue = new Catalogue(stores, record as StoreRecord);
  const took = await timed(async () => {
    for (let start = 0; start < PASSAGES; start += 500) {
      const count = Math.min(500, PASSAGES - start);
      const documents = Array.from({ length: count }, (_, index) => corpus.document(start + index));
      await replaceDocuments(catalogue, (record as StoreStored).details, documents);
    }
  });
  process.stderr.write(`bench: ${PASSAGES} documents of ${corpus.textBytes} bytes of text in ${took.toFixed(0)} ms\n`);
  process.stderr.write(`bench: the KV store has ${sizeOf(join(platform.home, 'var/lib/splunk'))} bytes\n`);
}

function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Undefined, with one note, if Python or its packages are missing. */
async function startPeer(vectors: string): Promise<(Peer & { close(): void }) | undefined> {
  const problem = await preparePython('knowledge');
  if (problem !== undefined) {
    leftOut('other stores', problem.split('\n').at(-1) ?? problem);
    return undefined;
  }
  const program = join(import.meta.dirname, '../python/neighbours.py');
  const args = [program, vectors, String(DIMENSIONS), String(RESULTS)];
  const child: ChildProcessWithoutNullStreams = spawn(pythonOf('knowledge'), args);
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await lines.next()).value));
  await next();
  const ask: Peer = (engine, index) => {
    child.stdin.write(`${engine} ${index}\n`);
    return next();
  };
  return Object.assign(ask, { close: () => child.stdin.end() });
}

import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { parallel } from '../../src/domain/async/parallel.ts';
import { boolean, wholeNumber } from '../../src/search/argumentTypes.ts';
import {
  type Command,
  type CommandParts,
  command as commandOf,
  SearchError,
  type Step,
} from '../../src/search/command.ts';
import { rowsOf as rowsOfTable } from '../../src/search/rows.ts';
import { serveCommand } from '../../src/search/serve.ts';
import { ManualClock } from '../support/memory/clock.ts';
import { type Chunk, chunk, parseChunks, rowsOf, searchinfo } from './peer.ts';

const unused = async () => expect.fail('not asked for');
const PARTS: CommandParts = {
  agents: unused,
  health: unused,
  usage: unused,
  catalogue: unused,
  gateway: unused,
  models: unused,
  runs: unused,
  clock: new ManualClock(),
};

/** Waits of the rows under way; each is let go by the test. */
let waiting: Map<string, () => void>;
let signals: AbortSignal[];
let chunks: [number, boolean][];

/** Only here: doubles `n`, four rows at a time, each when the test says so if `wait=true`. */
const double = commandOf({
  name: 'double',
  kind: 'streaming',
  arguments: { wait: boolean(''), factor: wholeNumber(0, 9, '') },
  fields: ['doubled'],
  help: { summary: '', description: '', examples: [], tags: '' },
  prepare({ wait = false, factor = 2 }) {
    if (factor === 0) throw new SearchError('factor must be more than 0');
    let count = 0;
    const step: Step = {
      async next(table, { isLast, signal }) {
        const rows = rowsOfTable(table);
        count += 1;
        chunks.push([rows.length, isLast]);
        signals.push(signal);
        const done = await parallel(rows, 4, async (row) => {
          if (row.n === 'bad') throw new SearchError('n must be a number');
          if (row.n === 'bug') throw new TypeError('canary of a bug');
          if (wait) await new Promise<void>((resolve) => waiting.set(String(row.n), resolve));
          return { ...row, doubled: Number(row.n) * factor };
        });
        return {
          rows: done,
          ...(isLast ? { messages: [['WARN', `${count} chunks`]] as const } : {}),
        };
      },
    };
    return { start: () => step };
  },
});

class Session {
  readonly input = new PassThrough();
  readonly #output = new PassThrough();
  #bytes = Buffer.alloc(0);
  readonly code: Promise<number>;

  constructor(args: string[] = [], command: Command = double) {
    this.#output.on('data', (bytes: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
    });
    this.code = serveCommand({ input: this.input, output: this.#output }, command, PARTS);
    this.input.write(chunk(searchinfo(args)));
  }

  /** The answer to getinfo is not counted. */
  async replies(count: number): Promise<Chunk[]> {
    for (;;) {
      const { chunks: all } = parseChunks(this.#bytes);
      if (all.length > count) return all.slice(1);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  get all(): Chunk[] {
    return parseChunks(this.#bytes).chunks;
  }

  execute(body: string, finished = false): void {
    this.input.write(chunk({ action: 'execute', finished }, body));
  }

  async end(): Promise<number> {
    this.input.end();
    return this.code;
  }
}

const numbered = (from: number, count: number) =>
  `"n","_chunked_idx","__mv_n"\n${Array.from({ length: count }, (_, at) => `${from + at},${at},\n`).join('')}`;

describe('a streaming command', () => {
  beforeEach(() => {
    waiting = new Map();
    signals = [];
    chunks = [];
  });

  it('requests all fields and transforms chunks in order', async () => {
    const session = new Session();
    for (const [at, size] of [3, 0, 2500, 1].entries()) {
      session.execute(size === 0 ? '' : numbered(at * 10_000, size), at === 3);
      await session.replies(at + 1);
    }
    expect(await session.end()).to.equal(0);
    const [getinfo, ...replies] = session.all;
    expect(getinfo).to.deep.equal({ metadata: { type: 'stateful', required_fields: ['*'] }, body: '' });
    expect(replies.map(({ metadata }) => metadata)).to.deep.equal([
      { finished: false },
      { finished: false },
      { finished: false },
      { finished: true, inspector: { messages: [['WARN', '4 chunks']] } },
    ]);
    expect(chunks).to.deep.equal([
      [3, false],
      [0, false],
      [2500, false],
      [1, true],
    ]);
    const rows = replies.flatMap(({ body }) => rowsOf(body));
    expect(rows).to.have.length(2504);
    expect(rows[0]).to.deep.equal({ n: '0', _chunked_idx: '0', doubled: '0' });
    expect(rows.map(({ n, doubled }) => Number(doubled) - 2 * Number(n)).every((one) => one === 0)).to.equal(true);
    expect(rows.map(({ n }) => Number(n))).to.deep.equal(rows.map(({ n }) => Number(n)).toSorted((a, b) => a - b));
    expect(replies[1]?.body).to.equal('');
  });

  it('processes rows in parallel and keeps their order', async () => {
    const session = new Session(['wait=true']);
    session.execute(numbered(0, 6), true);
    while (waiting.size < 4) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([...waiting.keys()]).to.deep.equal(['0', '1', '2', '3']);
    for (const n of ['3', '2']) waiting.get(n)?.();
    while (waiting.size < 6) await new Promise((resolve) => setImmediate(resolve));
    for (const n of ['5', '4', '1', '0']) waiting.get(n)?.();
    const [reply] = await session.replies(1);
    expect(rowsOf(reply?.body ?? '').map(({ n }) => n)).to.deep.equal(['0', '1', '2', '3', '4', '5']);
    expect(await session.end()).to.equal(0);
  });

  it('reads the next chunk only after replying to the previous one', async () => {
    const session = new Session(['wait=true']);
    session.execute(numbered(0, 1));
    session.execute(numbered(1, 1), true);
    while (waiting.size < 1) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(chunks).to.deep.equal([[1, false]]);
    waiting.get('0')?.();
    await session.replies(1);
    while (waiting.size < 2) await new Promise((resolve) => setImmediate(resolve));
    waiting.get('1')?.();
    await session.replies(2);
    expect(await session.end()).to.equal(0);
  });

  it('stops at the end of the input and aborts work in progress', async () => {
    const session = new Session(['wait=true']);
    session.execute(numbered(0, 8));
    while (waiting.size < 4) await new Promise((resolve) => setImmediate(resolve));
    expect(signals[0]?.aborted).to.equal(false);
    expect(await session.end()).to.equal(0);
    expect(signals[0]?.aborted).to.equal(true);
    expect(session.all).to.have.length(1);
  });

  it('holds no result longer than it needs it', async () => {
    const results: WeakRef<object>[] = [];
    const columns = commandOf({
      name: 'columns',
      kind: 'streaming',
      arguments: {},
      fields: [],
      help: { summary: '', description: '', examples: [], tags: '' },
      prepare: () => ({
        start: () => ({
          next: async () => {
            const added = { columns: new Map([['x', ['1']]]) };
            results.push(new WeakRef(added));
            return added;
          },
        }),
      }),
    });
    const session = new Session([], columns);
    for (let at = 1; at <= 20; at += 1) {
      session.execute('n\n1\n');
      await session.replies(at);
    }
    setFlagsFromString('--expose-gc');
    await new Promise((resolve) => setImmediate(resolve));
    runInNewContext('gc')();
    // The last may be on the stack.
    expect(results.filter((result) => result.deref()).length).to.be.at.most(2);
    expect(await session.end()).to.equal(0);
  });

  it('prepares for rows before they are read, not for a chunk without any', async () => {
    const calls: string[] = [];
    const command = commandOf({
      name: 'columns',
      kind: 'streaming',
      arguments: {},
      fields: [],
      help: { summary: '', description: '', examples: [], tags: '' },
      prepare: () => ({
        start: () => ({
          prepare: () => void calls.push('prepare'),
          async next({ count }) {
            calls.push(`next ${count}`);
            return { columns: new Map() };
          },
          end: async () => void calls.push('end'),
        }),
      }),
    });
    const session = new Session([], command);
    session.execute('');
    await session.replies(1);
    expect(calls).to.deep.equal(['next 0']);
    const bytes = chunk({ action: 'execute', finished: true }, 'n\n1\n');
    session.input.write(bytes.subarray(0, -4));
    while (calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    session.input.write(bytes.subarray(-4));
    await session.replies(2);
    expect(await session.end()).to.equal(0);
    expect(calls).to.deep.equal(['next 0', 'prepare', 'next 1', 'end']);
  });

  it('refuses wrong arguments in its answer to getinfo', async () => {
    for (const [args, error] of [
      ['factor=0', 'factor must be more than 0'],
      ['wait=perhaps', 'wait must be true or false, not perhaps'],
      ['size=1', 'Unknown argument size: use wait, factor'],
    ] as const) {
      const session = new Session([args]);
      expect(await session.end()).to.equal(0);
      expect(session.all.map(({ metadata }) => metadata)).to.deep.equal([{ finished: true, error }]);
    }
  });

  it('fails the search with its error but hides unexpected errors', async () => {
    for (const [n, error, code] of [
      ['bad', 'n must be a number', 0],
      ['bug', 'Something went wrong inside the command (TypeError)', 1],
    ] as const) {
      const session = new Session();
      session.execute(`n\n1\n${n}\n`);
      expect((await session.replies(1))[0]?.metadata).to.deep.equal({ finished: true, error });
      expect(await session.end()).to.equal(code);
    }
  });

  it('fails the search when rows cannot be read', async () => {
    const session = new Session();
    session.execute('n\n"1');
    const [reply] = await session.replies(1);
    expect(reply?.metadata.error).to.include('The rows of a chunk cannot be read');
    expect(await session.end()).to.equal(1);
  });
});

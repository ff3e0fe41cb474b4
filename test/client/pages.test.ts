import { expect } from 'chai';
import { type MlExtension, MlExtensionError, TransportError } from '../../client/src/index.ts';
import { json, Peer, refusal, rejection } from './peer.ts';

interface Named {
  name: string;
}

/** A list of the app that changes between the pages. */
class List {
  names: string[];
  /** Requested pages: offset and count. */
  readonly pages: [number, number][] = [];
  /** Called after each page with its number. */
  between: (page: number) => void = () => undefined;

  constructor(size: number) {
    this.names = Array.from({ length: size }, (_, n) => nameOf(n));
  }

  serve(): Promise<Peer> {
    return Peer.start((response, { query }) => {
      const [offset, count] = [Number(query.get('offset')), Number(query.get('count'))];
      this.pages.push([offset, count]);
      json(response, page(this.names, offset, count));
      this.between(this.pages.length);
    });
  }

  add(...names: string[]): void {
    this.names = [...this.names, ...names].sort();
  }

  remove(...gone: number[]): void {
    const names = new Set(gone.map(nameOf));
    this.names = this.names.filter((name) => !names.has(name));
  }
}

const nameOf = (n: number) => `n${String(n).padStart(6, '0')}`;

function page(names: readonly string[], offset: number, count: number) {
  const result = names.slice(offset, offset + count).map((name) => ({ name }));
  const next = offset + result.length;
  const total = names.length;
  const has_more = next < total;
  const pagination = { offset, count, total, returned: result.length, has_more, next_offset: has_more ? next : null };
  return { status: 'success', result, pagination };
}

async function read(list: List, pageSize = 10): Promise<string[]> {
  await using peer = await list.serve();
  return await namesOf(peer.client().each('listMcpConnections', {}, { pageSize }));
}

async function namesOf(all: AsyncIterable<Named>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of all) names.push(name);
  return names;
}

describe('typed client: pages', () => {
  for (const size of [0, 1, 9, 10, 11, 19, 20, 21, 100]) {
    it(`yields each of ${size} entries once`, async () => {
      const list = new List(size);
      expect(await read(list)).to.deep.equal(list.names);
      expect(list.pages.length).to.equal(Math.max(1, Math.ceil(size / 10)));
    });
  }

  it('works with one entry a page and with all in one', async () => {
    const list = new List(7);
    expect(await read(list, 1)).to.deep.equal(list.names);
    expect(await read(list, 1000)).to.deep.equal(list.names);
    expect(list.pages.at(-1)).to.deep.equal([0, 1000]);
  });

  it('sends parameters and filters, with pages of 100 entries by default', async () => {
    await using peer = await Peer.start((response) => json(response, page([], 0, 1)));
    const params = { experiment_id: 'e' };
    const query = { search: 'x', sort_dir: 'asc', action: 'train' } as const;
    for await (const _ of peer.client().each('listExperimentHistory', { params, query }));
    const [call] = peer.calls;
    expect(call?.path).to.match(/\/experiments\/e\/history$/);
    const asked = { search: 'x', sort_dir: 'asc', action: 'train', offset: '0', count: '100', output_mode: 'json' };
    expect(Object.fromEntries(call?.query ?? [])).to.deep.equal(asked);
  });

  it('continues after a page that the server cut short', async () => {
    const list = new List(50);
    await using peer = await Peer.start((response, { query }) =>
      json(response, page(list.names, Number(query.get('offset')), Math.min(7, Number(query.get('count'))))),
    );
    expect(await namesOf(peer.client().each('listMcpConnections'))).to.deep.equal(list.names);
  });

  it('reads a list without pagination', async () => {
    const result = [
      { connection_type: 'llm', Provider: 'p', 'Connection Name': 'c', Model: 'a' },
      { connection_type: 'llm', Provider: 'p', 'Connection Name': 'c', Model: 'b' },
      { connection_type: 'docker', connection_name: 'c' },
      { connection_type: 'kubernetes', connection_name: 'c' },
    ];
    await using peer = await Peer.start((response) => json(response, { status: 'success', result }));
    const found = [];
    for await (const entry of peer.client().each('listConnections')) found.push(entry);
    expect(found).to.deep.equal(result);
  });

  it('stops calling when the consumer stops', async () => {
    const list = new List(100);
    await using peer = await list.serve();
    for await (const { name } of peer.client().each('listMcpConnections', {}, { pageSize: 10 }))
      if (name === nameOf(12)) break;
    expect(list.pages).to.have.length(2);
  });

  it('makes no call before the first entry is requested', async () => {
    const list = new List(100);
    await using peer = await list.serve();
    const all = peer.client().each('listMcpConnections');
    expect(list.pages).to.have.length(0);
    await all.next();
    expect(list.pages).to.have.length(1);
  });

  it('ends on abort, even within a page', async () => {
    const list = new List(100);
    await using peer = await list.serve();
    const aborting = new AbortController();
    const { signal } = aborting;
    const seen: string[] = [];
    const all = (async () => {
      for await (const { name } of peer.client().each('listMcpConnections', {}, { signal, pageSize: 10 })) {
        seen.push(name);
        if (seen.length === 13) aborting.abort();
      }
    })();
    expect(await rejection(all)).to.equal(signal.reason);
    expect([seen.length, list.pages.length]).to.deep.equal([13, 2]);
  });

  it('throws a failure where it occurs', async () => {
    const list = new List(100);
    await using peer = await Peer.start((response, { query }, number) => {
      if (number === 3) return json(response, refusal('store_unavailable'), 503);
      return json(response, page(list.names, Number(query.get('offset')), Number(query.get('count'))));
    });
    const seen: string[] = [];
    const all = (async () => {
      for await (const { name } of peer.client().each('listMcpConnections', {}, { pageSize: 10 })) seen.push(name);
    })();
    expect(await rejection(all)).to.be.instanceOf(MlExtensionError);
    expect(seen).to.have.length(20);
  });

  it('refuses an invalid page size', async () => {
    await using peer = await Peer.start(() => undefined);
    for (const pageSize of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => peer.client().each('listMcpConnections', {}, { pageSize }), String(pageSize)).to.throw(RangeError);
    }
  });
});

describe('typed client: pages of a list that changes', () => {
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

  it('yields no entry twice when others are inserted before', async () => {
    const list = new List(50);
    const before = list.names;
    list.between = (n) => n === 2 && list.add(...numbers(0, 25).map((each) => `a${each}`));
    // New entries may appear or not.
    expect((await read(list)).filter((name) => !name.startsWith('a'))).to.deep.equal(before);
  });

  for (const gone of [1, 5, 8, 9, 10, 19]) {
    it(`misses no entry when ${gone} earlier ones are deleted`, async () => {
      const list = new List(50);
      const before = list.names;
      list.between = (n) => n === 2 && list.remove(...numbers(0, gone));
      expect(await read(list)).to.deep.equal(before);
    });
  }

  it('misses no entry when all earlier ones are deleted', async () => {
    const list = new List(1000);
    const before = list.names;
    list.between = (n) => n === 50 && list.remove(...numbers(0, 500));
    expect(await read(list)).to.deep.equal(before);
  });

  it('misses no entry when the list shrinks below the offset', async () => {
    const list = new List(30);
    const before = list.names;
    list.between = (n) => n === 2 && list.remove(...numbers(0, 20));
    expect(await read(list)).to.deep.equal(before);
    const emptied = new List(30);
    emptied.between = (n) => n === 2 && emptied.remove(...numbers(0, 30));
    expect(await read(emptied)).to.deep.equal(before.slice(0, 20));
  });

  it('yields each permanent entry once under any changes', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const list = new List(120);
      let state = seed;
      const random = (below: number) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % below;
      };
      const all = list.names;
      const gone = new Set<string>();
      list.between = (n) => {
        // The list must not grow faster than it is read.
        if (n > 60 || random(3) === 0) return;
        for (const n of numbers(0, random(6)).map(() => random(120))) {
          gone.add(nameOf(n));
          list.remove(n);
        }
        list.add(...numbers(0, random(6)).map(() => `n${String(random(120)).padStart(6, '0')}-${random(1e9)}`));
      };
      const seen = await read(list, 1 + random(20));
      expect(new Set(seen).size, `seed ${seed}`).to.equal(seen.length);
      expect(
        all.filter((name) => !gone.has(name) && !seen.includes(name)),
        `seed ${seed}`,
      ).to.deep.equal([]);
    }
  });
});

describe('typed client: inconsistent pagination', () => {
  const more = (pagination: object) => ({
    offset: 0,
    count: 10,
    returned: 10,
    total: 1000,
    has_more: true,
    ...pagination,
  });

  async function reading(
    answer: (offset: number, number: number) => object,
  ): Promise<{ calls: number; error: unknown }> {
    await using peer = await Peer.start((response, { query }, number) =>
      json(response, { status: 'success', ...answer(Number(query.get('offset')), number) }),
    );
    const all = (ml: MlExtension) => namesOf(ml.each('listMcpConnections', {}, { pageSize: 10 }));
    const error = await rejection(all(peer.client()));
    return { calls: peer.calls.length, error };
  }
  const tenFrom = (start: number) => Array.from({ length: 10 }, (_, n) => ({ name: `${start + n}` }));

  const LIES: [string, (offset: number, number: number) => object][] = [
    ['the same page for ever', () => ({ result: tenFrom(0), pagination: more({ next_offset: 10 }) })],
    [
      'the same page for ever, of a list that grows',
      (offset) => ({ result: tenFrom(0), pagination: more({ next_offset: offset + 10, total: offset + 1000 }) }),
    ],
    [
      'other entries each time, of a list that does not grow',
      (offset, number) => ({ result: tenFrom(number * 10), pagination: more({ next_offset: offset + 10 }) }),
    ],
    ['no entries, and still more', (offset) => ({ result: [], pagination: more({ next_offset: offset + 10 }) })],
  ];
  for (const [what, answer] of LIES) {
    it(`fails on ${what}`, async () => {
      const { calls, error } = await reading(answer);
      expect(error).to.be.instanceOf(TransportError);
      expect(error).to.include({ problem: 'unexpected_answer', operation: 'listMcpConnections' });
      expect((error as Error).message).to.match(/^The list does not end/);
      expect(calls).to.be.below(200);
    });
  }

  const NOWHERE: [string, object][] = [
    ['nowhere', { next_offset: null }],
    ['back', { next_offset: 0 }],
    ['behind its end', { next_offset: 2000 }],
  ];
  for (const [where, pagination] of NOWHERE) {
    it(`fails on a list that continues ${where}`, async () => {
      const { calls, error } = await reading(() => ({ result: tenFrom(0), pagination: more(pagination) }));
      expect((error as Error).message).to.match(/^The pagination of the list is inconsistent: /);
      expect(calls).to.equal(1);
    });
  }

  it('yields each entry of overlapping pages once', async () => {
    await using peer = await Peer.start((response, { query }) => {
      const offset = Number(query.get('offset'));
      const result = tenFrom(Math.max(0, offset - 3)).filter(({ name }) => Number(name) < 30);
      const end = Math.min(30, offset + 7);
      const pagination = more({ total: 30, next_offset: end, has_more: end < 30 });
      json(response, { status: 'success', result, pagination });
    });
    const seen = await namesOf(peer.client().each('listMcpConnections', {}, { pageSize: 10 }));
    expect(seen).to.deep.equal(Array.from({ length: 30 }, (_, n) => `${n}`));
  });
});

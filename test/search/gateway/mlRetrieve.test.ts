import { expect } from 'chai';
import { mlRetrieve } from '../../../src/search/gateway/mlRetrieve.ts';
import type { Row } from '../../../src/search/rows.ts';
import { FakeGateway, failed, type Item, runCommand, searchErrorOf } from './fakeGateway.ts';

type Json = Record<string, unknown>;

const found = (...passages: Json[]): Json => ({ status: 'done', response: { result: passages } });
const passage = (rank: number, more: Json = {}): Json => ({
  rank,
  id: `d${rank}`,
  text: `text ${rank}`,
  score: 1 / rank,
  source: { type: 's3', uri: `s3://docs/${rank}` },
  metadata: {},
  ...more,
});
const NO_ERROR = { retrieved_error: '', retrieved_error_message: '' };
const NOTHING = {
  ...{ retrieved: '', 'retrieved.rank': '', 'retrieved.score': '', 'retrieved.id': '' },
  ...{ 'retrieved.source': '', 'retrieved.uri': '' },
};
const numbered = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, at) => ({ n: String(from + at), other: 'kept', _chunked_idx: String(at) }));
const queryOf = (item: Item): string => (item as Json).query as string;

describe('mlretrieve', () => {
  let gateway: FakeGateway;
  beforeEach(() => {
    gateway = new FakeGateway();
    gateway.answer = (item) => found(passage(1, { text: `about ${queryOf(item)}` }), passage(2));
  });
  const run = (args: string, ...chunks: (readonly Row[])[]) => runCommand(mlRetrieve, args, chunks, gateway);
  const error = (args: string, ...chunks: (readonly Row[])[]) => searchErrorOf(run(args, ...chunks));

  it('adds the passages of a row as multivalue fields', async () => {
    const { rows, warnings } = await run('store=Runbooks query="What is {n}?" count=2', [{ n: '7', other: 'kept' }]);
    expect(rows).to.deep.equal([
      {
        n: '7',
        other: 'kept',
        retrieved: ['about What is 7?', 'text 2'],
        'retrieved.rank': ['1', '2'],
        'retrieved.score': ['1', '0.5'],
        'retrieved.id': ['d1', 'd2'],
        'retrieved.source': ['s3', 's3'],
        'retrieved.uri': ['s3://docs/1', 's3://docs/2'],
        ...NO_ERROR,
      },
    ]);
    expect(warnings).to.deep.equal([]);
    const [{ operation, common, items, dedup } = expect.fail()] = gateway.requests;
    expect({ operation, common: JSON.parse(JSON.stringify(common)), items, dedup }).to.deep.equal({
      operation: 'retrieve',
      common: { store: 'Runbooks', number_of_results: 2 },
      items: [{ id: '0', query: 'What is 7?' }],
      dedup: false,
    });
  });

  it('keeps what belongs to one passage at the same place, whatever others lack', async () => {
    gateway.answer = () => found(passage(1, { id: undefined, source: {} }), { rank: 2, text: '' }, passage(3));
    const { rows } = await run('store=s query="{n}"', numbered(1));
    expect(rows[0]).to.include.keys('retrieved.source');
    expect(
      ['retrieved', 'retrieved.id', 'retrieved.uri', 'retrieved.score'].map((name) => rows[0]?.[name]),
    ).to.deep.equal([
      ['text 1', '', 'text 3'],
      ['', '', 'd3'],
      ['', '', 's3://docs/3'],
      ['1', '', String(1 / 3)],
    ]);
    gateway.answer = () => found({ rank: 1, text: 'only a text', source: {} });
    const bare = await run('store=s query="{n} again"', numbered(1));
    expect(bare.rows[0]).to.deep.include({ retrieved: 'only a text', 'retrieved.id': '', 'retrieved.uri': '' });
  });

  it('makes a row of each passage with expand=true, in the order of the rows of all chunks', async () => {
    gateway.answer = (item) =>
      found(...Array.from({ length: Number(queryOf(item)) % 4 }, (_, at) => passage(at + 1, { text: queryOf(item) })));
    const chunks = [numbered(3), [], numbered(250, 3), numbered(1, 253)];
    const { rows, outputs } = await run('store=s query="{n}" expand=true output=hit', ...chunks);
    const expected = chunks.flat().flatMap(({ n }) => {
      const count = Number(n) % 4;
      return count === 0 ? [[n, '', '']] : Array.from({ length: count }, (_, at) => [n, n, at + 1]);
    });
    expect(rows.map((row) => [row.n, row.hit, row['hit.rank']])).to.deep.equal(expected);
    expect(rows.every(({ other, hit_error }) => other === 'kept' && hit_error === '')).to.equal(true);
    expect(outputs.map((output) => output.rows.length)).to.deep.equal([4, 0, expected.length - 5, 1]);
  });

  it('has empty fields in rows that fail', async () => {
    gateway.answer = (item) => (queryOf(item) === '1' ? failed('kb_not_active') : found());
    const rows = numbered(2);
    const kept = await run('store=s query="{n}" expand=true', rows);
    expect(kept.rows).to.deep.equal([
      { ...rows[0], ...NOTHING, ...NO_ERROR },
      {
        ...rows[1],
        ...NOTHING,
        retrieved_error: 'kb_not_active',
        retrieved_error_message: 'about kb_not_active',
      },
    ]);
    expect(kept.warnings).to.deep.equal(['WARN mlretrieve: 1 row failed: kb_not_active 1']);
  });

  it('names a wrong option and what it takes', async () => {
    for (const [args, message] of [
      ['query="{n}"', /store/],
      ['store=s', /query/],
      ['store=s query=" "', /query must not be empty/],
      ['store=s query=x count=0', /count must be a whole number from 1 to 100/],
      ['store=s query=x expand=maybe', /expand must be true or false/],
      ['store=s query=x output="a b"', /output must be the name of a field/],
      ['store=s query=x parallel=17', /parallel must be a whole number from 1 to 16/],
      ['store=s query=x dryrun=true', /dryrun/],
    ] as const) {
      expect(await error(args, numbered(1)), args).to.match(message);
    }
    expect(gateway.requests).to.deep.equal([]);
  });

  it('takes an answer that is not one for nothing found', async () => {
    for (const response of [{}, { result: 'x' }, { result: [] }]) {
      gateway.answer = () => ({ status: 'done', response });
      const { rows } = await run('store=s query="{n}" expand=true', [{ n: JSON.stringify(response) }]);
      expect(rows).to.deep.equal([{ n: JSON.stringify(response), ...NOTHING, ...NO_ERROR }]);
    }
  });
});

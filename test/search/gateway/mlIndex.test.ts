import { expect } from 'chai';
import type { ApiAnswer } from '../../../src/ports/platform/ownApi.ts';
import { mlIndex } from '../../../src/search/gateway/documents/mlIndex.ts';
import type { Row } from '../../../src/search/rows.ts';
import { FakeGateway, runCommand } from './fakeGateway.ts';

type Json = Record<string, unknown>;

/** A gateway with one store; answers as the test says. */
class IndexGateway extends FakeGateway {
  readonly stored = new Map<string, Json>();
  readonly pieces: (readonly string[])[] = [];
  underWay = 0;
  most = 0;
  answerTo: (ids: readonly string[], count: number) => ApiAnswer | undefined = () => undefined;
  fails: (document: Json) => string | undefined = () => undefined;

  override indexDocuments = async (store: string, documents: readonly Json[]): Promise<ApiAnswer> =>
    this.#work(
      store,
      documents.map(({ id }) => String(id)),
      () => {
        const failed = documents.flatMap((document) => {
          const error_code = this.fails(document);
          if (error_code === undefined) this.stored.set(String(document.id), document);
          return error_code === undefined ? [] : [{ id: document.id, error_code, message: `about ${error_code}` }];
        });
        return { indexed: documents.length - failed.length, failed };
      },
    );

  override deleteDocuments = async (store: string, ids: readonly string[]): Promise<ApiAnswer> =>
    this.#work(store, ids, () => ({ deleted: ids.filter((id) => this.stored.delete(id)).length }));

  async #work(store: string, ids: readonly string[], work: () => Json): Promise<ApiAnswer> {
    expect(store).to.equal('Manuals');
    this.pieces.push(ids);
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    await (this.durationMs > 0 ? this.clock.sleep(this.durationMs) : new Promise(setImmediate));
    this.underWay -= 1;
    return this.answerTo(ids, this.pieces.length) ?? { status: 200, body: work() };
  }
}

const ARGS = 'store=Manuals id="{name}" text="{text}"';
const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}`, text: `Text ${index}`, code: `${index}` }));
const errorsOf = (rows: readonly Row[]) => rows.map(({ index_error: code }) => code);

describe('mlindex', () => {
  let gateway: IndexGateway;
  const run = (args: string, ...chunks: Row[][]) => runCommand(mlIndex, args, chunks, gateway);
  const message = (args: string, ...chunks: Row[][]): Promise<string> =>
    run(args, ...chunks).then(
      () => 'no error',
      (error: Error) => error.message,
    );
  beforeEach(() => {
    gateway = new IndexGateway();
  });

  it('writes each row, in pieces, and passes the rows on as they were', async () => {
    const chunks = [rowsOf(250), rowsOf(3).map((row) => ({ ...row, name: `m${row.name}` }))];
    const { rows, warnings } = await run(ARGS, ...chunks);
    expect(rows).to.deep.equal(chunks.flat().map((row) => ({ ...row, index_error: '', index_error_message: '' })));
    expect([gateway.stored.size, warnings]).to.deep.equal([253, []]);
    expect(gateway.stored.get('n7')).to.deep.equal({ id: 'n7', text: 'Text 7' });
    expect(gateway.pieces.map(({ length }) => length)).to.deep.equal([250, 3]);
  });

  it('keeps metadata as texts, lists of them, and leaves out what a row lacks', async () => {
    const row = { name: 'a', text: 'x', code: '007', size: 12, tags: ['x', 'y'], none: '' };
    await run(`${ARGS} metadata="code, size,tags,none,other"`, [row]);
    expect(gateway.stored.get('a')?.metadata).to.deep.equal({ code: '007', size: '12', tags: ['x', 'y'] });
  });

  it('deletes with delete=true', async () => {
    gateway.stored.set('n1', {});
    const { rows } = await run('store=Manuals id="{name}" delete=true', rowsOf(2));
    expect([gateway.stored.size, errorsOf(rows)]).to.deep.equal([0, ['', '']]);
    expect(gateway.pieces).to.deep.equal([['n0', 'n1']]);
  });

  it('writes rows with one id one after the other, so that the last stays', async () => {
    gateway.durationMs = 5;
    const texts = ['first', 'other', 'first', 'last'];
    const rows = texts.map((text, index) => ({ name: index === 1 ? 'b' : 'a', text }));
    await run(ARGS, rows);
    expect(gateway.pieces).to.deep.equal([['a', 'b'], ['a'], ['a']]);
    expect(gateway.stored.get('a')?.text).to.equal('last');
  });

  it('sends small requests where texts are large, and one large text alone', async () => {
    const rows = [10, 150_000, 150_000, 900_000, 10].map((length, index) => ({
      name: `${index}`,
      text: 'x'.repeat(length),
    }));
    await run(`${ARGS} parallel=1`, rows);
    expect(gateway.pieces.map((ids) => ids.join())).to.deep.equal(['0,1', '2', '3', '4']);
  });

  it('fails rows alone: by the gateway, without a value, too large, or beyond max_rows', async () => {
    gateway.fails = ({ id }) => (id === 'n1' ? 'bad_request' : undefined);
    const odd: Row[] = [
      { name: 'x'.repeat(257), text: 'a', code: '' },
      { name: 'y', text: 'a'.repeat(1_000_001), code: '' },
      { name: 'z', text: 'a', code: 'c'.repeat(17_000) },
      { name: 'w', text: '', code: '' },
    ];
    const { rows, warnings } = await run(`${ARGS} metadata=code max_rows=6`, [...rowsOf(2), ...odd, ...rowsOf(1)]);
    expect(errorsOf(rows)).to.deep.equal([
      ...['', 'bad_request', 'validation_failed', 'validation_failed', 'validation_failed'],
      ...['missing_field', 'max_rows'],
    ]);
    expect(rows[1]?.index_error_message).to.equal('about bad_request');
    expect(warnings[0]).to.include('bad_request 1').and.include('validation_failed 3');
    expect([...gateway.stored.keys()]).to.deep.equal(['n0']);
    gateway.fails = ({ id }) => (id === 'n1' ? 'bad_request' : undefined);
    expect(await message(`${ARGS} on_error=fail`, rowsOf(3))).to.include('bad_request');
  });

  it('sends again what may be, fails rows where that is no use, and the search where nothing can be done', async () => {
    const busy = { status: 429, body: { error_code: 'too_many_requests', message: 'busy' }, retryAfter: 1 };
    gateway.answerTo = (_, count) => (count < 3 ? busy : undefined);
    expect(errorsOf((await run(ARGS, rowsOf(2))).rows)).to.deep.equal(['', '']);
    gateway.answerTo = (ids) =>
      ids.includes('n0') ? { status: 502, body: { error_code: 'auth_failed', message: 'no key' } } : undefined;
    expect(errorsOf((await run(ARGS, rowsOf(1), rowsOf(2).slice(1))).rows)).to.deep.equal(['auth_failed', '']);
    for (const [status, error_code] of [
      [404, 'not_found'],
      [403, 'acl_denied'],
      [400, 'not_supported'],
      [429, 'limit_exceeded'],
    ] as const) {
      gateway.answerTo = () => ({ status, body: { error_code, message: 'about it' } });
      expect(await message(ARGS, rowsOf(2))).to.equal(`about it (${error_code})`);
    }
    gateway.answerTo = () => busy;
    expect(await message(`${ARGS} timeout=3`, rowsOf(1))).to.include('timeout=3');
  });

  it('asks nothing more once the search is cancelled', async () => {
    gateway.durationMs = 400;
    const controller = new AbortController();
    gateway.answerTo = () => {
      controller.abort(new Error('cancelled'));
      return undefined;
    };
    const end = await runCommand(mlIndex, ARGS, [rowsOf(2000)], gateway, controller.signal).catch(String);
    expect(end).to.include('cancelled');
    expect(gateway.pieces.length).to.be.at.most(4);
  });

  it('names wrong options', async () => {
    expect(await message('store=Manuals id="{name}"', rowsOf(1))).to.include('text is missing');
    expect(await message(`${ARGS} delete=true`, rowsOf(1))).to.include('delete=true');
    expect(await message('id="{name}" text="x"', rowsOf(1))).to.include('store');
    expect(await message(`${ARGS} metadata=index_error`, rowsOf(1))).to.include('index_error');
    expect(await message(`${ARGS} metadata=" , "`, rowsOf(1))).to.include('metadata');
  });
});

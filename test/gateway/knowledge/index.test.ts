import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { makeStore } from '../operations/passagePeer.ts';
import { embedding, inputsOf, MemoryStore, storeApp, usesOf } from './storeApp.ts';

const DISK = {
  id: 'disk.md',
  text: '# Disk full\n\nDelete old logs.',
  metadata: { team: 'storage', tags: ['a', 1, true] },
};
const WEB = { id: 'web.md', text: 'Restart nginx.' };

describe('documents through the gateway', () => {
  const store = new MemoryStore();
  let app: MemoryApp;
  const index = (documents: Json[], more: Json = {}, user = 'writer') =>
    app.call(user, 'POST', '/ai_gateway/index', { store: 'Manuals', documents, ...more });
  const remove = (body: Json, user = 'writer') =>
    app.call(user, 'POST', '/ai_gateway/index/delete', { store: 'Manuals', ...body });
  beforeEach(async () => {
    app = await storeApp();
  });

  it('are cut, embedded and written, each in place of what its id had', async () => {
    const { status, json } = await index([DISK, WEB]);
    expect([status, json]).to.deep.equal([
      200,
      {
        status: 'success',
        message: json.message,
        ...{ indexed: 2, passages: 2, failed: [], usage: { prompt_tokens: 4, total_tokens: 4 } },
      },
    ]);
    expect(app.llm.calls.map(inputsOf)).to.deep.equal([[DISK.text, WEB.text]]);
    expect(store.passages).to.deep.equal([DISK.text, WEB.text]);
    expect(store.documents.get('disk.md')?.metadata).to.deep.equal(DISK.metadata);
    await index([{ ...WEB, text: 'Restart apache.' }]);
    expect(store.passages).to.deep.equal([DISK.text, 'Restart apache.']);
    const found = await app.call('reader', 'POST', '/ai_gateway/retrieve', { store: 'Manuals', query: 'disk is full' });
    expect([found.status, found.json.result[0].id, found.json.result[0].source]).to.deep.equal([
      200,
      'disk.md',
      { type: 'built_in', uri: 'disk.md' },
    ]);
  });

  it('are embedded with the headings above each passage, which are not written with it', async () => {
    const text = '# Disk\n\nIntro.\n\n## Full\n\nDelete old logs.';
    await index([{ id: 'disk.md', text }]);
    const passages = ['# Disk\n\nIntro.', '## Full\n\nDelete old logs.'];
    expect(app.llm.calls.map(inputsOf)).to.deep.equal([[passages[0], `Disk\n${passages[1]}`]]);
    expect(store.passages).to.deep.equal(passages);
    expect(store.documents.get('disk.md')?.passages.map(({ context }) => context)).to.deep.equal(['', 'Disk']);
  });

  it('are cut as the store says', async () => {
    app = await storeApp({ chunk_tokens: 20, overlap_tokens: 0 });
    const text = Array.from({ length: 9 }, (_, at) => `Sentence number ${at} of a long text.`).join(' ');
    const { json } = await index([{ id: 'a', text }]);
    expect([json.indexed, json.passages]).to.deep.equal([1, store.passages.length]);
    expect(store.passages.join(' ')).to.equal(text);
  });

  it('need the right to write the store, not the right to use its model', async () => {
    const outcome = async (user: string, name: string) => {
      const { status, json } = await index([DISK], { store: name }, user);
      return [status, json.error_code];
    };
    await makeStore(app, 'Cloud', { sharing: 'app', perms: { read: ['*'], write: ['writers'] } });
    expect(await outcome('writer', 'nowhere')).to.deep.equal([404, 'not_found']);
    expect(await outcome('reader', 'Manuals')).to.deep.equal([403, 'acl_denied']);
    expect(await outcome('writer', 'Cloud')).to.deep.equal([400, 'not_supported']);
    expect((await remove({ all: true }, 'reader')).json.error_code).to.equal('acl_denied');
    expect(
      (await app.call('writer', 'POST', '/ai_gateway/v1/embeddings', { model: 'up/embed', input: 'x' })).status,
    ).to.equal(404);
    expect(await outcome('writer', 'Manuals')).to.deep.equal([200, undefined]);
    app.settings.stanzas = { feature_flags: { vector_stores: '0' } };
    expect(await outcome('writer', 'Manuals')).to.deep.equal([403, 'feature_disabled']);
  });

  it('are refused together where ids or metadata are wrong', async () => {
    const metadata = { good: 'x', nested: { a: 1 }, list: [['x']], empty: null };
    const { status, json } = await index([WEB, { ...DISK, metadata }, WEB]);
    expect([status, json.errors.map(({ field }: Json) => field)]).to.deep.equal([
      400,
      ['documents.1.metadata.nested', 'documents.1.metadata.list', 'documents.1.metadata.empty', 'documents.2.id'],
    ]);
    const large = await index([{ ...WEB, metadata: { text: 'x'.repeat(16_384) } }]);
    expect(large.json.errors).to.have.length(1);
    expect(large.json.errors[0].field).to.equal('documents.0.metadata');
    expect(app.llm.calls).to.deep.equal([]);
  });

  it('fail alone where the model refuses their text, or the store or the text is the cause', async () => {
    app.llm.answer = (call) =>
      inputsOf(call).some((text) => text.includes('poison'))
        ? { status: 400, json: { error: { message: 'This text is refused' } } }
        : embedding(call);
    store.refuse = ({ id }) =>
      id === 'taken' ? { code: 'already_exists', message: 'The id is another row' } : undefined;
    const good = Array.from({ length: 20 }, (_, at) => ({ id: `good-${at}`, text: `Text ${at}` }));
    const bad = [
      { id: 'bad', text: 'poison' },
      { id: 'blank', text: ' \n ' },
      { id: 'taken', text: 'fine' },
    ];
    const { status, json } = await index([...good.slice(0, 7), ...bad, ...good.slice(7)]);
    expect([status, json.indexed, json.passages]).to.deep.equal([200, 20, 20]);
    expect(json.failed.map(({ id, error_code }: Json) => [id, error_code])).to.deep.equal([
      ['bad', 'bad_request'],
      ['blank', 'validation_failed'],
      ['taken', 'already_exists'],
    ]);
    expect(json.failed[0].message).to.include('This text is refused');
    expect([...store.documents.keys()].sort()).to.deep.equal(good.map(({ id }) => id).sort());
  });

  it('fail together where the model or the store is the cause, and nothing is written', async () => {
    const refused = async () => {
      const { status, json } = await index([DISK, WEB]);
      return [status, json.error_code, store.documents.size];
    };
    app.llm.answer = () => ({ status: 401, json: { error: { message: 'No key' } } });
    expect(await refused()).to.deep.equal([502, 'auth_failed', 0]);
    app.llm.answer = () => ({ status: 400, json: { error: { message: 'No such thing' } } });
    const many = Array.from({ length: 30 }, (_, at) => ({ id: `${at}`, text: `Text ${at}` }));
    expect((await index(many)).json.error_code).to.equal('bad_request');
    app.llm.answer = embedding;
    store.failure = new OutboundError('connection_refused', 'The store refused');
    expect(await refused()).to.deep.equal([502, 'connection_refused', 0]);
    const used = (await usesOf(app)).map(({ operation, error_code, attempts }) => [operation, error_code, attempts]);
    expect(used.filter(([operation]) => operation === 'index')).to.deep.equal([['index', 'connection_refused', 2]]);
  });

  it('leave a record of the write, and one of the embedding with the tokens', async () => {
    await index([DISK, WEB]);
    await remove({ ids: ['web.md'] });
    const used = await usesOf(app);
    expect(
      used.map(({ operation, provider, model, connection, user, input_tokens }) => ({
        operation,
        provider,
        model,
        connection,
        user,
        input_tokens,
      })),
    ).to.deep.equal([
      {
        operation: 'embeddings',
        provider: 'General_Chat',
        model: 'embed',
        connection: 'up',
        user: 'writer',
        input_tokens: 4,
      },
      {
        operation: 'index',
        provider: 'BUILT_IN',
        model: 'Manuals',
        connection: 'Manuals',
        user: 'writer',
        input_tokens: undefined,
      },
      {
        operation: 'index',
        provider: 'BUILT_IN',
        model: 'Manuals',
        connection: 'Manuals',
        user: 'writer',
        input_tokens: undefined,
      },
    ]);
  });

  it('keep limits of the caller on both', async () => {
    app.user('limiter', { capabilities: ['edit_usage_limits'] });
    const limit = (name: string, operations: string[]) =>
      app.call('limiter', 'POST', '/usage_limits', { name, window: 'day', requests: 1, applies_to: { operations } });
    expect((await limit('writes', ['index'])).status).to.equal(200);
    expect((await index([DISK])).status).to.equal(200);
    expect((await index([WEB])).json.limit.name).to.equal('writes');
    expect((await app.call('limiter', 'DELETE', '/usage_limits/writes')).status).to.equal(200);
    expect((await limit('vectors', ['embeddings'])).status).to.equal(200);
    expect((await index([WEB])).status).to.equal(200);
    const refused = await index([DISK]);
    expect([refused.status, refused.json.limit.name]).to.deep.equal([429, 'vectors']);
    const asked = await app.call('reader', 'POST', '/ai_gateway/retrieve', { store: 'Manuals', query: 'disk' });
    expect(asked.status).to.equal(200);
  });

  it('are deleted by id or all, each once', async () => {
    await index([DISK, WEB]);
    for (const body of [{}, { ids: ['a'], all: true }]) {
      const { status, json } = await remove(body);
      expect([status, json.errors?.[0].field]).to.deep.equal([400, 'ids']);
    }
    expect((await remove({ ids: ['web.md', 'web.md', 'none'] })).json.deleted).to.equal(1);
    expect((await remove({ all: true })).json.deleted).to.equal(1);
    expect(store.documents.size).to.equal(0);
  });

  it('are one audit entry a store, user and hour', async () => {
    await index([DISK]);
    await index([WEB]);
    app.llm.answer = () => ({ status: 401, json: {} });
    await index([WEB]);
    await remove({ all: true });
    await remove({ all: true });
    await app.gateway.entries.flush();
    app.user('auditor', { capabilities: ['list_ml_audit'] });
    const { json } = await app.call('auditor', 'GET', '/audit?count=0&user=writer');
    const entries = json.result.map(({ action, family, name, outcome, count, failed }: Json) => [
      action,
      family,
      name,
      outcome,
      count,
      failed,
    ]);
    expect(entries).to.deep.equal([
      ['delete', 'vector-stores', 'Manuals', 'success', 2, undefined],
      ['index', 'vector-stores', 'Manuals', 'success', 3, 1],
    ]);
  });
});

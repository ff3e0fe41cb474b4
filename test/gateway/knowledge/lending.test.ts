import { expect } from 'chai';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { configure } from '../gatewayApp.ts';
import { embedding, inputsOf, MemoryStore, makeManuals, storeApp, usesOf } from './storeApp.ts';

const QUERY = 'which disk is full';

describe('the embedding model of a vector store', () => {
  const store = new MemoryStore();
  let app: MemoryApp;
  const outcome = ({ status, json }: { status: number; json: Json }) => [status, json.error_code];
  const retrieve = (more: Json = {}, user = 'reader') =>
    app.call(user, 'POST', '/ai_gateway/retrieve', { store: 'Manuals', query: QUERY, ...more });
  const create = (user: string, name: string, embedding_model: string) =>
    app.call(user, 'POST', '/vector_stores', { name, type: 'BUILT_IN', details: { embedding_model } });
  const alias = (name: string, more: Json = {}) =>
    app.call('llm', 'POST', '/model_aliases', {
      ...{ name, targets: [{ service: 'General_Chat', connection_name: 'up', model: 'embed' }], ...more },
    });
  beforeEach(async () => {
    app = await storeApp();
  });

  it('embeds the queries of whoever may read the store, as a use of theirs', async () => {
    expect(outcome(await retrieve())).to.deep.equal([200, undefined]);
    expect(app.llm.calls.map(inputsOf)).to.deep.equal([[QUERY]]);
    const { vector, ...query } = store.queries[0] as unknown as Json;
    expect(query).to.deep.include({ text: QUERY, count: 5 });
    expect(vector).to.be.instanceOf(Float32Array);
    expect(
      (await usesOf(app)).map(({ operation, user, model, input_tokens }) => [operation, user, model, input_tokens]),
    ).to.deep.equal([
      ['embeddings', 'reader', 'embed', 2],
      ['retrieve', 'reader', 'Manuals', undefined],
    ]);
    expect(
      outcome(await app.call('reader', 'POST', '/ai_gateway/v1/embeddings', { model: 'up/embed', input: 'x' })),
    ).to.deep.equal([404, 'not_found']);
  });

  it('embeds the query of each item of a batch, and its tokens are counted there', async () => {
    const items = [QUERY, 'another', QUERY].map((query, id) => ({ id: `${id}`, query }));
    const body = { operation: 'retrieve', common: { store: 'Manuals' }, items };
    const { json } = await app.call('reader', 'POST', '/ai_gateway/batch', body);
    expect(json.result.map(({ status }: Json) => status)).to.deep.equal(['done', 'done', 'done']);
    expect(json.usage).to.include({ prompt_tokens: 4, total_tokens: 4 });
    expect(app.llm.calls).to.have.length(2);
  });

  it('fails a retrieval with its own code', async () => {
    for (const [answer, ...expected] of [
      [{ status: 401, json: {} }, 502, 'auth_failed'],
      [{ status: 400, json: { error: { message: 'no' } } }, 400, 'bad_request'],
      [{ status: 429, json: {}, headers: { 'retry-after': '30' } }, 429, 'rate_limited'],
    ] as const) {
      app.llm.answer = () => answer;
      expect(outcome(await retrieve())).to.deep.equal(expected);
    }
    expect(store.queries).to.deep.equal([]);
    app.llm.answer = ({ deadline: { signal } }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    expect(outcome(await retrieve({ timeout_s: 1 }))).to.deep.equal([504, 'timeout']);
    expect((await usesOf(app)).every(({ operation }) => operation === 'embeddings')).to.equal(true);
  });

  it('must be one that whoever writes the store may use', async () => {
    expect((await alias('mine', { acl: { sharing: 'user' } })).status).to.equal(200);
    app.user('plain', { capabilities: ['edit_agent_connections'] });
    for (const [user, reference] of [
      ['maker', 'up/none'],
      ['maker', 'mine'],
      ['plain', 'up/embed'],
    ] as const) {
      const { status, json } = await create(user, 'Other', reference);
      expect([status, json.error_code, json.errors[0].field]).to.deep.equal([
        400,
        'unknown_reference',
        'details.embedding_model',
      ]);
    }
    await configure(app, 'second', 'embed');
    const { status, json } = await create('maker', 'Other', 'embed');
    expect([status, json.error_code]).to.deep.equal([400, 'ambiguous_reference']);
    expect(json.candidates).to.have.members(['up/embed', 'second/embed']);
    expect(outcome(await create('maker', 'Other', 'up/embed'))).to.deep.equal([200, undefined]);
  });

  it('is checked anew where the reference changes, and only then', async () => {
    app.user('plain', { capabilities: ['edit_agent_connections'] });
    const change = (body: Json) => app.call('plain', 'PUT', '/vector_stores', { name: 'Manuals', ...body });
    await app.call('maker', 'PUT', '/vector_stores', {
      name: 'Manuals',
      acl: { sharing: 'app', perms: { read: ['*'], write: ['*'] } },
    });
    expect(outcome(await change({ details: { embedding_model: 'up/embed' } }))).to.deep.equal([200, undefined]);
    expect(outcome(await change({ description: 'New' }))).to.deep.equal([200, undefined]);
    expect(outcome(await change({ details: { embedding_model: 'up/m1' } }))).to.deep.equal([400, 'unknown_reference']);
  });

  it('is in use: neither its configuration nor its alias goes without force', async () => {
    await alias('vectors', { acl: { sharing: 'app', perms: { read: ['*'], write: [] } } });
    await makeManuals(app, { embedding_model: 'vectors' }, { name: 'By alias' });
    const deleted = await app.call('llm', 'DELETE', '/aicommander/General_Chat/up/embed');
    const gone = await app.call('llm', 'DELETE', '/model_aliases/vectors');
    expect([gone.status, gone.json.error_code, gone.json.used_by]).to.deep.equal([409, 'in_use', ['By alias']]);
    expect([deleted.status, deleted.json.error_code], JSON.stringify(deleted.json)).to.deep.equal([409, 'in_use']);
    expect((await app.call('llm', 'DELETE', '/model_aliases/vectors?force=true')).status).to.equal(200);
    const { status, json } = await retrieve({ store: 'By alias' });
    expect([status, json.error_code]).to.deep.equal([400, 'configuration_invalid']);
    expect(json.message).to.include('vectors').and.include('By alias');
  });

  it('is repeated once, and falls back where an alias says so', async () => {
    let calls = 0;
    app.llm.answer = (call) => {
      calls += 1;
      return calls === 1 ? { status: 503, json: {} } : embedding(call);
    };
    expect((await retrieve()).status).to.equal(200);
    expect((await usesOf(app))[0]).to.include({ operation: 'embeddings', attempts: 2, outcome: 'success' });
  });
});

import { expect } from 'chai';
import { OutboundError } from '../../src/contract/codes/outbound.ts';
import type { Json, MemoryApp } from '../support/memory/app.ts';
import { PASSAGE } from '../support/memory/cloud.ts';
import { gatewayApp } from './gatewayApp.ts';
import { KB, makeStore, PassagePeer } from './operations/passagePeer.ts';

const QUERY = 'how to restart';

describe('retrieval through the gateway', () => {
  const peer = new PassagePeer();
  let app: MemoryApp;
  const retrieve = (body: Json = {}) =>
    app.call('asker', 'POST', '/ai_gateway/retrieve', { store: 'Runbooks', query: QUERY, ...body });
  beforeEach(async () => {
    app = await gatewayApp();
    await makeStore(app, 'Runbooks', { sharing: 'app', perms: { read: ['*'] } });
  });

  it('answers passages with their rank, and asks what was asked for', async () => {
    const filter = {
      andAll: [{ equals: { key: 'team', value: 'dba' } }, { in: { key: 'year', value: [2025, 2026] } }],
    };
    const { status: code, json } = await retrieve({ number_of_results: 7, search_type: 'hybrid', filter });
    expect([code, json.status]).to.deep.equal([200, 'success']);
    expect(json.result).to.deep.equal([{ rank: 1, ...PASSAGE }]);
    expect(peer.asked).to.deep.equal([[KB, { text: QUERY, count: 7, searchType: 'hybrid', filter }]]);
    expect(json).not.to.have.property('warnings');
  });

  it('asks for five by default, and shows no more than asked for', async () => {
    peer.answer = async ({ count }) => Array.from({ length: count + 3 }, () => PASSAGE);
    const { json } = await retrieve({ store: ' runbooks ' });
    expect(peer.asked[0]?.[1]).to.deep.equal({ text: QUERY, count: 5, searchType: undefined, filter: undefined });
    expect(json.result.map(({ rank }: Json) => rank)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('names each field that is wrong, and asks nobody', async () => {
    const one = { equals: { key: 'team', value: 'dba' } };
    const deep = (depth: number): Json => (depth === 0 ? one : { orAll: [deep(depth - 1), one] });
    for (const [body, field, message] of [
      [{ query: ' ' }, 'query', /empty/],
      [{ query: 'x'.repeat(20_001) }, 'query', /20000/],
      [{ store: 'a/b' }, 'store', /characters/],
      [{ number_of_results: 0 }, 'number_of_results', /1/],
      [{ number_of_results: 101 }, 'number_of_results', /100/],
      [{ search_type: 'fuzzy' }, 'search_type', /hybrid/],
      [{ timeout_s: 101 }, 'timeout_s', /100/],
      [{ filter: 'team=dba' }, 'filter', /object/],
      [{ filter: {} }, 'filter', /exactly one operator/],
      [{ filter: { ...one, notEquals: one.equals } }, 'filter', /exactly one operator/],
      [{ filter: { like: one.equals } }, 'filter', /unknown operator; use one of equals/],
      [{ filter: { equals: 'dba' } }, 'filter.equals', /\{key, value\}/],
      [{ filter: { equals: { value: 1 } } }, 'filter.equals.key', /1 to 100/],
      [{ filter: { equals: { ...one.equals, op: 1 } } }, 'filter.equals', /key and value only/],
      [{ filter: { equals: { key: 'team', value: {} } } }, 'filter.equals.value', /text, a number/],
      [{ filter: { in: { key: 'team', value: [] } } }, 'filter.in.value', /at least one/],
      [{ filter: { lessThan: { key: 'year', value: '2026' } } }, 'filter.lessThan.value', /number/],
      [{ filter: { startsWith: { key: 'team', value: 1 } } }, 'filter.startsWith.value', /text/],
      [{ filter: { andAll: [one] } }, 'filter.andAll', /2 to 100/],
      [{ filter: { andAll: [one, { orAll: [one, {}] }] } }, 'filter.andAll.1.orAll.1', /exactly one operator/],
      [{ filter: deep(5) }, 'filter.orAll.0.orAll.0.orAll.0.orAll.0.orAll', /5 deep/],
    ] as const) {
      const { status: code, json } = await retrieve(body);
      expect([code, json.error_code, json.errors?.[0].field], JSON.stringify(body).slice(0, 200)).to.deep.equal([
        400,
        'validation_failed',
        field,
      ]);
      expect(json.errors[0].message).to.match(message);
    }
    expect((await retrieve({ filter: deep(4) })).status).to.equal(200);
    const { json } = await retrieve({ number_of_results: 0, filter: {} });
    expect(json.errors.map(({ field }: Json) => field)).to.have.members(['number_of_results', 'filter']);
    expect(peer.asked).to.have.length(1);
  });

  it('says what is wrong with the knowledge base', async () => {
    peer.answer = async () => undefined;
    const missing = await retrieve();
    expect([missing.status, missing.json.error_code]).to.deep.equal([404, 'kb_not_found']);
    expect([missing.json.message, missing.headers['x-should-retry']]).to.deep.equal([
      `There is no knowledge base ${KB} in eu-central-1 for this account`,
      'false',
    ]);
    peer.status = 'UPDATING';
    peer.answer = async () => {
      throw new OutboundError('bad_request', 'AWS answered 400', { httpStatus: 400 });
    };
    const unready = await retrieve();
    expect([unready.status, unready.json.error_code]).to.deep.equal([502, 'kb_not_active']);
    expect(unready.json.message).to.equal(`The knowledge base ${KB} is UPDATING, not ACTIVE`);
    peer.status = 'ACTIVE';
    const refused = await retrieve();
    expect([refused.status, refused.json.error_code, refused.json.message]).to.deep.equal([
      400,
      'bad_request',
      'AWS answered 400',
    ]);
  });

  it('ends after timeout_s', async () => {
    peer.hang();
    const { status: code, json } = await retrieve({ timeout_s: 1 });
    expect([code, json.error_code, json.message]).to.deep.equal([
      504,
      'timeout',
      'The vector store Runbooks did not answer in time',
    ]);
    const body = { operation: 'retrieve', items: [{ id: 'a', store: 'Runbooks', query: QUERY }], deadline_s: 1 };
    const late = await app.call('asker', 'POST', '/ai_gateway/batch', body);
    expect(late.json.result[0]).to.include({ status: 'failed', error_code: 'timeout' });
  });
});

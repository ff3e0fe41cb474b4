import { expect } from 'chai';
import { OutboundError } from '../../src/contract/codes/outbound.ts';
import type { PassageQuery } from '../../src/ports/cloud/passages.ts';
import type { Json, MemoryApp } from '../support/memory/app.ts';
import { KNOWLEDGE_BASES, PASSAGE } from '../support/memory/cloud.ts';
import { gatewayApp } from './gatewayApp.ts';

const KB = 'ABCDE12345';
const QUERY = 'canary-of-a-query';
const TEXT = 'canary-of-a-passage';
const store = (name: string, acl: Json) => ({
  name,
  type: 'CLOUD_KB',
  details: { cloud_region: 'eu-central-1', kb_id: KB, role_arn: 'arn:aws:iam::123456789012:role/retrieve' },
  acl,
});

describe('retrieval through the gateway', () => {
  const base = { ...KNOWLEDGE_BASES };
  let app: MemoryApp;
  /** What the knowledge base was asked. */
  let asked: [id: string, query: PassageQuery][];
  let answer: (query: PassageQuery) => Promise<(typeof PASSAGE)[] | undefined>;
  let status: string;
  let open: number;
  const retrieve = (body: Json = {}, user = 'asker') =>
    app.call(user, 'POST', '/ai_gateway/retrieve', { store: 'Runbooks', query: QUERY, ...body });
  const batch = (body: Json, user = 'asker') =>
    app.call(user, 'POST', '/ai_gateway/batch', { operation: 'retrieve', common: { store: 'Runbooks' }, ...body });

  before(() => {
    KNOWLEDGE_BASES.visit = async () => {
      open += 1;
      return {
        assumeRole: async () => {},
        describe: async () => ({ status }),
        retrieve: (id, query) => {
          asked.push([id, query]);
          return answer(query);
        },
        close: () => {
          open -= 1;
        },
      };
    };
  });
  after(() => {
    Object.assign(KNOWLEDGE_BASES, base);
  });
  beforeEach(async () => {
    asked = [];
    answer = async () => [{ ...PASSAGE, text: TEXT }];
    status = 'ACTIVE';
    open = 0;
    app = await gatewayApp();
    await made(store('Runbooks', { sharing: 'app', perms: { read: ['*'], write: [] } }));
    await made(store('Private', { sharing: 'user' }));
  });
  afterEach(() => expect(open).to.equal(0));

  async function made(body: Json): Promise<void> {
    const { status: code, json } = await app.call('editor', 'POST', '/vector_stores', body);
    expect(code, JSON.stringify(json)).to.equal(200);
  }

  it('answers passages with their rank, and asks what was asked for', async () => {
    const filter = {
      andAll: [{ equals: { key: 'team', value: 'dba' } }, { in: { key: 'year', value: [2025, 2026] } }],
    };
    const { status: code, json } = await retrieve({ number_of_results: 7, search_type: 'hybrid', filter });
    expect([code, json.status]).to.deep.equal([200, 'success']);
    expect(json.result).to.deep.equal([{ rank: 1, ...PASSAGE, text: TEXT }]);
    expect(asked).to.deep.equal([[KB, { text: QUERY, count: 7, searchType: 'hybrid', filter }]]);
    expect(json).not.to.have.property('warnings');
  });

  it('asks for five by default, and shows no more than asked for', async () => {
    answer = async ({ count }) => Array.from({ length: count + 3 }, () => PASSAGE);
    const { json } = await retrieve({ store: ' runbooks ' });
    expect(asked[0]?.[1]).to.deep.equal({ text: QUERY, count: 5, searchType: undefined, filter: undefined });
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
    expect(asked).to.have.length(1);
  });

  it('finds only stores that the caller may read, from the next request on', async () => {
    for (const name of ['Private', 'nowhere']) {
      const { status: code, json } = await retrieve({ store: name });
      expect([code, json.error_code], name).to.deep.equal([404, 'not_found']);
    }
    expect((await retrieve({ store: 'Private' }, 'root')).json.error_code).to.equal('missing_capability');
    expect((await retrieve()).status).to.equal(200);
    await app.call('editor', 'PUT', '/vector_stores', { name: 'Runbooks', acl: { sharing: 'user' } });
    expect((await retrieve()).status).to.equal(404);
    expect(asked).to.have.length(1);
  });

  it('says what is wrong with the knowledge base', async () => {
    answer = async () => undefined;
    const missing = await retrieve();
    expect([missing.status, missing.json.error_code]).to.deep.equal([404, 'kb_not_found']);
    expect([missing.json.message, missing.headers['x-should-retry']]).to.deep.equal([
      `There is no knowledge base ${KB} in eu-central-1 for this account`,
      'false',
    ]);
    status = 'UPDATING';
    answer = async () => {
      throw new OutboundError('bad_request', 'AWS answered 400', { httpStatus: 400 });
    };
    const unready = await retrieve();
    expect([unready.status, unready.json.error_code]).to.deep.equal([502, 'kb_not_active']);
    expect(unready.json.message).to.equal(`The knowledge base ${KB} is UPDATING, not ACTIVE`);
    status = 'ACTIVE';
    const refused = await retrieve();
    expect([refused.status, refused.json.error_code, refused.json.message]).to.deep.equal([
      400,
      'bad_request',
      'AWS answered 400',
    ]);
  });

  it('repeats a call once where nothing came, and tells failures by their codes', async () => {
    for (const [code, more, expected, calls] of [
      ['connection_reset', {}, [502, 'connection_reset'], 2],
      ['upstream_error', { httpStatus: 503 }, [502, 'upstream_error'], 2],
      ['rate_limited', { httpStatus: 429, retryAfter: 30 }, [429, 'rate_limited'], 1],
      ['permission_denied', { httpStatus: 403 }, [502, 'permission_denied'], 1],
      ['quota_exceeded', { httpStatus: 402 }, [429, 'quota_exceeded'], 1],
    ] as const) {
      asked.length = 0;
      answer = async () => {
        throw new OutboundError(code, 'no', more);
      };
      const failed = await retrieve();
      expect([failed.status, failed.json.error_code]).to.deep.equal(expected);
      expect(asked, code).to.have.length(calls);
    }
  });

  it('ends after timeout_s', async () => {
    answer = () => new Promise(() => {});
    const { status: code, json } = await retrieve({ timeout_s: 1 });
    expect([code, json.error_code, json.message]).to.deep.equal([
      504,
      'timeout',
      'The vector store Runbooks did not answer in time',
    ]);
    const late = await batch({ items: [{ id: 'a', query: QUERY }], deadline_s: 1 });
    expect(late.json.result[0]).to.include({ status: 'failed', error_code: 'timeout' });
    // The knowledge base in memory ignores the deadline.
    open = 0;
  });

  it('serves batches: items fail alone, equal ones are asked once, nothing is estimated', async () => {
    const { status: code, json } = await batch({
      items: [
        { id: '1', query: 'a' },
        { id: '2', query: 'a' },
        { id: '3', query: 'b', store: 'Private' },
        { id: '4', query: 'b', filter: { equals: {} } },
        { id: '5', query: ' c ', number_of_results: 2 },
      ],
    });
    expect(code).to.equal(200);
    expect(json.result.map(({ status: of, error_code }: Json) => error_code ?? of)).to.deep.equal([
      'done',
      'done',
      'not_found',
      'validation_failed',
      'done',
    ]);
    expect(json.result[0].response).to.deep.equal({ result: [{ rank: 1, ...PASSAGE, text: TEXT }] });
    expect(asked.map(([, { text, count }]) => [text, count])).to.deep.equal([
      ['a', 5],
      ['c', 2],
    ]);
    const dry = await batch({ items: [{ id: '1', query: 'a' }], dry_run: true });
    expect([dry.status, dry.json.errors[0].field]).to.deep.equal([400, 'dry_run']);
    app.settings.stanzas = { feature_flags: { vector_stores: '0' } };
    expect((await batch({ items: [{ id: '1', query: 'a' }] })).json.result[0].error_code).to.equal('feature_disabled');
    expect((await retrieve()).json.error_code).to.equal('feature_disabled');
  });

  it('is one use each, without query and passages, and keeps usage limits', async () => {
    app.user('limiter', { capabilities: ['edit_usage_limits'] });
    const limit = { name: 'few', window: 'day', requests: 3, applies_to: { operations: ['retrieve'] } };
    expect((await app.call('limiter', 'POST', '/usage_limits', limit)).status).to.equal(200);
    await retrieve();
    answer = async () => {
      throw new OutboundError('connection_refused', 'no');
    };
    await retrieve();
    await retrieve({ store: 'nowhere' });
    answer = async () => [{ ...PASSAGE, text: TEXT }];
    const { json } = await batch({
      items: [
        { id: '1', query: 'a' },
        { id: '2', query: 'b' },
      ],
      parallel: 1,
    });
    expect(json.result.map(({ error_code }: Json) => error_code)).to.deep.equal([undefined, 'limit_exceeded']);
    const refused = await retrieve();
    expect([refused.status, refused.json.error_code, refused.json.limit.name]).to.deep.equal([
      429,
      'limit_exceeded',
      'few',
    ]);
    await app.gateway.usage.flush();
    const uses = app.events.map(({ event }) => JSON.parse(JSON.stringify(event)) as Json);
    expect(uses.map(({ outcome, error_code, attempts }) => [outcome, error_code, attempts])).to.deep.equal([
      ['success', undefined, 1],
      ['fail', 'connection_refused', 2],
      ['success', undefined, 1],
    ]);
    expect(uses[0]).to.include({
      operation: 'retrieve',
      provider: 'CLOUD_KB',
      connection: 'Runbooks',
      model: 'Runbooks',
    });
    expect(uses[0]).to.include({ user: 'asker', via: 'rest', 'gen_ai.operation.name': 'retrieve' });
    expect(uses[0]).not.to.have.any.keys('input_tokens', 'cost', 'content');
    const written = JSON.stringify([uses, app.site.log.lines, await app.call('root', 'GET', '/audit?count=0')]);
    for (const canary of [QUERY, TEXT]) expect(written).not.to.include(canary);
    const usage = await app.call('asker', 'GET', '/usage?by=operation');
    expect(usage.json.result[0]).to.deep.include({ operation: 'retrieve', requests: 3, failed: 1, unpriced: 0 });
  });

  it('warns in the envelope where a limit only warns', async () => {
    app.user('limiter', { capabilities: ['edit_usage_limits'] });
    await app.call('limiter', 'POST', '/usage_limits', { name: 'soft', window: 'day', requests: 1, action: 'warn' });
    expect((await retrieve()).json).not.to.have.property('warnings');
    expect((await retrieve()).json.warnings[0]).to.include('soft');
    const { json } = await batch({ items: [{ id: '1', query: 'a' }] });
    expect(json.result[0].response.warnings[0]).to.include('soft');
  });
});

import { expect } from 'chai';
import { MASK } from '../../../../src/contract/basics.ts';
import { storeApp } from '../../../gateway/knowledge/storeApp.ts';
import type { Answer, Json, MemoryApp } from '../../../support/memory/app.ts';
import { makeCertificate } from '../../../support/peers/certificates.ts';
import { expectCode, expectFields } from '../../../support/replies.ts';

const PASSWORD = 'pass-canary-of-a-test';
const KEY = 'a2V5LWNhbmFyeTpvZi1hLXRlc3Q=';
const FIRST = makeCertificate({ names: ['a.example'] }).cert.trim();
const SECOND = makeCertificate({ names: ['b.example'] }).cert.trim();

const INDEX = {
  ...{ url: 'https://search.example:9200', index: 'docs', username: 'anna' },
  ...{ vector_field: 'embedding', text_field: 'body', embedding_model: 'up/embed' },
};
const TABLE = {
  ...{ host: 'db.example', database: 'kb', table: 'docs', username: 'splunk' },
  ...{ id_column: 'id', text_column: 'body', vector_column: 'embedding', embedding_model: 'up/embed' },
};

/** What is stored, and what sends the secret to another receiver or to the same one. */
const CASES: Record<string, { details: Json; moves: [Json, Json][]; stays: [Json, Json][] }> = {
  OPENSEARCH: {
    details: INDEX,
    moves: [
      [{}, { url: 'https://evil.example:9200' }],
      [{}, { url: 'https://search.example:9201' }],
      [{}, { url: 'http://search.example:9200' }],
      [{}, { url: 'https://search.example.evil:9200' }],
      [{}, { verify_tls: false }],
      [{}, { ca_certificate: FIRST }],
      [{ ca_certificate: FIRST }, { ca_certificate: SECOND }],
    ],
    stays: [
      [{}, { index: 'others' }],
      [{}, { url: 'https://search.example:9200/below' }],
      [{ url: 'http://search.example:9200' }, { url: 'https://search.example:9200' }],
      [{ verify_tls: false }, { verify_tls: true }],
      [{ ca_certificate: FIRST }, { ca_certificate: null }],
    ],
  },
  PGVECTOR: {
    details: TABLE,
    moves: [
      [{}, { host: 'evil.example' }],
      [{}, { port: 5433 }],
      [{}, { ssl: 'require' }],
      [{}, { ssl: 'off' }],
      [{ ssl: 'require' }, { ssl: 'off' }],
      [{}, { ca_certificate: FIRST }],
      [{ ca_certificate: FIRST }, { ca_certificate: SECOND }],
    ],
    stays: [
      [{}, { table: 'other' }],
      [{}, { database: 'other' }],
      [{}, { port: 5432, ssl: 'verify' }],
      [{ ssl: 'off' }, { ssl: 'require' }],
      [{ ssl: 'require' }, { ssl: 'verify' }],
      [{ ca_certificate: FIRST }, { ca_certificate: null }],
    ],
  },
};

describe('secrets of stores on servers', () => {
  let app: MemoryApp;
  let count = 0;
  const call = (method: string, body: Json, path = '/vector_stores'): Promise<Answer> =>
    app.call('maker', method, path, body);
  const made = async (type: string, details: Json): Promise<string> => {
    const name = `store ${count++}`;
    const reply = await call('POST', { name, type, details: { ...details, password: PASSWORD } });
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
    expect(reply.json.config.details.password).to.equal(MASK);
    return name;
  };
  before(async () => {
    app = await storeApp();
  });

  for (const [type, { details, moves, stays }] of Object.entries(CASES)) {
    it(`of type ${type} go to no other address and to no server that is verified less`, async () => {
      for (const [before, change] of moves) {
        const what = JSON.stringify([before, change]).slice(0, 100);
        const name = await made(type, { ...details, ...before });
        for (const body of [change, { ...change, password: MASK }]) {
          expectCode(await call('PUT', { name, details: body }), 400, 'secret_required_for_new_host', what);
          const test = await call('POST', { name, details: body }, '/vector_stores/test');
          expectCode(test, 400, 'secret_required_for_new_host', what);
        }
        expect((await call('PUT', { name, details: { ...change, password: PASSWORD } })).status, what).to.equal(200);
      }
    });

    it(`of type ${type} stay where their receiver does`, async () => {
      for (const [before, change] of stays) {
        const name = await made(type, { ...details, ...before });
        const reply = await call('PUT', { name, details: change });
        expect([reply.status, reply.json.config?.details.password], JSON.stringify(change)).to.deep.equal([200, MASK]);
      }
    });
  }

  it('are a login or a key, not both', async () => {
    const make = (more: Json) => call('POST', { name: 'both', type: 'OPENSEARCH', details: { ...INDEX, ...more } });
    expectFields(await make({ password: PASSWORD, api_key: KEY }), 'details.password', 'details.username');
    expectFields(await make({ api_key: KEY }), 'details.username');
    expectFields(await make({ username: undefined, password: PASSWORD }), 'details.username');
    const name = await made('OPENSEARCH', INDEX);
    expectFields(await call('PUT', { name, details: { api_key: KEY } }), 'details.password', 'details.username');
    const changed = await call('PUT', { name, details: { api_key: KEY, password: '', username: null } });
    expect(changed.status, JSON.stringify(changed.json)).to.equal(200);
    expect(changed.json.config.details.api_key).to.equal(MASK);
    expect(changed.json.config.details).to.not.have.any.keys('password', 'username');
  });

  it('need a user where a table has them', async () => {
    const name = await made('PGVECTOR', TABLE);
    expectFields(await call('PUT', { name, details: { username: null } }), 'details.username');
  });

  it('belong to their own type', async () => {
    const name = 'foreign';
    const key = await call('POST', { name, type: 'PGVECTOR', details: { ...TABLE, api_key: KEY } });
    expectFields(key, 'details.api_key');
    const ssl = await call('POST', { name, type: 'OPENSEARCH', details: { ...INDEX, ssl: 'off' } });
    expectFields(ssl, 'details.ssl');
  });

  it('are in no reply', async () => {
    const replies = await Promise.all([
      app.call('maker', 'GET', '/vector_stores'),
      app.call('maker', 'GET', '/vector_stores/store%200'),
    ]);
    for (const { json } of replies) {
      const text = JSON.stringify(json);
      for (const secret of [PASSWORD, KEY]) expect(text).to.not.include(secret);
    }
  });
});

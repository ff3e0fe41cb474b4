import { expect } from 'chai';
import { visit } from '../../../../src/families/vector-stores/testing.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { documentOf, SavedStore } from './saved.ts';
import { ScriptedIndex } from './scriptedIndex.ts';
import { search, serverDependencies } from './worlds.ts';

const QUERY = { text: 'x', count: 3, vector: new Float32Array([1, 0, 0, 0]) };
const PASSWORD = 'pass-canary-of-a-test';
const KEY = 'a2V5LWNhbmFyeTpvZi1hLXRlc3Q=';

describe('requests to OpenSearch and Elasticsearch', () => {
  let index: ScriptedIndex;
  const peers = new Peers();
  beforeEach(async () => {
    index = await peers.started(new ScriptedIndex().start());
  });

  const failureOf = (details: object = {}, secrets: Record<string, string> = {}, ms = 5000) =>
    search(index.target('docs', details, secrets), QUERY, ms).then(
      () => 'nothing',
      ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
    );

  it('bear a login, a key or neither, each of them', async () => {
    const sent = async (details: object, secrets: Record<string, string>) => {
      index.asked.length = 0;
      expect(await search(index.target('docs', details, secrets), QUERY)).to.deep.equal([]);
      return [...new Set(index.asked.map(({ authorization }) => authorization))];
    };
    const basic = (login: string) => [`Basic ${Buffer.from(login).toString('base64')}`];
    expect(await sent({ username: 'anna' }, { 'details/password': PASSWORD })).to.deep.equal(basic(`anna:${PASSWORD}`));
    expect(await sent({ username: 'änna' }, { 'details/password': 'ü:' })).to.deep.equal(basic('änna:ü:'));
    expect(await sent({ username: 'anna' }, {})).to.deep.equal(basic('anna:'));
    expect(await sent({}, { 'details/api_key': KEY })).to.deep.equal([`ApiKey ${KEY}`]);
    expect(await sent({}, {})).to.deep.equal([undefined]);
  });

  it('follow no redirect, with or without a login', async () => {
    const elsewhere = await peers.started(new ScriptedIndex().start());
    const url = String((elsewhere.target('docs').record.details as { url: string }).url);
    for (const status of [301, 302, 307, 308]) {
      index.instead = (_, response) => response.writeHead(status, { location: `${url}/docs/_mapping` }).end();
      expect(await failureOf({}, { 'details/api_key': KEY })).to.match(/^(?:upstream_error|blocked_by_policy): /);
    }
    expect(elsewhere.asked).to.deep.equal([]);
  });

  it('end at the deadline when nothing comes, or an answer without an end', async () => {
    index.instead = () => {};
    expect(await failureOf({}, {}, 300)).to.match(/^timeout: /);
    index.instead = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    expect(await failureOf({}, {}, 300)).to.match(/^timeout: /);
  });

  it('fail with what the server says, without the secrets that it repeats', async () => {
    const refuse = (status: number, text: string) => {
      index.instead = (_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    };
    const encoded = Buffer.from(`anna:${PASSWORD}`).toString('base64');
    refuse(401, JSON.stringify({ error: { reason: `no user for ${encoded} or ${PASSWORD}` }, status: 401 }));
    const failure = await failureOf({ username: 'anna' }, { 'details/password': PASSWORD });
    expect(failure).to.match(/^auth_failed: The server answered 401: no user for /);
    for (const secret of [PASSWORD, encoded]) expect(failure).to.not.include(secret);
    refuse(403, JSON.stringify({ error: { reason: 'no permissions' } }));
    expect(await failureOf()).to.equal('permission_denied: The server answered 403: no permissions');
    refuse(200, '<html>a proxy</html>');
    expect(await failureOf()).to.match(/^upstream_error: .*is details\.url its address\?$/);
    refuse(404, JSON.stringify({ error: { type: 'index_not_found_exception' } }));
    expect(await failureOf()).to.equal('kb_not_found: There is no index docs');
  });

  it('show in a test whether the server was reached and let the app in', async () => {
    const tested = async () => {
      const { run } = await visit(serverDependencies(), index.target('docs'), { query: 'q' });
      return [run.steps.map(({ status }) => status), run.reachable, run.authenticated];
    };
    expect(await tested()).to.deep.equal([['success', 'success'], true, true]);
    index.instead = (_, response) => response.writeHead(401).end('{}');
    expect(await tested()).to.deep.equal([['fail', 'skipped'], true, false]);
    await index.close();
    expect(await tested()).to.deep.equal([['fail', 'skipped'], false, false]);
  });

  it('take the id of the entry and the other fields as metadata, where the store names no fields for them', async () => {
    index.fields = { embedding: { type: 'knn_vector', dimension: 4 }, body: { type: 'text' } };
    index.hits = [
      { _id: 'e1', _score: 0.5, _source: { body: 'text', team: 'ops', level: 3 } },
      { _id: 'e2', _source: { body: ['one', 'two'], embedding: [1, 0, 0, 0] } },
    ];
    expect(await search(index.target('docs', { metadata_field: undefined }), QUERY)).to.deep.equal([
      {
        ...{ id: 'e1', text: 'text', score: 0.5, source: { type: 'opensearch', uri: 'e1' } },
        metadata: { team: 'ops', level: 3 },
      },
      { id: 'e2', text: 'one\ntwo', source: { type: 'opensearch', uri: 'e2' }, metadata: {} },
    ]);
  });

  it('write the id into its field, and metadata beside the text or into their field', async () => {
    index.fields = { ...index.fields, doc: { type: 'keyword' } };
    const written = async (details: object) => {
      index.entries.clear();
      const store = await SavedStore.of(index, 'docs', details);
      expect(await store.write([documentOf('a', [[1, 0, 0, 0]], { team: 'ops' })])).to.deep.equal([undefined]);
      return [...index.entries];
    };
    const entry = { body: 'a part 0. ', embedding: [1, 0, 0, 0] };
    expect(await written({})).to.deep.equal([['a#0', { ...entry, facts: { team: 'ops' } }]]);
    expect(await written({ metadata_field: undefined, id_field: 'doc' })).to.deep.equal([
      ['a#0', { ...entry, team: 'ops', doc: 'a' }],
    ]);
  });

  it('write no metadata in place of a field of the store', async () => {
    const store = await SavedStore.of(index, 'docs', { metadata_field: undefined });
    const [failure] = await store.write([documentOf('a', [[1, 0, 0, 0]], { body: 'other' })]);
    expect(failure?.code).to.equal('bad_request');
    expect(failure?.message).to.include('details.metadata_field');
    expect(index.bulks).to.equal(0);
  });
});

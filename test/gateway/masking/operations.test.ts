import { expect } from 'chai';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { PASSAGE } from '../../support/memory/cloud.ts';
import { gatewayApp } from '../gatewayApp.ts';
import { makeStore, PassagePeer } from '../operations/passagePeer.ts';
import { answered, PredictionPeer, register, registration, SHARED } from '../operations/predictionPeer.ts';
import { callTool, connect, send, toolsApp } from '../tools/toolsApp.ts';
import { ALL, applyPolicies } from './policies.ts';

const HOST = 'db7.corp.example';
const WORD = /^host-[a-z0-9]{10}$/;

describe('masked retrieval', () => {
  const peer = new PassagePeer();
  let app: MemoryApp;
  const filter = {
    andAll: [
      { equals: { key: 'host', value: HOST } },
      { in: { key: 'team', value: [HOST, 7] } },
      { greaterThan: { key: 'year', value: 2025 } },
    ],
  };
  const retrieve = (body: Json = {}, headers: Json = {}) =>
    app.call('asker', 'POST', '/ai_gateway/retrieve', { store: 'Runbooks', query: HOST, filter, ...body }, headers);
  beforeEach(async () => {
    app = await gatewayApp();
    await makeStore(app, 'Runbooks', { sharing: 'app', perms: { read: ['*'] } });
  });

  it('asks the store without values, and answers passages with them', async () => {
    applyPolicies(app, { kinds: ALL, operations: ['retrieve'] });
    peer.answer = async ({ text }) => [{ ...PASSAGE, text: `Restart ${text}`, metadata: { on: text } }];
    const { status, json } = await retrieve();
    expect([status, json.result[0].text, json.result[0].metadata]).to.deep.equal([
      200,
      `Restart ${HOST}`,
      { on: HOST },
    ]);
    expect(json.ml).to.deep.equal({ masked: { host: 3 } });
    const [, asked] = peer.asked[0] ?? [];
    expect(asked?.text).to.match(WORD);
    expect(asked?.filter).to.deep.equal({
      andAll: [
        { equals: { key: 'host', value: asked?.text } },
        { in: { key: 'team', value: [asked?.text, 7] } },
        { greaterThan: { key: 'year', value: 2025 } },
      ],
    });
  });

  it('says in a batch what was masked', async () => {
    applyPolicies(app, { kinds: ALL, operations: ['retrieve'] });
    const items = [{ id: '1', store: 'Runbooks', query: HOST }];
    const { json } = await app.call('asker', 'POST', '/ai_gateway/batch', { operation: 'retrieve', items });
    expect(json.result[0].response.ml).to.deep.equal({ masked: { host: 1 } });
  });

  it('agrees within a store and within a search, and not between them', async () => {
    applyPolicies(app, { kinds: ALL, operations: ['retrieve'] });
    for (const headers of [{}, {}, { 'x-ml-sid': '1.1' }, { 'x-ml-sid': '1.1' }, { 'x-ml-sid': '1.2' }]) {
      expect((await retrieve({}, headers)).status).to.equal(200);
    }
    const [first, again, search, sameSearch, otherSearch] = peer.asked.map(([, { text }]) => text);
    expect([first === again, search === sameSearch, search === otherSearch, first === search]).to.deep.equal([
      ...[true, true],
      ...[false, false],
    ]);
  });

  it('is none where no policy names the operation', async () => {
    applyPolicies(app, { kinds: ALL, operations: ['chat', 'predict', 'execute_tool', 'invoke_agent'] });
    const { status, json } = await retrieve();
    expect([status, json.ml]).to.deep.equal([200, undefined]);
    expect(peer.asked[0]?.[1].text).to.equal(HOST);
  });

  it('asks nobody where a policy refuses a kind', async () => {
    applyPolicies(app, { kinds: { host: 'refuse' }, operations: ['retrieve'] });
    const { status, json } = await retrieve();
    expect([status, json.error_code]).to.deep.equal([400, 'content_refused']);
    expect(JSON.stringify(json)).to.include('host (3)').and.not.include(HOST);
    expect(peer.asked).to.deep.equal([]);
  });
});

describe('masked predictions', () => {
  const peer = new PredictionPeer();
  let app: MemoryApp;
  const map = { input_feature_map: { owner: 'instances[*].owner', cpu: 'instances[*].cpu' } };
  const predict = (rows: Json[]) => app.call('asker', 'POST', '/ai_gateway/predict', { model: 'churn', rows });
  beforeEach(async () => {
    app = await gatewayApp();
    await register(app, registration('churn', SHARED, map));
    peer.answer = async ({ body }) => {
      const { instances } = JSON.parse(body) as { instances: { owner: string }[] };
      return answered(JSON.stringify({ predictions: instances.map(({ owner }) => `of ${owner}`) }));
    };
  });

  it('send rows without values, those of named fields too, and answer with them', async () => {
    applyPolicies(app, { kinds: { host: 'mask', field: 'mask' }, fields: ['owner'], operations: ['predict'] });
    const { status, json } = await predict([
      { owner: 'Ana Ngo', cpu: 1 },
      { owner: HOST, cpu: 2 },
    ]);
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json.result).to.deep.equal([{ forecast: 'of Ana Ngo' }, { forecast: `of ${HOST}` }]);
    const [{ body } = { body: '' }] = peer.asked;
    expect(body)
      .to.match(/"(?:user|name)-[a-z0-9]{10}"/)
      .and.match(/"host-[a-z0-9]{10}"/);
    expect(body).to.include('"cpu":1').and.not.include('Ana').and.not.include(HOST);
  });

  it('are none where no policy names the operation', async () => {
    applyPolicies(app, { kinds: ALL, operations: ['chat', 'retrieve', 'execute_tool'] });
    expect((await predict([{ owner: HOST, cpu: 1 }])).status).to.equal(200);
    expect(peer.asked[0]?.body).to.include(HOST);
  });
});

describe('masked calls of tools', () => {
  let app: MemoryApp;
  const made = () => app.peers.calls.map((call) => (call.arguments as { text: string }).text);
  beforeEach(async () => {
    app = toolsApp();
    await connect(app, 'one');
    app.peers.result = () => ({
      content: [{ type: 'text', text: `heard ${made().at(-1)}` }],
      structuredContent: { host: made().at(-1) },
    });
  });

  it('send arguments without values, and answer with them', async () => {
    applyPolicies(app, { kinds: ALL, operations: ['execute_tool'] });
    const { status, json } = await callTool(app, { arguments: { text: HOST } });
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(made()[0]).to.match(WORD);
    expect(json.result.content).to.deep.equal([{ type: 'text', text: `heard ${HOST}` }]);
    expect(json.result.structured_content).to.deep.equal({ host: HOST });
  });

  it('are masked as well below the MCP server', async () => {
    applyPolicies(app, { kinds: ALL, operations: ['execute_tool'] });
    const { json } = await send(app, 'tools/call', { name: 'one__echo', arguments: { text: HOST } });
    expect(json.result.content, JSON.stringify(json)).to.deep.equal([{ type: 'text', text: `heard ${HOST}` }]);
    expect(made()[0]).to.match(WORD);
  });

  it('are none where no policy names the operation', async () => {
    applyPolicies(app, { kinds: ALL, operations: ['chat', 'retrieve', 'predict', 'invoke_agent'] });
    await callTool(app, { arguments: { text: HOST } });
    expect(made()).to.deep.equal([HOST]);
  });
});

import { expect } from 'chai';
import { STORE_INPUT } from '../../../src/gateway/mcp/storeKind.ts';
import { RetrieveBody } from '../../../src/gateway/retrieval/schemas.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { PASSAGE } from '../../support/memory/cloud.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { makeStore, PassagePeer } from '../operations/passagePeer.ts';
import { connect, EVERYBODY, namesIn, send, toolsApp } from './toolsApp.ts';

describe('vector stores as tools', () => {
  const peer = new PassagePeer();
  let app: MemoryApp;
  const list = async (user = 'asker', at = '') => namesIn(await send(app, 'tools/list', {}, at, user));
  const call = async (name: string, args: Json, user = 'asker') =>
    (await send(app, 'tools/call', { name, arguments: args }, '', user)).json;
  beforeEach(async () => {
    peer.answer = async (query) => [{ ...PASSAGE, text: `about ${query.text}` }];
    app = toolsApp();
    app.user('editor', { capabilities: ['edit_agent_connections', 'use_ai_gateway'] });
    await makeStore(app, 'Runbooks', EVERYBODY);
  });

  it('are listed for those who may read them, beside the tools of connections', async () => {
    await makeStore(app, 'Own', { sharing: 'user' });
    await connect(app, 'one');
    expect(await list()).to.deep.equal(['one__echo', 'retrieve__Runbooks']);
    expect(await list('editor')).to.deep.equal(['one__echo', 'retrieve__Own', 'retrieve__Runbooks']);
    expect(await list('asker', '/one')).to.deep.equal(['echo']);
    const { json } = await send(app, 'tools/list');
    const tool = json.result.tools.find(({ name }: { name: string }) => name === 'retrieve__Runbooks');
    expect(tool).to.deep.include({
      title: 'Search Runbooks',
      description: 'Finds passages in the vector store Runbooks. About Runbooks',
    });
    expect(tool.inputSchema).to.deep.include({ required: ['query'], additionalProperties: false });
    await app.call('editor', 'PUT', '/vector_stores', { name: 'Runbooks', acl: { sharing: 'user' } });
    expect(await list()).to.deep.equal(['one__echo']);
    expect((await call('retrieve__Runbooks', { query: 'disk' })).error.code).to.equal(-32602);
  });

  it('take what the endpoint takes', () => {
    const { store: _, timeout_s, ...properties } = RetrieveBody.properties;
    const bounds = (schema: object) =>
      Object.fromEntries(Object.entries(schema).filter(([key]) => /^(min|max|default|enum)/.test(key)));
    expect(Object.keys(STORE_INPUT.properties).sort()).to.deep.equal(Object.keys(properties).sort());
    for (const [name, schema] of Object.entries(STORE_INPUT.properties))
      expect(bounds(schema), name).to.deep.equal(bounds(properties[name as keyof typeof properties]));
  });

  it('find passages, as one use', async () => {
    const { result } = await call('retrieve__Runbooks', { query: 'disk', number_of_results: 3, search_type: 'hybrid' });
    expect(result.isError).to.equal(false);
    expect(result.structuredContent.result[0]).to.include({ rank: 1, text: 'about disk' });
    expect(JSON.parse(result.content[0].text)).to.deep.equal(result.structuredContent);
    expect(peer.asked[0]?.[1]).to.deep.equal({ text: 'disk', count: 3, searchType: 'hybrid', filter: undefined });
    await app.gateway.usage.flush();
    const { json } = await app.call('asker', 'GET', '/usage?by=operation,via');
    expect(json.result).to.have.length(1);
    expect(json.result[0]).to.include({ operation: 'retrieve', via: 'mcp', requests: 1 });
  });

  it('say what is wrong with arguments, and ask nobody', async () => {
    for (const [args, field] of [
      [{}, 'query'],
      [{ query: '' }, 'query'],
      [{ query: 'x', number_of_results: 101 }, 'number_of_results'],
      [{ query: 'x', search_type: 'exact' }, 'search_type'],
      [{ query: 'x', store: 'Own' }, 'arguments'],
      [{ query: 'x', filter: { like: { key: 'a', value: 'b' } } }, 'filter'],
    ] as const) {
      const { result } = await call('retrieve__Runbooks', args);
      expect(result, JSON.stringify(args)).to.include({ isError: true });
      expect(result.content[0].text)
        .to.match(/^validation_failed: /)
        .and.to.contain(field);
    }
    expect(peer.asked).to.deep.equal([]);
  });

  it('are left out while the feature is off, and named apart from connections', async () => {
    await connect(app, 'retrieve');
    app.peers.tools = [{ name: 'Runbooks', description: 'Another' }];
    await connect(app, 'agent');
    const names = await list();
    expect(names).to.include('retrieve__Runbooks');
    expect(names.filter((name) => /^retrieve__\w+_[0-9a-f]{8}$/.test(name))).to.have.length(1);
    expect(names.filter((name) => /^agent__\w+_[0-9a-f]{8}$/.test(name))).to.have.length(1);
    for (const name of names.filter((each) => each !== 'retrieve__Runbooks')) {
      expect((await call(name, { text: 'hi' })).result?.isError, name).to.equal(false);
    }
    expect(peer.asked).to.deep.equal([]);
    app.settings.stanzas = { feature_flags: { vector_stores: '0' } };
    expect(await list()).not.to.include('retrieve__Runbooks');
  });

  it('are not read for a call of another tool', async () => {
    await connect(app, 'one');
    await makeStore(app, 'docs', EVERYBODY);
    const readsOf = async (name: string, args: Json) => {
      const plan = new FaultPlan();
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      };
      const body = Buffer.from(JSON.stringify(message));
      const request = { method: 'POST', path: '/ai_gateway/mcp', body, sessionToken: 'asker' };
      const { json } = await app.request(request, plan);
      expect(json.result?.isError, JSON.stringify(json)).not.to.equal(true);
      return plan.trace.filter((call) => call.includes('ml_vector_stores')).length;
    };
    expect(await readsOf('one__echo', { text: 't' })).to.equal(0);
    expect(await readsOf('retrieve__docs', { query: 'q' })).to.be.above(0);
  });
});

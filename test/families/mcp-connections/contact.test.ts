import { expect } from 'chai';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { CERTIFICATE } from '../../support/records/certificate.ts';

const PATH = '/mcp_connection';
const details = { url: 'https://mcp.example/mcp?team=canary-query', token: 'canary-token' };
const NO_DRIFT = { added: [], removed: [], changed: [] };

describe('MCP connections: calls to stores and servers', () => {
  let app: MemoryApp;
  const test = (body: unknown) => app.call('editor', 'POST', `${PATH}/test`, body);
  const tools = (body: unknown) => app.call('editor', 'POST', `${PATH}/tools`, body);
  const tool = (name: string) => ({ name, description: `does ${name}` });
  beforeEach(async () => {
    app = new MemoryApp();
    await app.call('editor', 'POST', PATH, {
      name: 'alpha',
      type: 'PLATFORM',
      details: { ...details, headers: { 'X-Key': 'canary-header' }, ca_certificate: CERTIFICATE },
    });
  });

  it('sends the stored secrets and trust with the last transport, and leaves no copy of a secret', async () => {
    await test({ name: 'alpha' });
    await test({ name: 'alpha' });
    expect(app.peers.targets[1]).to.deep.equal({
      url: details.url,
      token: 'canary-token',
      headers: { 'X-Key': 'canary-header' },
      verifyTls: true,
      caCertificate: CERTIFICATE,
      transportHint: 'streamable_http',
      secrets: ['canary-token', 'canary-header'],
    });
    expect(app.leaks('canary-token', 'canary-header')).to.deep.equal([]);
  });

  it('shows no secret that the server repeats', async () => {
    const { probe } = app.peers.client;
    app.peers.client.probe = async (target) => ({
      ...(await probe(target)),
      serverInfo: { name: `for ${target.token}`, version: '1' },
    });
    app.peers.tools = [
      {
        ...tool('echo'),
        title: 'for canary-header',
        input_schema: { type: 'object', properties: { a: { default: 'canary-token' } } },
      },
    ];
    for (const body of [{ name: 'alpha' }, { type: 'PLATFORM', details }]) {
      const listed = await tools(body);
      expect(listed.json.data.tools[0].input_schema.properties.a.default).to.equal('[redacted]');
      expect((await test(body)).json.data.server_info.name).to.equal('for [redacted]');
    }
    expect((await tools({ name: 'alpha' })).json.data.tools[0].title).to.equal('for [redacted]');
  });

  it('does not restore a record that is deleted during its test', async () => {
    const probe = app.peers.client.probe;
    app.peers.client.probe = async (target) => {
      await app.call('editor', 'DELETE', `${PATH}/alpha`);
      return probe(target);
    };
    expect((await test({ name: 'alpha' })).status).to.equal(200);
    expect(app.site.records.all('ml_mcp_connections')).to.deep.equal([]);
  });

  for (const replaceInserts of [false, true]) {
    it(`keeps no listing of a record that is deleted meanwhile, where a replace ${replaceInserts ? 'inserts' : 'does not insert'}`, async () => {
      app.site.records.replaceInserts = replaceInserts;
      app.peers.tools = [tool('old')];
      const list = app.peers.client.listTools;
      const listAfterDeletion: typeof list = async (target) => {
        await app.call('editor', 'DELETE', `${PATH}/alpha`);
        return list(target);
      };
      for (const isListedBefore of [false, true]) {
        if (isListedBefore) await tools({ name: 'alpha' });
        app.peers.tools = [tool('new')];
        app.peers.client.listTools = listAfterDeletion;
        await tools({ name: 'alpha' });
        app.peers.client.listTools = list;
        expect(app.site.records.all('ml_mcp_connections')).to.deep.equal([]);
        expect(app.site.records.all('ml_mcp_listings')).to.deep.equal([]);
        await app.call('editor', 'POST', PATH, { name: 'alpha', type: 'PLATFORM', details });
      }
    });
  }

  it('does not use the listing of a deleted connection of the same name', async () => {
    app.peers.tools = [tool('old')];
    await tools({ name: 'alpha' });
    const left = app.site.records.all('ml_mcp_listings')[0];
    await app.call('editor', 'DELETE', `${PATH}/alpha`);
    app.site.records.collection('ml_mcp_listings').set('alpha', JSON.stringify(left));
    app.site.clock.advance(1000);
    await app.call('editor', 'POST', PATH, { name: 'alpha', type: 'PLATFORM', details });
    app.peers.tools = [tool('new')];
    expect((await tools({ name: 'alpha' })).json.data.drift).to.deep.equal(NO_DRIFT);
    app.peers.tools = [];
    expect((await tools({ name: 'alpha' })).json.data.drift).to.deep.equal({ ...NO_DRIFT, removed: ['new'] });
  });

  it('explains why a listing was truncated', async () => {
    app.peers.truncated = 'more than 50 pages';
    const { warnings }: Json = (await tools({ name: 'alpha' })).json;
    expect(String(warnings)).to.include('more than 50 pages');
  });
});

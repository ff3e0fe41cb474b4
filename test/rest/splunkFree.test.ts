import { expect } from 'chai';
import { RIGHTS_REASONS } from '../../src/contract/codes/reasons.ts';
import { MemoryApp } from '../support/memory/app.ts';

const SERVER = { name: 'docs', type: 'PLATFORM', details: { url: 'https://mcp.example/mcp' } };

describe('a refusal where nobody has capabilities', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.user('nobody', { capabilities: [] });
    app.user('reader', { capabilities: ['search'] });
    app.user('editor', { capabilities: ['edit_agent_connections'] });
  });
  const create = (user: string) => app.call(user, 'POST', '/mcp_connection', SERVER);

  it('names Splunk Free and what to do', async () => {
    app.sessions.hasFreeLicence = true;
    const { status, json } = await create('nobody');
    expect([status, json.error_code]).to.deep.equal([403, 'missing_capability']);
    expect(json).to.include({
      message: 'This is Splunk Free, which gives nobody capabilities, not even administrators',
      reason: 'splunk_free',
      remedy: RIGHTS_REASONS.splunk_free.remedy,
    });
    expect(json.required).to.deep.equal(['edit_agent_connections']);
    const chat = { model: 'a/b', messages: [{ role: 'user', content: 'hello' }] };
    const refused = await app.call('nobody', 'POST', '/ai_gateway/v1/chat/completions', chat);
    expect([refused.status, refused.json.reason]).to.deep.equal([403, 'splunk_free']);
    expect(refused.json.error.message).to.equal(json.message);
  });

  it('names the capability under any other licence', async () => {
    const { json } = await create('nobody');
    expect(json.message).to.equal('This requires the capability edit_agent_connections');
    expect(json).not.to.have.property('reason');
    expect(app.sessions.licenceAsked).to.have.length(1);
  });

  it('asks for the licence only then', async () => {
    expect((await create('reader')).status).to.equal(403);
    expect((await create('editor')).status).to.equal(200);
    expect((await app.call('nobody', 'GET', '/mcp_connection')).status).to.equal(200);
    expect((await app.call('nobody', 'GET', '/mcp_connection/none')).status).to.equal(404);
    expect(app.sessions.licenceAsked).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { ask, gatewayApp, hello, sent } from '../gatewayApp.ts';

const CHAT = '/ai_gateway/v1/chat/completions';

describe('chats, beside their body', () => {
  it('leave out what is not supported, by the query or a header', async () => {
    const app = await gatewayApp();
    await app.call('llm', 'POST', '/aicommander', {
      service: 'Search_Vendor_Models',
      connection_name: 'gem',
      model: 'g1',
      servicesettings: { access_token: { value: 'key' } },
    });
    app.llm.answer = () => ({
      json: { candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] },
    });
    const body = { model: 'gem/g1', messages: hello, verbosity: 'low' };
    expect((await app.call('asker', 'POST', CHAT, body)).json.error_code).to.equal('not_supported');
    const byQuery = await app.call('asker', 'POST', `${CHAT}?drop_unsupported=true`, body);
    expect(byQuery.json.ml.warnings.join()).to.include('verbosity');
    const byHeader = await app.call('asker', 'POST', CHAT, body, { 'X-ML-Drop-Unsupported': 'true' });
    expect(byHeader.json.ml.warnings.join()).to.include('verbosity');
    const no = await app.call('asker', 'POST', CHAT, body, { 'X-ML-Drop-Unsupported': 'false' });
    expect(no.json.error_code).to.equal('not_supported');
  });

  it('may ask for a longer time, up to the one of long requests', async () => {
    const app = await gatewayApp();
    const limits = async (query: string) => {
      await app.call('asker', 'POST', `${CHAT}${query}`, { model: 'up/m1', messages: hello });
      return app.slots.limits.at(-1);
    };
    expect(await limits('')).to.equal('usual');
    expect(await limits('?deadline_s=300')).to.equal(300);
    const wrong = await app.call('asker', 'POST', `${CHAT}?deadline_s=0`, { model: 'up/m1', messages: hello });
    expect([wrong.status, wrong.json.errors[0].field]).to.deep.equal([400, 'deadline_s']);
  });

  it('name the end user so that a provider can tell users apart, and not who they are', async () => {
    const app = await gatewayApp();
    for (const user of ['jane.doe@example.org', 'jane.doe@example.org', 'other']) await ask(app, { user });
    const users = sent(app).map(({ user }) => user);
    expect(users[0]).to.match(/^[0-9a-f]{32}$/);
    expect(users[1]).to.equal(users[0]);
    expect(users[2]).to.not.equal(users[0]);
    expect(JSON.stringify(sent(app))).to.not.include('jane');
  });
});

describe('probes of clients', () => {
  for (const path of ['/ai_gateway', '/ai_gateway/v1'])
    it(`find ${path} with GET and HEAD, whoever asks`, async () => {
      const app = await gatewayApp();
      app.user('nobody', { capabilities: [] });
      const got = await app.call('nobody', 'GET', path);
      expect([got.status, typeof got.json.version], got.json.message).to.deep.equal([200, 'string']);
      const head = await app.call('nobody', 'HEAD', path);
      expect([head.status, head.json]).to.deep.equal([200, '']);
      expect((await app.call('nobody', 'POST', path)).status).to.equal(405);
    });

  it('list models with the members of both makers', async () => {
    const app = await gatewayApp();
    const { json } = await app.call('asker', 'GET', '/ai_gateway/v1/models?limit=1000&after_id=x');
    expect(json).to.include({ object: 'list', has_more: false, first_id: 'other/m2', last_id: 'up/m1' });
    const [first] = json.data;
    expect(first).to.include({ id: 'other/m2', object: 'model', type: 'model', display_name: 'other/m2' });
    expect(Date.parse(first.created_at)).to.equal(1000 * first.created);
    const single = await app.call('asker', 'GET', '/ai_gateway/v1/models/up/m1');
    expect(single.json).to.include({ type: 'model', id: 'up/m1' });
  });

  it('an empty list has no first model', async () => {
    const app = await gatewayApp();
    const { json } = await app.call('aliases only', 'GET', '/ai_gateway/v1/models');
    expect(json).to.deep.equal({ object: 'list', data: [], has_more: false, first_id: null, last_id: null });
  });
});

import { expect } from 'chai';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { ask, completionOf, configure, gatewayApp } from '../gatewayApp.ts';
import { observe as look, startContainers, TOKEN } from './containerApp.ts';

describe('language models in containers', () => {
  let app: MemoryApp;
  let asked: { path: string; body: Json }[] = [];
  let served: Record<string, Json>;
  const observe = () => look(app);

  beforeEach(async () => {
    app = await gatewayApp();
    asked = [];
    served = {
      '/v1/models': { object: 'list', data: [{ id: 'org/llama-3' }, { id: 'other' }] },
      '/v1/chat/completions': completionOf('from the container'),
      '/v1/embeddings': { data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 3 } },
      '/version': {},
    };
    app.containers.answer = (path, body) => {
      if (body !== undefined) asked.push({ path, body: JSON.parse(body) });
      const found = served[path];
      return found ? { status: 200, text: JSON.stringify(found) } : { status: 404, text: '{}' };
    };
    await startContainers(app, { Llama: {}, scores: { protocol: 'mlflow' } });
  });

  it('are asked as container/<model>, with the first model that the server lists and its own token', async () => {
    await observe();
    const { status, json } = await ask(app, { model: 'container/llama', max_tokens: 5 });
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json.choices[0].message.content).to.equal('from the container');
    expect(json.model).to.equal('container/llama');
    expect(json.ml).to.include({ service: 'container', connection_name: 'container', model: 'Llama' });
    expect(asked).to.have.length(1);
    expect(asked[0]?.path).to.equal('/v1/chat/completions');
    expect(asked[0]?.body).to.include({ model: 'org/llama-3' });
    expect(new Set(app.containers.probed.map(({ token }) => token))).to.deep.equal(new Set([TOKEN]));
    expect(app.llm.calls).to.deep.equal([]);
    const embedded = await app.call('asker', 'POST', '/ai_gateway/v1/embeddings', {
      model: 'Container/Llama',
      input: 'x',
    });
    expect(embedded.json.data[0].embedding).to.deep.equal([1, 2]);
    await app.gateway.usage.flush();
    const { event } = app.events.find(({ sourcetype }) => sourcetype === 'ml_extension:usage') ?? {};
    expect(event).to.include({ provider: 'container', connection: 'container', model: 'Llama', outcome: 'success' });
    expect(app.leaks(TOKEN)).to.deep.equal([]);
  });

  it('are listed while they answer, to those who may read containers', async () => {
    const ids = async (user = 'asker') =>
      (await app.call(user, 'GET', '/ai_gateway/v1/models')).json.data.map(({ id }: Json) => id);
    expect(await ids()).to.deep.equal(['other/m2', 'up/m1']);
    await observe();
    expect(await ids()).to.deep.equal(['other/m2', 'up/m1', 'container/Llama']);
    const { json } = await app.call('asker', 'GET', '/ai_gateway/v1/models/container/Llama');
    expect(json).to.deep.equal({
      id: 'container/Llama',
      type: 'model',
      display_name: 'container/Llama',
      created_at: new Date(1000 * app.site.clock.seconds()).toISOString(),
      object: 'model',
      created: app.site.clock.seconds(),
      owned_by: 'container',
    });
    expect(await ids('llm')).to.deep.equal(['other/m2', 'up/m1']);
    expect((await ask(app, { model: 'container/llama' }, 'llm')).json.error_code).to.equal('not_found');
    app.settings.stanzas = { feature_flags: { containers: '0' } };
    expect(await ids()).to.deep.equal(['other/m2', 'up/m1']);
    expect((await ask(app, { model: 'container/llama' })).json.error_code).to.equal('not_found');
  });

  it('are looked at again if they did not answer when somebody looked last', async () => {
    expect((await ask(app, { model: 'container/llama' })).status).to.equal(200);
    app.containers.answer = () => ({ status: 503, text: '' });
    for (let times = 0; times < 3; times++) await observe();
    const { status, json } = await ask(app, { model: 'container/llama' });
    expect([status, json.error_code]).to.deep.equal([400, 'invalid_state']);
    expect(json.message).to.equal(
      'The container Llama is not Active: its status is Unreachable (last probe: http_503)',
    );
  });

  it('are no other containers, and no names of configurations', async () => {
    await observe();
    for (const model of ['container/scores', 'container/none', 'container/', 'Llama', 'container/Llama/x']) {
      expect((await ask(app, { model })).json.error_code, model).to.equal('not_found');
    }
    await configure(app, 'container', 'Llama');
    const { json } = await ask(app, { model: 'container/Llama' });
    expect(json.error_code).to.equal('ambiguous_reference');
    expect(json.candidates).to.have.members(['General_Chat/container/Llama', 'container/container/Llama']);
    const found = await ask(app, { model: 'container/container/Llama' });
    expect(found.json.choices[0].message.content).to.equal('from the container');
    const { data } = (await app.call('asker', 'GET', '/ai_gateway/v1/models')).json;
    expect(data.map(({ id }: Json) => id)).to.include.members([
      'container/container/Llama',
      'General_Chat/container/Llama',
    ]);
  });

  it('are held by limits on container/<model>, in any case, which need no container yet', async () => {
    app.user('keeper', { capabilities: ['edit_usage_limits'] });
    const few = {
      name: 'few',
      window: 'hour',
      requests: 1,
      applies_to: { models: ['container/LLAMA', 'container/later'] },
    };
    const made = await app.call('keeper', 'POST', '/usage_limits', few);
    expect([made.status, made.json.warnings ?? []]).to.deep.equal([200, []]);
    expect((await ask(app, { model: 'container/llama' })).status).to.equal(200);
    expect((await ask(app, { model: 'container/Llama' })).json.error_code).to.equal('limit_exceeded');
    expect((await ask(app, {})).status).to.equal(200);
  });

  it('say what is wrong with the server, without its token', async () => {
    await observe();
    served = { '/v1/models': { object: 'list', data: [] } };
    expect((await ask(app, { model: 'container/llama' })).json.error_code).to.equal('model_not_found');
    app.containers.answer = () => ({ status: 500, text: JSON.stringify({ error: { message: `no ${TOKEN} here` } }) });
    const { status, json } = await ask(app, { model: 'container/llama' });
    expect([status, json.error_code]).to.deep.equal([502, 'upstream_error']);
    expect(json.message).to.contain('[redacted]').and.not.to.contain(TOKEN);
  });
});

import { expect } from 'chai';
import { Fault } from '../../../../src/contract/codes/faults.ts';
import { MemoryApp } from '../../../support/memory/app.ts';
import { FaultPlan } from '../../../support/memory/faults.ts';

const OLLAMA = {
  'POST /api/chat': { message: { role: 'assistant', content: 'ok' }, done: true },
  'GET /api/tags': { models: [{ name: 'm:latest' }] },
};
const OPENAI = {
  'POST /v1/chat/completions': { choices: [{ message: { role: 'assistant', content: 'ok' } }] },
  'GET /v1/models': { data: [{ id: 'm' }] },
};
const IDENTITY = { service: 'Local_Runtime', connection_name: 'desk', model: 'm' };

class ReadOnlyConnections extends FaultPlan {
  override async call<T>(name: string, effect: () => T): Promise<T> {
    if (name === 'replace ml_llm_connections') throw new Fault('store_unavailable', 'The store is read-only');
    return super.call(name, effect);
  }
}

describe('Local_Runtime', () => {
  let app: MemoryApp;
  let paths: Readonly<Record<string, object>>;
  beforeEach(async () => {
    paths = {};
    app = new MemoryApp();
    app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config', 'use_ai_gateway'] });
    app.llm.answer = ({ method, url }) => {
      const json = paths[`${method} ${new URL(url).pathname}`];
      return json ? { json } : { status: 404, json: { detail: 'Not Found' } };
    };
    await save();
  });

  const save = (host = 'desk') =>
    app.call('editor', 'POST', '/aicommander', {
      ...IDENTITY,
      servicesettings: { endpoint: { value: `http://${host}.example:8000/v1` } },
    });
  const test = (more: object = {}) => app.call('editor', 'POST', '/aicommander_metadata', { ...IDENTITY, ...more });
  const stored = () => app.site.records.all('ml_llm_connections')[0];
  /** The requests of a test. */
  async function askedBy(more: object = {}) {
    const before = app.llm.calls.length;
    const { json } = await test(more);
    const asked = app.llm.calls.slice(before).map(({ method, url }) => `${method} ${new URL(url).pathname}`);
    return [json.error_code ?? json.success, ...asked];
  }
  const list = { probe: 'list' };

  it('speaks the API of Ollama', async () => {
    paths = { ...OLLAMA, ...OPENAI };
    expect(await askedBy()).to.deep.equal([true, 'GET /api/tags', 'POST /api/chat']);
    expect(stored()).to.include({ api: 'ollama', version: 1 });
  });

  it("speaks OpenAI's where that is missing, and remembers it with the connection", async () => {
    paths = OPENAI;
    expect(await askedBy()).to.deep.equal([true, 'GET /api/tags', 'GET /v1/models', 'POST /v1/chat/completions']);
    expect(stored()).to.include({ api: 'openai', version: 1 });
    expect(await askedBy()).to.deep.equal([true, 'GET /v1/models', 'POST /v1/chat/completions']);
    expect(await askedBy(list)).to.deep.equal([true, 'GET /v1/models']);
    await app.call('editor', 'POST', '/aicommander', { ...IDENTITY, modelsettings: { max_tokens: { value: 5 } } });
    expect(await askedBy(list), 'after a save').to.deep.equal([true, 'GET /v1/models']);
    expect(JSON.stringify((await app.call('editor', 'GET', '/aicommander')).json)).to.not.include('"api"');
  });

  it('asks anew where the remembered path is missing', async () => {
    paths = OPENAI;
    await test(list);
    paths = OLLAMA;
    expect(await askedBy(list)).to.deep.equal([true, 'GET /v1/models', 'GET /api/tags']);
    expect(stored()?.api).to.equal('ollama');
    paths = OPENAI;
    await test(list);
    expect(stored()?.api).to.equal('openai');
  });

  it('asks anew at another address', async () => {
    paths = OPENAI;
    await test(list);
    await save('other');
    expect(stored()).to.not.have.property('api');
    expect(await askedBy(list)).to.deep.equal([true, 'GET /api/tags', 'GET /v1/models']);
  });

  it('does not take the lack of a model for the lack of an API', async () => {
    paths = OLLAMA;
    app.llm.answer = () => ({ status: 404, json: { error: 'model "m" not found, try pulling it first' } });
    const chat = { model: 'desk/m', messages: [{ role: 'user', content: 'hello' }] };
    const { json } = await app.call('editor', 'POST', '/ai_gateway/v1/chat/completions', chat);
    expect(json.error_code, JSON.stringify(json)).to.equal('model_not_found');
    expect(app.llm.calls.map(({ url }) => new URL(url).pathname)).to.deep.equal(['/api/chat']);
    expect(stored()).to.not.have.property('api');
  });

  it('is found at the first use, by one request more', async () => {
    paths = OPENAI;
    const chat = { model: 'desk/m', messages: [{ role: 'user', content: 'hello' }] };
    for (const expected of [['/api/chat', '/v1/chat/completions'], ['/v1/chat/completions']]) {
      app.llm.calls.length = 0;
      const { status, json } = await app.call('editor', 'POST', '/ai_gateway/v1/chat/completions', chat);
      expect(status, JSON.stringify(json)).to.equal(200);
      expect(app.llm.calls.map(({ url }) => new URL(url).pathname)).to.deep.equal(expected);
    }
  });

  it('remembers nothing of a failure, of an address with neither, and of a test of unsaved settings', async () => {
    paths = {};
    expect((await askedBy())[0]).to.equal('upstream_error');
    paths = OPENAI;
    app.llm.answer = ({ url }) => ({ status: url.includes('/api/') ? 404 : 401, json: {} });
    expect((await askedBy(list))[0]).to.equal('auth_failed');
    expect(stored()).to.not.have.property('api');
    app.llm.answer = () => ({ json: OLLAMA['GET /api/tags'] });
    const servicesettings = { endpoint: { value: 'http://desk.example:8000' } };
    expect(await askedBy({ ...list, servicesettings })).to.deep.equal([true, 'GET /api/tags']);
    expect(stored()).to.not.have.property('api');
  });

  it('answers although the store takes no writes', async () => {
    paths = OPENAI;
    const chat = { model: 'desk/m', messages: [{ role: 'user', content: 'hello' }] };
    const body = Buffer.from(JSON.stringify(chat));
    const request = {
      method: 'POST',
      path: '/ai_gateway/v1/chat/completions',
      query: [],
      body,
      sessionToken: 'editor',
    };
    const { status } = await app.request(request, new ReadOnlyConnections());
    expect(status).to.equal(200);
    expect(stored()).to.not.have.property('api');
    expect(app.site.log.text()).to.include('llm_api_not_kept');
  });
});

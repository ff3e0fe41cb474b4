import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { MASK } from '../../../src/contract/basics.ts';
import { root } from '../../architecture/sources.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { SourceCopy } from '../../support/sourceCopy.ts';

const FAMILY = 'src/families/llm-providers';
const KEY = 'key-canary-of-acme';

describe('a new LLM provider, by the recipe of CONTRIBUTING.md, in a copy of the sources', () => {
  let copy: SourceCopy;
  let app: MemoryApp;
  let server: Peer;
  const asked: { path: string | undefined; key: unknown; body: unknown }[] = [];

  const compile = () => copy.compile(`${FAMILY}/providers/registry.ts`);

  before(async () => {
    copy = new SourceCopy();
    server = await startHttp(async (request, response) => {
      const text = await readBody(request);
      const body = text === '' ? undefined : JSON.parse(text);
      asked.push({ path: request.url, key: request.headers['x-acme-key'], body });
      if (request.method === 'GET') sendJson(response, 200, { models: ['anvil-1', 'anvil-2'] });
      else if (body.model === 'anvil-1') sendJson(response, 200, { answer: 'ok' });
      else sendJson(response, 400, { refusal: { why: 'no such model' } });
    });
  });
  after(async () => {
    await server.close();
    copy.remove();
  });
  beforeEach(() => {
    asked.length = 0;
  });

  it('takes a file and a name, and does not compile without its key in the registry', async () => {
    const text = readFileSync(join(root, 'test/support/madeUpProvider.ts'), 'utf8');
    const home = '../../src/families/llm-providers/providers/';
    copy.add(`${FAMILY}/providers/acme.ts`, text.replaceAll(home, './'));
    copy.edit(
      'src/contract/families/llmProviders.ts',
      "  'Platform_Hosted_Models',\n",
      "  'Platform_Hosted_Models',\n  'Acme_Models',\n",
    );
    expect(await compile()).to.match(/registry\.ts.*Property 'Acme_Models' is missing/s);

    const registry = `${FAMILY}/providers/registry.ts`;
    copy.edit(registry, 'import { anthropic }', "import { acme } from './acme.ts';\nimport { anthropic }");
    copy.edit(registry, '  General_Chat: openai,\n', '  General_Chat: openai,\n  Acme_Models: acme,\n');
    expect(await compile()).to.equal('');

    app = await copy.openApp();
    app.user('editor', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    app.llm.http = createOutbound({ allowPrivate: true, noProxy: [] });
  });

  const identity = { service: 'Acme_Models', connection_name: 'works', model: 'anvil-1' };
  const call = (method: string, path: string, body?: object) => app.call('editor', method, path, body);
  const save = (settings: object, more: object = {}) =>
    call('POST', '/aicommander', { ...identity, ...more, servicesettings: settings });
  const region = { value: 'us-east-1' };

  it('is saved with its default address and its key masked, and not without what it needs', async () => {
    const lacking = await save({ access_token: { value: KEY } });
    expect(lacking.json.errors).to.deep.equal([
      { field: 'servicesettings.region.value', message: 'is required for Acme_Models' },
    ]);
    const { json } = await save({ access_token: { value: KEY }, region });
    expect(json.updated_config.servicesettings, JSON.stringify(json)).to.deep.equal({
      access_token: { value: MASK },
      region,
      endpoint: { value: 'https://api.acme.example/v2' },
    });
    expect(app.leaks(KEY)).to.deep.equal([]);
  });

  it('keeps its key from another address, and from another region', async () => {
    const endpoint = { value: `${server.url}/v2/ask` };
    expect((await save({ endpoint, region })).json.error_code).to.equal('secret_required_for_new_host');
    expect((await save({ region: { value: 'eu-west-1' } })).json.error_code).to.equal('secret_required_for_new_host');
    const { json } = await save({ endpoint, region, access_token: { value: KEY } });
    expect(json.updated_config.servicesettings.endpoint, 'trimmed').to.deep.equal({ value: `${server.url}/v2` });
  });

  it('is shown by the catalogue', async () => {
    const { services } = (await call('GET', '/aicommander_metadata')).json.config;
    const { display_name, default_endpoint, fields, models } = services.Acme_Models;
    expect([display_name, default_endpoint]).to.deep.equal(['Acme Models', 'https://api.acme.example/v2']);
    expect(Object.keys(fields)).to.have.members([
      'endpoint',
      'access_token',
      'region',
      'request_timeout',
      'verify_tls',
      'ca_certificate',
      'headers',
      'oauth',
    ]);
    expect(fields.region).to.include({ required: true, secret: false });
    expect(fields.access_token).to.include({ required: true, secret: true });
    expect(models).to.deep.equal([{ id: 'anvil-1', source: 'configured' }]);
  });

  it('is tested in its own dialect', async () => {
    const { json } = await call('POST', '/aicommander_metadata', identity);
    expect(json, JSON.stringify(json)).to.include({ success: true, provider: 'acme_models', response_content: 'ok' });
    const question = { model: 'anvil-1', question: 'Reply with the single word: ok', longest: 16 };
    expect(asked).to.deep.equal([{ path: '/v2/us-east-1/ask', key: KEY, body: question }]);
    const unknown = { ...identity, model: 'no-anvil', servicesettings: { region, endpoint: { value: server.url } } };
    expect((await call('POST', '/aicommander_metadata', { ...unknown, connection_name: 'other' })).json).to.include({
      error_code: 'configuration_invalid',
      message: 'The configuration other lacks servicesettings.access_token.value, which Acme_Models needs',
    });
    const settings = { ...unknown.servicesettings, access_token: { value: KEY } };
    const refused = await call('POST', '/aicommander_metadata', { ...unknown, servicesettings: settings });
    expect(refused.json).to.include({ success: false, error_code: 'model_not_found', http_status_code: 400 });
  });

  it('lists its models, for forms too', async () => {
    const { model: _, ...connection } = identity;
    const { json } = await call('POST', '/aicommander_metadata', { ...connection, action: 'refresh_models' });
    expect(json.models, JSON.stringify(json)).to.deep.equal(['anvil-1', 'anvil-2']);
    expect(json.message).to.equal('The provider offers 2 models');
    const list = await call('GET', '/aicommander');
    expect([list.json.pagination.total, list.json.message]).to.deep.equal([1, '1 LLM configuration']);
    const { services } = (await call('GET', '/aicommander_metadata')).json.config;
    expect(services.Acme_Models.models).to.deep.equal([
      { id: 'anvil-1', source: 'provider' },
      { id: 'anvil-2', source: 'provider' },
    ]);
  });
});

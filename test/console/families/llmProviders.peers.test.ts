import { expect } from 'chai';
import { callAdmin, expectNoComplaints, expectNowhere, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { MODEL, type ScriptedProvider, startProvider, WELL } from '../../support/peers/llm.ts';
import { openSite, type Site, type Visit } from '../../support/programs/browser.ts';

const CANARY = 'canary-of-the-models-4712';
const SERVICE = 'Fast_Inference';
const LISTED = MODEL[SERVICE];
const MASKED = { value: '***MASKED***' };

describe('the console: LLM providers, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let admin: Visit;
  let walk: Walk;

  before(async function () {
    provider = await startProvider((asked) =>
      asked.headers.authorization === `Bearer ${CANARY}`
        ? WELL[SERVICE](asked)
        : { status: 401, body: { error: { message: 'Invalid API Key', code: 'invalid_api_key' } } },
    );
    site = await openSite(this);
    ({ platform, admin } = site);
    walk = walkOf(admin, platform);
  });

  after(async () => {
    await site?.dispose();
    await provider?.close();
  });

  const address = () => `${provider.url}/openai/v1`;
  const make = (connection_name: string, model: string, more: object = {}) => {
    const servicesettings = { endpoint: { value: address() }, access_token: { value: CANARY } };
    const body = { service: SERVICE, connection_name, model, servicesettings, ...more };
    return callAdmin(platform, 'POST', '/aicommander', body);
  };
  const stored = async (connection: string, model: string) =>
    (await callAdmin(platform, 'GET', `/aicommander/${SERVICE}/${connection}/${model}`)).config;
  /** Makes a configuration and presses a button of its panel. @returns the form that opens */
  const openFrom = async (button: string, connection: string, model: string, title: string | RegExp = /^Edit/) => {
    const name = encodeURIComponent(`${SERVICE}/${connection}/${model}`);
    await walk.open(`connections?tab=llm&name=${name}`);
    await walk.press(button, walk.dialog(`${model} (${connection})`));
    return walk.dialog(title);
  };

  it('suggests the models of a provider, and tests and saves one of them', async () => {
    const form = await walk.openForm('connections?tab=llm', 'LLM configuration');
    await walk.choose(form, 'service', 'Enterprise Cloud Chat (Azure OpenAI)');
    await form.getByLabel('API version').waitFor();
    await walk.choose(form, 'service', 'Fast Inference (Groq)');
    await form.getByLabel('API version').waitFor({ state: 'detached' });
    await walk.press('Save', form);
    await walk.see(form, 'Connection is required');
    await walk.fill(form, { Connection: 'desk', Endpoint: address(), 'Access token': 'wrong' });
    await walk.press('Refresh models', form);
    await walk.see(form, 'auth_failed');
    await walk.fill(form, { 'Access token': CANARY });
    await walk.press('Refresh models', form);
    await walk.see(form, 'The provider offers 1 model');
    await walk.fill(form, { Model: 'llama-4' });
    await walk.page.getByRole('option', { name: LISTED }).click();
    await walk.press('Test', form);
    await walk.see(form, 'It works', 'Nothing was saved.');
    await walk.press('Save', form);
    await walk.see(walk.dialog(`${LISTED} (desk)`), 'stored');
    expect((await stored('desk', LISTED)).servicesettings.endpoint).to.deep.equal({ value: address() });
    await expectNowhere(admin, CANARY);
    expectNoComplaints(admin);
  });

  it('names the other models that a change affects, and keeps unknown fields and the secret', async () => {
    const more = { further: { of: 'the team' }, modelsettings: { max_tokens: { value: 9, note: 'ours' }, top: 1 } };
    await make('shared', LISTED, more);
    await make('shared', 'another');
    const form = await openFrom('Edit', 'shared', LISTED);
    const panel = walk.dialog(`${LISTED} (shared)`);
    await walk.see(panel, '"of": "the team"');
    await walk.see(form, 'These settings are shared by 2 models of shared');
    await walk.fill(form, { 'Request timeout': '21', 'Maximum tokens': '' });
    await walk.press('Save', form);
    await form.waitFor({ state: 'detached' });
    const { further, modelsettings, servicesettings } = await stored('shared', LISTED);
    expect({ further, modelsettings, servicesettings }).to.deep.equal({
      further: { of: 'the team' },
      modelsettings: { max_tokens: { note: 'ours' }, top: 1 },
      servicesettings: { endpoint: { value: address() }, request_timeout: { value: 21 }, access_token: MASKED },
    });
    expect((await stored('shared', 'another')).servicesettings.request_timeout).to.deep.equal({ value: 21 });
    provider.asked.length = 0;
    await walk.press('Test options', panel);
    await panel.getByLabel('Test method').click();
    await walk.page.getByRole('option', { name: /list of models/ }).click();
    await walk.press('Test', panel);
    await walk.see(panel, 'It works');
    expect(provider.asked.map(({ method, headers }) => [method, headers.authorization])).to.deep.equal([
      ['GET', `Bearer ${CANARY}`],
    ]);
  });

  it('asks for all secrets again after a change of the address, including custom ones', async () => {
    await make('bound', 'one', {
      servicesettings: { endpoint: { value: address() }, access_token: { value: CANARY }, proxy_password: 'p' },
    });
    const form = await openFrom('Edit', 'bound', 'one');
    await walk.fill(form, { Endpoint: 'http://127.0.0.2:9/v1' });
    await walk.press('Save', form);
    await walk.see(form, 'secret_required_for_new_host');
    await walk.fill(form, { 'Access token': 'another' });
    await walk.press('Remove proxy_password', form);
    await walk.press('Save', form);
    await form.waitFor({ state: 'detached' });
    expect((await stored('bound', 'one')).servicesettings).to.deep.equal({
      endpoint: { value: 'http://127.0.0.2:9/v1' },
      access_token: MASKED,
    });
  });

  it('adds a model to a connection without changing the connection or another model', async () => {
    await make('joined', 'first', { modelsettings: { max_tokens: { value: 5 } } });
    const form = await openFrom('Add model', 'joined', 'first', 'Add a model to joined');
    await walk.see(form, 'exists, with 1 model');
    expect(await form.getByLabel('Endpoint').count(), 'fields of the connection').to.equal(0);
    await walk.fill(form, { Model: 'first' });
    await walk.press('Save', form);
    await walk.see(form, 'The connection already has this model.');
    await walk.fill(form, { Model: LISTED });
    await walk.press('Test', form);
    await walk.see(form, 'It works');
    await walk.press('Save', form);
    await walk.dialog(`${LISTED} (joined)`).getByRole('link', { name: 'first' }).waitFor();
    const first = await stored('joined', 'first');
    expect(first).to.deep.include({ version: 1, modelsettings: { max_tokens: { value: 5 } } });
    expect((await stored('joined', LISTED)).servicesettings).to.deep.equal(first.servicesettings);
  });

  it('clones everything but the secret into a new connection', async () => {
    await make('origin', 'one', { further: 'kept', modelsettings: { max_tokens: { value: 7 } } });
    const form = await openFrom('Clone', 'origin', 'one', /^Clone/);
    await walk.see(form, 'exists, with 1 model');
    await walk.fill(form, { Connection: 'copy' });
    await form.getByLabel('Endpoint').waitFor();
    await walk.press('Save', form);
    await walk.dialog('one (copy)').waitFor();
    const copy = await stored('copy', 'one');
    expect(copy).to.deep.include({ further: 'kept', modelsettings: { max_tokens: { value: 7 } } });
    expect(copy.servicesettings).to.deep.equal({ endpoint: { value: address() }, verify_tls: { value: true } });
  });

  it('names the agents that use a model before it is deleted', async () => {
    await make('used', 'one');
    const acl = { owner: 'admin', sharing: 'user', perms: { read: [], write: [] } };
    const llm = { service: SERVICE, connection_name: 'used', model: 'one' };
    await platform.putDocument('ml_agents', { _key: 'a1', name: 'Ada', acl, llm });
    const question = await openFrom('Delete', 'used', 'one', 'Delete one (used)?');
    await walk.see(question, 'This is the last model of used');
    await walk.press('Delete', question);
    await walk.see(question, 'Ada');
    await walk.press('Delete anyway', question);
    await question.waitFor({ state: 'detached' });
    await callAdmin(platform, 'GET', `/aicommander/${SERVICE}/used/one`, undefined, 404);
    await platform.removeDocument('ml_agents', 'a1');
  });
});

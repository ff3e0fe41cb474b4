import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { expectAccessible, inEveryLook, openSite, openView, type Site, type Visit } from '../support/browser.ts';
import type { TestPlatform } from '../support/e2e/platform.ts';
import { MODEL, type ScriptedProvider, startProvider, WELL } from '../support/peers/llm.ts';

const CANARY = 'canary-of-the-models-4712';
const SERVICE = 'Fast_Inference';
const LISTED = MODEL[SERVICE];

describe('the console: LLM providers, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let admin: Visit;

  before(async function () {
    provider = await startProvider((asked) =>
      asked.headers.authorization === `Bearer ${CANARY}`
        ? WELL[SERVICE](asked)
        : { status: 401, body: { error: { message: 'Invalid API Key', code: 'invalid_api_key' } } },
    );
    site = await openSite(this);
    ({ platform, admin } = site);
  });

  after(async () => {
    await site?.dispose();
    await provider?.close();
  });

  const address = () => `${provider.url}/openai/v1`;
  const make = async (connection_name: string, model: string, more: object = {}) => {
    const servicesettings = { endpoint: { value: address() }, access_token: { value: CANARY } };
    const body = { service: SERVICE, connection_name, model, servicesettings, ...more };
    expect((await platform.ml('admin', 'POST', '/aicommander', body)).status).to.equal(200);
  };
  const stored = async (connection: string, model: string) =>
    (await platform.ml('admin', 'GET', `/aicommander/${SERVICE}/${connection}/${model}`)).json.config;
  const list = () => openView(admin, platform, 'connections?tab=llm');
  const open = (connection: string, model: string) =>
    openView(admin, platform, `connections?tab=llm&name=${encodeURIComponent(`${SERVICE}/${connection}/${model}`)}`);
  const dialog = (name: string | RegExp) => admin.page.getByRole('dialog', { name, exact: true });
  const choose = async (form: Locator, service: string) => {
    await form.getByLabel('Service', { exact: true }).click();
    await admin.page.getByRole('option', { name: service }).click();
  };

  it('a newcomer fills in the form of a provider, takes one of its models, tests and saves it', async () => {
    const { page, complaints } = admin;
    await list();
    await page.getByText('No LLM configurations yet').waitFor();
    await page.getByRole('button', { name: 'New LLM configuration' }).first().click();
    const form = dialog('New LLM configuration');
    await choose(form, 'Enterprise Cloud Chat (Azure OpenAI)');
    await form.getByLabel('API version').waitFor();
    await choose(form, 'Fast Inference (Groq)');
    await form.getByLabel('API version').waitFor({ state: 'detached' });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Connection is required').waitFor();
    await form.getByLabel('Connection', { exact: true }).fill('desk');
    await form.getByLabel('Endpoint').fill(address());
    await form.getByLabel('Access token', { exact: true }).fill('wrong');
    await form.getByRole('button', { name: 'Refresh models' }).click();
    await form.getByText('auth_failed').waitFor();
    await form.getByLabel('Access token', { exact: true }).fill(CANARY);
    await form.getByRole('button', { name: 'Refresh models' }).click();
    await form.getByText('The provider offers 1 model').waitFor();
    await form.getByLabel('Model', { exact: true }).fill('llama-4');
    await page.getByRole('option', { name: LISTED }).click();
    await form.getByRole('button', { name: 'Test', exact: true }).click();
    await form.getByText('It works').waitFor();
    await form.getByText('Nothing was saved.').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await dialog(`${LISTED} (desk)`).getByText('stored').waitFor();
    expect((await stored('desk', LISTED)).servicesettings.endpoint).to.deep.equal({ value: address() });
    const storage = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(`${await page.content()}${storage}${page.url()}`).to.not.contain(CANARY);
    expect(complaints.errors).to.deep.equal([]);
    expect(complaints.strangers).to.deep.equal([]);
  });

  it('a change says for whom it is, keeps what the form does not know, and keeps the secret', async () => {
    const { page } = admin;
    const more = { further: { of: 'the team' }, modelsettings: { max_tokens: { value: 9, note: 'ours' }, top: 1 } };
    await make('shared', LISTED, more);
    await make('shared', 'another', {});
    await open('shared', LISTED);
    const panel = dialog(`${LISTED} (shared)`);
    await panel.getByText('"of": "the team"').waitFor();
    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog(/^Edit/);
    await form.getByText('These settings are shared by 2 models of shared').waitFor();
    await form.getByLabel('Request timeout').fill('21');
    await form.getByLabel('Maximum tokens').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    const { further, modelsettings, servicesettings } = await stored('shared', LISTED);
    expect({ further, modelsettings }).to.deep.equal({
      further: { of: 'the team' },
      modelsettings: { max_tokens: { note: 'ours' }, top: 1 },
    });
    expect(servicesettings).to.deep.equal({
      endpoint: { value: address() },
      request_timeout: { value: 21 },
      access_token: { value: '***MASKED***' },
    });
    expect((await stored('shared', 'another')).servicesettings.request_timeout).to.deep.equal({ value: 21 });
    provider.asked.length = 0;
    await panel.getByText('Test options').click();
    await panel.getByLabel('Test method').click();
    await page.getByRole('option', { name: /list of models/ }).click();
    await panel.getByRole('button', { name: 'Test', exact: true }).click();
    await panel.getByText('It works').waitFor();
    expect(provider.asked.map(({ method, headers }) => [method, headers.authorization])).to.deep.equal([
      ['GET', `Bearer ${CANARY}`],
    ]);
  });

  it('another address wants all secrets again, those of the site too', async () => {
    await make('bound', 'one', {
      servicesettings: { endpoint: { value: address() }, access_token: { value: CANARY }, proxy_password: 'p' },
    });
    await open('bound', 'one');
    await dialog('one (bound)').getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog(/^Edit/);
    await form.getByLabel('Endpoint').fill('http://127.0.0.2:9/v1');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('secret_required_for_new_host').waitFor();
    await form.getByLabel('Access token', { exact: true }).fill('another');
    await form.getByRole('button', { name: 'Remove proxy_password' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    expect((await stored('bound', 'one')).servicesettings).to.deep.equal({
      endpoint: { value: 'http://127.0.0.2:9/v1' },
      access_token: { value: '***MASKED***' },
    });
  });

  it('a model joins a connection without touching it, and never takes the place of another', async () => {
    await make('joined', 'first', { modelsettings: { max_tokens: { value: 5 } } });
    await open('joined', 'first');
    const { page } = admin;
    await page.getByRole('button', { name: 'Add model' }).click();
    const form = dialog('Add a model to joined');
    await form.getByText('exists, with 1 model').waitFor();
    expect(await form.getByLabel('Endpoint').count(), 'settings are not asked for').to.equal(0);
    await form.getByLabel('Model', { exact: true }).fill('first');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The connection already has this model.').waitFor();
    await form.getByLabel('Model', { exact: true }).fill(LISTED);
    await form.getByRole('button', { name: 'Test', exact: true }).click();
    await form.getByText('It works').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await dialog(`${LISTED} (joined)`).getByRole('link', { name: 'first' }).waitFor();
    const first = await stored('joined', 'first');
    expect(first).to.deep.include({ version: 1, modelsettings: { max_tokens: { value: 5 } } });
    expect((await stored('joined', LISTED)).servicesettings).to.deep.equal(first.servicesettings);
  });

  it('a clone has everything but the secret, in a connection of its own', async () => {
    await make('origin', 'one', { further: 'kept', modelsettings: { max_tokens: { value: 7 } } });
    await open('origin', 'one');
    await dialog('one (origin)').getByRole('button', { name: 'Clone', exact: true }).click();
    const form = dialog(/^Clone/);
    await form.getByText('exists, with 1 model').waitFor();
    await form.getByLabel('Connection', { exact: true }).fill('copy');
    await form.getByLabel('Endpoint').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await dialog('one (copy)').waitFor();
    const copy = await stored('copy', 'one');
    expect(copy).to.deep.include({ further: 'kept', modelsettings: { max_tokens: { value: 7 } } });
    expect(copy.servicesettings).to.deep.equal({ endpoint: { value: address() }, verify_tls: { value: true } });
  });

  it('what an agent uses says so before it is deleted', async () => {
    await make('used', 'one');
    const acl = { owner: 'admin', sharing: 'user', perms: { read: [], write: [] } };
    const llm = { service: SERVICE, connection_name: 'used', model: 'one' };
    await platform.putDocument('ml_agents', { _key: 'a1', name: 'Ada', acl, llm });
    await open('used', 'one');
    await dialog('one (used)').getByRole('button', { name: 'Delete', exact: true }).click();
    const question = dialog('Delete one (used)?');
    await question.getByText('This is the last model of used').waitFor();
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await question.getByText('Ada').waitFor();
    await question.getByRole('button', { name: 'Delete anyway' }).click();
    await question.waitFor({ state: 'detached' });
    const gone = await platform.ml('admin', 'GET', `/aicommander/${SERVICE}/used/one`);
    expect(gone.status).to.equal(404);
    await platform.removeDocument('ml_agents', 'a1');
  });

  inEveryLook(
    () => site,
    async (visit) => {
      const { page } = visit;
      await make('seen', 'one', { further: 'field' });
      await openView(visit, platform, 'connections?tab=llm');
      await page.getByRole('table', { name: 'LLM configurations' }).waitFor();
      await expectAccessible(visit, 'the list');
      await page.getByRole('button', { name: 'New LLM configuration' }).first().click();
      const form = page.getByRole('dialog', { name: 'New LLM configuration' });
      await form.getByLabel('Service', { exact: true }).click();
      await page.getByRole('option', { name: /Groq/ }).click();
      await form.getByLabel('Model', { exact: true }).click();
      await expectAccessible(visit, 'the form');
      await openView(visit, platform, `connections?tab=llm&name=${SERVICE}/seen/one`);
      await page.getByRole('button', { name: 'Add model' }).waitFor();
      await page.getByText('Test options').click();
      await page.getByLabel('Test method').waitFor();
      await expectAccessible(visit, 'the panel');
    },
  );
});

import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import { type FaultCode, remedyOf } from '../../src/contract/codes/codes.ts';
import { logIn, openBrowser, openView, type Visit } from '../support/browser.ts';
import { TestPlatform } from '../support/e2e/platform.ts';
import { makeCertificate, startTlsFront } from '../support/peers/certificates.ts';
import { KeyedPeer } from '../support/peers/keyed.ts';
import { listen, type Peer, sendJson, startHttp } from '../support/peers/listen.ts';

const KEY = 'canary-of-the-reasons-4714';
const NOBODY = 'http://127.0.0.1:9';
const NO_HOST = 'http://no-such-host.invalid';
/** A server that never answers is waited for. */
const LONG_MS = 60_000;

describe('the console: why a test fails, in a browser', () => {
  let browser: Browser | undefined;
  let platform: TestPlatform;
  let peer: KeyedPeer;
  let secure: Peer;
  let silent: Peer;
  let engine: Awaited<ReturnType<typeof startEngine>>;
  let admin: Visit;

  before(async function () {
    browser = await openBrowser(() => this.skip());
    peer = await KeyedPeer.start();
    peer.working.add(KEY);
    secure = await startTlsFront(peer.url, makeCertificate());
    silent = await startHttp(() => {});
    engine = await startEngine();
    platform = await new TestPlatform({ env: { ML_WEB_PORT: '0' } }).start();
    await platform.setConf('aws', { endpoint_url: NOBODY });
    if (browser) admin = await logIn(browser, platform);
  });

  after(async () => {
    await browser?.close();
    await platform?.dispose();
    for (const one of [peer, secure, silent, engine]) await one?.close();
  });

  const dialog = (name: string) => admin.page.getByRole('dialog', { name, exact: true });
  const press = (where: Locator, name: string) => where.getByRole('button', { name, exact: true }).first().click();
  async function newOne(address: string, one: string): Promise<Locator> {
    await openView(admin, platform, address);
    await admin.page
      .getByRole('button', { name: `New ${one}` })
      .first()
      .click();
    return dialog(`New ${one}`);
  }
  async function fails(form: Locator, code: FaultCode): Promise<void> {
    await press(form, 'Test');
    const said = form.getByRole('status');
    await said.getByText(code, { exact: true }).first().waitFor({ timeout: LONG_MS });
    await said
      .getByText(remedyOf(code) ?? 'a remedy', { exact: true })
      .first()
      .waitFor();
    await said.getByText('Nothing was saved.').waitFor();
  }
  /** What could not be verified: why stands behind the code, and nothing was saved. */
  async function isRefused(form: Locator, code: string, remedy = remedyOf(code) ?? 'a remedy'): Promise<void> {
    await press(form, 'Test and save');
    const said = form.getByRole('alert');
    await said.getByText(`verification_failed: ${code}`, { exact: true }).waitFor({ timeout: LONG_MS });
    await said.getByText(remedy, { exact: true }).waitFor();
    await said.getByText('Nothing was saved.').waitFor();
  }
  async function works(form: Locator): Promise<void> {
    await press(form, 'Test');
    await form.getByText(/It works \(\d+ ms\)/).waitFor();
    await form.getByText('Nothing was saved.').waitFor();
  }
  const saved = async (path: string) => (await platform.ml('admin', 'GET', path)).json.result as unknown[];

  /** Code -> where the address leads. */
  const addresses = (path: string): [FaultCode, string][] => [
    ['dns_failed', `${NO_HOST}${path}`],
    ['connection_refused', `${NOBODY}${path}`],
    ['tls_untrusted', `${secure.url}${path}`],
    ['timeout', `${silent.url}${path}`],
    ['auth_failed', `${peer.url}${path}`],
  ];

  it('an MCP server', async () => {
    const form = await newOne('connections', 'MCP connection');
    await form.getByLabel('Name', { exact: true }).fill('Desk');
    await form.getByLabel('Token', { exact: true }).fill('wrong');
    for (const [code, address] of addresses('/mcp')) {
      await form.getByLabel('Address').fill(address);
      await fails(form, code);
    }
    expect(await saved('/mcp_connection')).to.deep.equal([]);
    await form.getByLabel('Token', { exact: true }).fill(KEY);
    await works(form);
    expect(await saved('/mcp_connection')).to.deep.equal([]);
    await press(form, 'Save');
    await press(dialog('Desk'), 'Edit');
    const edit = dialog('Edit Desk');
    await edit.getByLabel('Address').fill(`${peer.url}/mcp?moved=1`);
    peer.asked.length = 0;
    await works(edit);
    expect(new Set(peer.asked), 'the stored secret').to.deep.equal(new Set([KEY]));
  });

  it('a language model', async () => {
    const { page } = admin;
    const form = await newOne('connections?tab=llm', 'LLM configuration');
    await form.getByLabel('Service', { exact: true }).click();
    await page.getByRole('option', { name: 'Fast Inference (Groq)' }).click();
    await form.getByLabel('Connection', { exact: true }).fill('desk');
    await form.getByLabel('Model', { exact: true }).fill('gpt-4o-mini');
    await form.getByLabel('Access token', { exact: true }).fill('wrong');
    await form.getByLabel('Request timeout').fill('2');
    for (const [code, address] of addresses('/v1')) {
      await form.getByLabel('Endpoint').fill(address);
      await fails(form, code);
    }
    await form.getByLabel('Access token', { exact: true }).fill(KEY);
    await works(form);
    expect(await saved('/aicommander')).to.deep.equal([]);
    await press(form, 'Save');
    const panel = dialog('gpt-4o-mini (desk)');
    await press(panel, 'Edit');
    const edit = page.getByRole('dialog', { name: /^Edit/ });
    await edit.getByLabel('Request timeout').fill('20');
    peer.asked.length = 0;
    await works(edit);
    expect(new Set(peer.asked), 'the stored secret').to.deep.equal(new Set([KEY]));
  });

  it('a vector store and a model in the cloud', async () => {
    const store = await newOne('connections?tab=vectors', 'vector store');
    await store.getByLabel('Name', { exact: true }).fill('Runbooks');
    await store.getByLabel('Knowledge base id').fill('ABCDE12345');
    await withKeys(store);
    await fails(store, 'connection_refused');
    const model = await newOne('models', 'cloud model');
    await model.getByLabel('Name', { exact: true }).fill('churn');
    await model.getByLabel('SageMaker endpoint').fill('ready');
    await withKeys(model);
    await fails(model, 'connection_refused');
    expect(await saved('/vector_stores')).to.deep.equal([]);
  });

  it('a Kubernetes cluster', async () => {
    const form = await newOne('connections?tab=containers', 'container connection');
    await form.getByLabel('Name', { exact: true }).fill('cluster');
    await choose(form, 'container_type', 'Kubernetes');
    await choose(form, 'auth_mode', 'Bearer token');
    const token = form.locator('[data-place="payload.user_token"] input');
    await token.fill('wrong');
    for (const [code, address] of addresses('')) {
      await form.getByLabel('Cluster URL').fill(address);
      await isRefused(form, code);
    }
    expect(await saved('/container_connection/kubernetes')).to.deep.equal([]);
    await token.fill(KEY);
    await press(form, 'Test and save');
    await press(dialog('cluster'), 'Edit');
    const edit = dialog('Edit cluster');
    await edit.getByLabel('Storage class').fill('fast');
    peer.working.clear();
    await isRefused(edit, 'auth_failed');
    expect((await saved('/container_connection/kubernetes'))[0]).to.not.have.property('storage_class');
    peer.working.add(KEY);
    peer.asked.length = 0;
    await press(edit, 'Test and save');
    await dialog('cluster').getByText('fast', { exact: true }).waitFor();
    expect(new Set(peer.asked), 'the stored secret').to.deep.equal(new Set([KEY]));
  });

  it('a Docker engine, which knows its callers by their certificates', async () => {
    const form = await newOne('connections?tab=containers', 'container connection');
    const address = form.getByLabel('Docker URL');
    await form.getByLabel('Name', { exact: true }).fill('engine');
    // What is neither refused nor unknown is refused by the engine itself, in its own words.
    for (const [code, url] of addresses('').filter(([one]) => one !== 'auth_failed')) {
      await address.fill(url.replace('http:', 'tcp:'));
      await isRefused(form, code);
    }
    await form.getByLabel('CA certificates').fill(engine.ca);
    await address.fill(engine.url);
    await isRefused(form, 'forbidden', 'Grant the account of the connection this permission in the engine.');
    expect(await saved('/container_connection/docker')).to.deep.equal([]);
    await form.getByLabel('Client certificate', { exact: true }).fill(engine.ours.cert);
    await form.getByLabel('Client key', { exact: true }).fill(engine.ours.key);
    await press(form, 'Test and save');
    await press(dialog('engine'), 'Edit');
    const edit = dialog('Edit engine');
    await edit.getByLabel('External host').fill('ml.example.com');
    engine.callers.length = 0;
    await press(edit, 'Test and save');
    await dialog('engine').getByText('ml.example.com', { exact: true }).waitFor();
    // Nobody shows a certificate without its key.
    expect(new Set(engine.callers), 'with the stored key').to.deep.equal(new Set(['client']));
    const { json } = await platform.ml('admin', 'GET', '/container_connection/docker/engine');
    expect(json.config.client_key).to.equal('***MASKED***');
  });

  const choose = async (form: Locator, field: string, option: string) => {
    await form.locator(`[data-place="payload.${field}"] button`).click();
    await admin.page.getByRole('option', { name: option, exact: true }).click();
  };
  async function withKeys(form: Locator): Promise<void> {
    await form.getByLabel('Region').fill('eu-central-1');
    await form.getByLabel('Access key id').fill('AKIAEXAMPLE');
    await form.getByLabel('Secret access key', { exact: true }).fill(KEY);
  }
});

/** As much of a Docker engine as a test asks for, over TLS; `callers` are the names in the certificates that were shown. */
async function startEngine() {
  const authority = makeCertificate({ ca: true });
  const ours = makeCertificate({ names: ['client'], issuer: authority });
  const callers: string[] = [];
  const tls = { ...makeCertificate({ issuer: authority }), ca: authority.cert, requestCert: true };
  const server = createServer({ ...tls, rejectUnauthorized: false }, (request, response) => {
    const { authorized, getPeerCertificate } = request.socket as TLSSocket;
    callers.push(String(getPeerCertificate.call(request.socket).subject?.CN));
    if (authorized) sendJson(response, 200, { ApiVersion: '1.47', MinAPIVersion: '1.24', Version: '27.0' });
    else sendJson(response, 403, { message: 'authorization denied by plugin: no certificate' });
  });
  const { port, close } = await listen(server);
  return { url: `https://127.0.0.1:${port}`, close, ca: authority.cert, ours, callers };
}

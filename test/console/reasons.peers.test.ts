import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import { type FaultCode, remedyOf } from '../../src/contract/codes.ts';
import { logIn, openBrowser, openView, type Visit } from '../support/browser.ts';
import { TestPlatform } from '../support/e2e/platform.ts';
import { makeCertificate, startTlsFront } from '../support/peers/certificates.ts';
import { KeyedPeer } from '../support/peers/keyed.ts';
import { type Peer, startHttp } from '../support/peers/listen.ts';

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
  let admin: Visit;

  before(async function () {
    browser = await openBrowser(() => this.skip());
    peer = await KeyedPeer.start();
    peer.working.add(KEY);
    secure = await startTlsFront(peer.url, makeCertificate());
    silent = await startHttp(() => {});
    platform = await new TestPlatform({ env: { ML_WEB_PORT: '0' } }).start();
    await platform.setConf('aws', { endpoint_url: NOBODY });
    if (browser) admin = await logIn(browser, platform);
  });

  after(async () => {
    await browser?.close();
    await platform?.dispose();
    for (const one of [peer, secure, silent]) await one?.close();
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

  async function withKeys(form: Locator): Promise<void> {
    await form.getByLabel('Region').fill('eu-central-1');
    await form.getByLabel('Access key id').fill('AKIAEXAMPLE');
    await form.getByLabel('Secret access key', { exact: true }).fill(KEY);
  }
});

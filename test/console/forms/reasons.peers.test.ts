import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { type FaultCode, remedyOf } from '../../../src/contract/codes/codes.ts';
import { callAdmin, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { makeCertificate, startTlsFront } from '../../support/peers/certificates.ts';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { listen, type Peer, sendJson, startHttp } from '../../support/peers/listen.ts';
import { openSite, type Site } from '../../support/programs/browser.ts';

const KEY = 'canary-of-the-reasons-4714';
const NOBODY = 'http://127.0.0.1:9';
const NO_HOST = 'http://no-such-host.invalid';
/** Long enough for the timeout of a server that never answers. */
const LONG_MS = 60_000;

describe('the console: why a test fails, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let peer: KeyedPeer;
  let secure: Peer;
  let silent: Peer;
  let engine: Awaited<ReturnType<typeof startEngine>>;
  let walk: Walk;

  before(async function () {
    site = await openSite(this);
    ({ platform } = site);
    walk = walkOf(site.admin, platform);
    peer = await KeyedPeer.start();
    peer.working.add(KEY);
    secure = await startTlsFront(peer.url, makeCertificate());
    silent = await startHttp(() => {});
    engine = await startEngine();
    await platform.setConf('aws', { endpoint_url: NOBODY });
  });

  after(async () => {
    await site?.dispose();
    for (const one of [peer, secure, silent, engine]) await one?.close();
  });

  async function fails(form: Locator, code: FaultCode): Promise<void> {
    await walk.press('Test', form);
    const status = form.getByRole('status');
    await status.getByText(code, { exact: true }).first().waitFor({ timeout: LONG_MS });
    await walk.see(status, remedyOf(code) ?? 'a remedy', 'Nothing was saved.');
  }
  /** The save is refused with the reason behind the code. The form names its fields by their labels. */
  async function isRefused(form: Locator, code: string, remedy = remedyOf(code) ?? 'a remedy'): Promise<void> {
    await walk.press('Test and save', form);
    const alert = form.getByRole('alert');
    await alert.getByText(`verification_failed: ${code}`, { exact: true }).waitFor({ timeout: LONG_MS });
    await walk.see(alert, remedy.replace('`cluster_ca`', '"CA certificates"'), 'Nothing was saved.');
  }
  async function works(form: Locator): Promise<void> {
    await walk.press('Test', form);
    await walk.see(form, /It works \(\d+ ms\)/, 'Nothing was saved.');
  }
  const saved = async (path: string) => (await callAdmin(platform, 'GET', path)).result as unknown[];

  /** Code -> address that causes it. */
  const addresses = (path: string): [FaultCode, string][] => [
    ['dns_failed', `${NO_HOST}${path}`],
    ['connection_refused', `${NOBODY}${path}`],
    ['tls_untrusted', `${secure.url}${path}`],
    ['timeout', `${silent.url}${path}`],
    ['auth_failed', `${peer.url}${path}`],
  ];

  it('explains why an MCP server cannot be used', async () => {
    const form = await walk.openForm('connections', 'MCP connection');
    await walk.fill(form, { Name: 'Desk', Token: 'wrong' });
    for (const [code, address] of addresses('/mcp')) {
      await form.getByLabel('Address').fill(address);
      await fails(form, code);
    }
    expect(await saved('/mcp_connection')).to.deep.equal([]);
    await form.getByLabel('Token', { exact: true }).fill(KEY);
    await works(form);
    expect(await saved('/mcp_connection')).to.deep.equal([]);
    await walk.press('Save', form);
    const edit = await walk.edit('Desk');
    await edit.getByLabel('Address').fill(`${peer.url}/mcp?moved=1`);
    peer.asked.length = 0;
    await works(edit);
    expect(new Set(peer.asked), 'the stored secret').to.deep.equal(new Set([KEY]));
  });

  it('explains why a language model cannot be used', async () => {
    const form = await walk.openForm('connections?tab=llm', 'LLM configuration');
    await walk.choose(form, 'service', 'Fast Inference (Groq)');
    await walk.fill(form, {
      Connection: 'desk',
      Model: 'gpt-4o-mini',
      'Access token': 'wrong',
      'Request timeout': '2',
    });
    for (const [code, address] of addresses('/v1')) {
      await form.getByLabel('Endpoint').fill(address);
      await fails(form, code);
    }
    await form.getByLabel('Access token', { exact: true }).fill(KEY);
    await works(form);
    expect(await saved('/aicommander')).to.deep.equal([]);
    await walk.press('Save', form);
    const panel = walk.dialog('gpt-4o-mini (desk)');
    await walk.press('Edit', panel);
    const edit = walk.dialog(/^Edit/);
    await edit.getByLabel('Request timeout').fill('20');
    peer.asked.length = 0;
    await works(edit);
    expect(new Set(peer.asked), 'the stored secret').to.deep.equal(new Set([KEY]));
  });

  it('explains why AWS cannot be reached', async () => {
    const store = await walk.openForm('connections?tab=vectors', 'vector store');
    await walk.choose(store, 'type', 'Amazon Bedrock knowledge base');
    await walk.fill(store, { Name: 'Runbooks', 'Knowledge base id': 'ABCDE12345' });
    await withKeys(store);
    await fails(store, 'connection_refused');
    const model = await walk.openForm('models', 'cloud model');
    await walk.fill(model, { Name: 'churn', 'SageMaker endpoint': 'ready' });
    await withKeys(model);
    await fails(model, 'connection_refused');
    expect(await saved('/vector_stores')).to.deep.equal([]);
  });

  it('explains why a Kubernetes cluster cannot be used', async () => {
    const form = await walk.openForm('connections?tab=containers', 'container connection');
    await form.getByLabel('Name', { exact: true }).fill('cluster');
    await walk.choose(form, 'payload.container_type', 'Kubernetes');
    await walk.choose(form, 'payload.auth_mode', 'Bearer token');
    const token = form.locator('[data-place="payload.user_token"] input');
    await token.fill('wrong');
    for (const [code, address] of addresses('')) {
      await form.getByLabel('Cluster URL').fill(address);
      await isRefused(form, code);
    }
    expect(await saved('/container_connection/kubernetes')).to.deep.equal([]);
    await token.fill(KEY);
    await walk.press('Test and save', form);
    const edit = await walk.edit('cluster');
    await edit.getByLabel('Storage class').fill('fast');
    peer.working.clear();
    await isRefused(edit, 'auth_failed');
    expect((await saved('/container_connection/kubernetes'))[0]).to.not.have.property('storage_class');
    peer.working.add(KEY);
    peer.asked.length = 0;
    await walk.press('Test and save', edit);
    await walk.dialog('cluster').getByText('fast', { exact: true }).waitFor();
    expect(new Set(peer.asked), 'the stored secret').to.deep.equal(new Set([KEY]));
  });

  it('explains why a Docker engine with client certificates cannot be used', async () => {
    const form = await walk.openForm('connections?tab=containers', 'container connection');
    const address = form.getByLabel('Docker URL');
    await form.getByLabel('Name', { exact: true }).fill('engine');
    // The engine itself refuses unknown callers, in its own words.
    for (const [code, url] of addresses('').filter(([one]) => one !== 'auth_failed')) {
      await address.fill(url.replace('http:', 'tcp:'));
      await isRefused(form, code);
    }
    await form.getByLabel('CA certificates').fill(engine.ca);
    await address.fill(engine.url);
    await isRefused(form, 'forbidden', 'Grant the account of the connection this permission in the engine.');
    expect(await saved('/container_connection/docker')).to.deep.equal([]);
    await walk.fill(form, { 'Client certificate': engine.ours.cert, 'Client key': engine.ours.key });
    await walk.press('Test and save', form);
    const edit = await walk.edit('engine');
    await edit.getByLabel('External host').fill('ml.example.com');
    engine.callers.length = 0;
    await walk.press('Test and save', edit);
    await walk.dialog('engine').getByText('ml.example.com', { exact: true }).waitFor();
    expect(new Set(engine.callers), 'with the stored key').to.deep.equal(new Set(['client']));
    const { json } = await platform.ml('admin', 'GET', '/container_connection/docker/engine');
    expect(json.config.client_key).to.equal('***MASKED***');
  });

  it('counts no failed verification as an error of the page', () => {
    const { errors, refused } = site.admin.complaints;
    expect(refused.filter((line) => /^500 .*\/test_container_connection$/.test(line))).to.not.be.empty;
    expect(errors).to.deep.equal([]);
  });

  async function withKeys(form: Locator): Promise<void> {
    await walk.fill(form, { Region: 'eu-central-1', 'Access key id': 'AKIAEXAMPLE', 'Secret access key': KEY });
  }
});

/** The part of a Docker engine that a test calls, over TLS. `callers` has the names of the client certificates. */
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

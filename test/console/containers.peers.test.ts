import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import {
  ContainerClient,
  cleanDocker,
  dockerUrl,
  needsDocker,
  testDocker,
} from '../e2e/containers/containerSupport.ts';
import { expectAccessible, openSite, openView, type Site, type Visit } from '../support/browser.ts';
import type { TestPlatform } from '../support/e2e/platform.ts';

const CANARY = 'canary-of-the-containers-4711';
const NOBODY = 'tcp://127.0.0.1:1';

describe('the console: containers and their connections, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let client: ContainerClient;
  let admin: Visit;

  before(async function () {
    site = await openSite(this);
    ({ platform, admin } = site);
    client = new ContainerClient(platform);
    await platform.createUser('reader', ['ml_user']);
  });

  after(() => site?.dispose());

  const connections = async (type: string) =>
    (await platform.ml('admin', 'GET', `/container_connection/${type}`)).json.result as Record<string, unknown>[];
  const stored = async (type: string, name: string) =>
    (await platform.ml('admin', 'GET', `/container_connection/${type}/${name}`)).json.config;
  const dialog = (name: string | RegExp) => admin.page.getByRole('dialog', { name, exact: true });
  const press = (where: Locator, name: string) => where.getByRole('button', { name, exact: true }).click();
  const choose = async (form: Locator, field: string, option: string) => {
    await form.locator(`[data-place="payload.${field}"] button`).click();
    await admin.page.getByRole('option', { name: option, exact: true }).click();
  };
  const openConnections = (more = '') => openView(admin, platform, `connections?tab=containers${more}`);

  it('a connection is saved if its engine answers, or without asking it', async () => {
    await openConnections();
    await admin.page.getByText('No container connections yet').waitFor();
    await admin.page.getByRole('button', { name: 'New container connection' }).first().click();
    const form = dialog('New container connection');
    await press(form, 'Test and save');
    await form.getByText('Docker URL is required').waitFor();
    await expectAccessible(admin, 'the form of a connection');
    await form.getByLabel('Name', { exact: true }).fill('Desk');
    await form.getByLabel('Docker URL').fill(NOBODY);
    await press(form, 'Test and save');
    await form.getByText('verification_failed').waitFor();
    await form.getByText('Nothing was saved.').waitFor();
    expect(await connections('docker')).to.deep.equal([]);
    await press(form, 'Save without test');
    const panel = dialog('Desk');
    await press(panel, 'Test');
    await panel.getByText('The test failed').waitFor();
    await expectAccessible(admin, 'the panel of a connection');
    expect(await stored('docker', 'Desk')).to.include({ docker_url: NOBODY, container_enable_https: 'false' });
  });

  it('an edit sends what has changed alone, and a secret that would go elsewhere is asked for again', async () => {
    const before = await stored('docker', 'Desk');
    await openConnections('&name=docker/Desk');
    await press(dialog('Desk'), 'Edit');
    const form = dialog('Edit Desk');
    await form.getByLabel('Export traces').check();
    await form.getByLabel('OTLP endpoint').fill('https://otel.example:4318');
    await press(form, 'Save without test');
    await dialog('Desk').getByText('https://otel.example:4318').waitFor();
    const { obs_enabled, obs_otel_endpoint, version, last_updated_at, ...rest } = await stored('docker', 'Desk');
    expect({ ...rest, version: version - 1, last_updated_at: before.last_updated_at }).to.deep.equal(before);
    expect({ obs_enabled, obs_otel_endpoint }).to.deep.equal({
      obs_enabled: 'true',
      obs_otel_endpoint: 'https://otel.example:4318',
    });

    await press(dialog('Desk'), 'Edit');
    await form.getByLabel('Docker URL').fill('tcp://127.0.0.9:1');
    await press(form, 'Save without test');
    await form.getByText('API token must be entered again').waitFor();
    await press(form, 'Save without test');
    await form.getByText('API token is empty').waitFor();
    await form.getByLabel('API token', { exact: true }).fill(CANARY);
    await press(form, 'Save without test');
    await dialog('Desk').getByText('tcp://127.0.0.9:1').waitFor();
    expect(await admin.page.content()).to.not.contain(CANARY);
  });

  it('asks for what belongs to the engine and to the way of signing in', async () => {
    await openConnections();
    await admin.page.getByRole('button', { name: 'New container connection' }).first().click();
    const form = dialog('New container connection');
    await form.getByLabel('Name', { exact: true }).fill('Desk');
    await choose(form, 'container_type', 'Kubernetes');
    expect(await form.getByLabel('Docker URL').count()).to.equal(0);
    await form.getByLabel('Cluster URL').fill('https://127.0.0.1:1');
    await choose(form, 'auth_mode', 'Client certificate and key');
    const key = form.getByLabel('Client key', { exact: true });
    await key.fill(`${CANARY}\nsecond line`);
    expect(
      await key.evaluate((element) => getComputedStyle(element).getPropertyValue('-webkit-text-security')),
    ).to.equal('disc');
    await choose(form, 'auth_mode', 'Bearer token');
    await press(form, 'Save without test');
    await form.getByText('Bearer token is required').waitFor();
    await form.locator('[data-place="payload.user_token"] input').fill(CANARY);
    await form.getByLabel('The platform runs in this cluster').check();
    await press(form, 'Save without test');
    await dialog('Desk').getByText('bearer token', { exact: true }).waitFor();
    const record = await stored('kubernetes', 'Desk');
    expect(record).to.include({ auth_mode: 'user-token', in_cluster_mode: '1', user_token: '***MASKED***' });
    expect(record).to.not.have.any.keys('cluster_url', 'client_key', 'docker_url');
  });

  it('both engines stand in one list, which can be narrowed down, searched and sorted', async () => {
    const { page } = admin;
    await openConnections();
    const names = async () => page.getByRole('table').getByRole('link').allInnerTexts();
    await page.getByText('of 2', { exact: false }).waitFor();
    expect(await names()).to.deep.equal(['Desk', 'Desk']);
    await openConnections('&container_type=kubernetes');
    await page.getByRole('cell', { name: 'Kubernetes' }).waitFor();
    expect(await names()).to.deep.equal(['Desk']);
    await openConnections('&name=docker/Desk');
    await dialog('Desk').getByText('tcp://127.0.0.9:1').waitFor();
    await press(dialog('Desk'), 'Delete');
    await press(dialog('Delete Desk?'), 'Delete');
    await page.getByText('of 1', { exact: false }).waitFor();
    expect(await connections('docker')).to.deep.equal([]);
  });

  it('who may only read sees why nothing can be started', async () => {
    const reader = await site.visit('reader');
    await openView(reader, platform, 'containers');
    const start = reader.page.getByRole('button', { name: 'Start', exact: true }).first();
    await start.hover();
    await reader.page.getByText('control_containers').waitFor();
    expect(await start.getAttribute('aria-disabled')).to.equal('true');
    await reader.context.close();
  });

  it('a container is started, seen to become active, read and stopped', async function () {
    needsDocker(this);
    const { page, complaints } = admin;
    const reply = await client.save({ container_type: 'docker', connection_name: 'Engine', docker_url: dockerUrl });
    expect(reply.status, reply.text).to.equal(200);
    try {
      await openView(admin, platform, 'containers');
      await page.getByText('No containers yet').waitFor();
      await page.getByRole('button', { name: 'Start', exact: true }).first().click();
      const form = dialog('Start a container');
      await press(form, 'Start');
      await form.getByText('Model is required').waitFor();
      await form.getByLabel('Model', { exact: true }).fill('churn');
      await choose(form, 'image', 'Red Hat UBI Golden CPU (5.2.4)');
      await choose(form, 'connection_name', 'Desk (Kubernetes)');
      await form.getByLabel('Autoscale by CPU usage').check();
      await form.getByLabel('Max replicas').waitFor();
      await choose(form, 'connection_name', 'Engine (Docker)');
      expect(await form.getByLabel('Max replicas').count()).to.equal(0);
      await expectAccessible(admin, 'the form of a start');
      await press(form, 'Start');
      const panel = dialog('churn');
      await panel.getByText('Active', { exact: true }).waitFor();
      await panel.getByRole('link', { name: /^http/ }).first().waitFor();
      await page.getByText('The connection has no jupyter_passwd').waitFor();
      await expectAccessible(admin, 'the panel of a container');

      await press(panel, 'Logs');
      const logs = dialog('Logs of churn');
      await logs.getByText('Started server process').waitFor();
      await logs.getByLabel('Search in the log').fill('started SERVER');
      await logs.getByText(/1 of \d+ lines matches/).waitFor();
      await logs.getByLabel('Matching lines only').check();
      const [file] = await Promise.all([page.waitForEvent('download'), press(logs, 'Download')]);
      expect(file.suggestedFilename()).to.equal('churn.log');
      await logs.getByLabel('Follow').check();
      await logs.getByText('; following').waitFor();
      await expectAccessible(admin, 'a log');
      await page.reload();
      await dialog('Logs of churn').getByText('Started server process').waitFor();
      await page.goBack();
      await dialog('churn').waitFor();

      await press(dialog('churn'), 'Stop');
      await press(dialog('Stop churn?'), 'Stop');
      await page.getByText('No containers yet').waitFor();
      expect((await client.data()).json.config).to.deep.equal({});
      expect(complaints.errors).to.deep.equal([]);
      expect(complaints.strangers).to.deep.equal([]);
    } finally {
      const installation = await client.installation();
      await client.stopAll();
      await cleanDocker(testDocker(), installation);
    }
  });
});

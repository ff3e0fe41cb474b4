import { expect } from 'chai';
import {
  ContainerClient,
  cleanDocker,
  dockerUrl,
  needsDocker,
  testDocker,
} from '../../e2e/containers/containerSupport.ts';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { expectAccessible, openSite, type Site, type Visit } from '../../support/programs/browser.ts';

const CANARY = 'canary-of-the-containers-4711';
const NOBODY = 'tcp://127.0.0.1:1';

describe('the console: containers and their connections, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let client: ContainerClient;
  let admin: Visit;
  let walk: Walk;

  before(async function () {
    site = await openSite(this);
    ({ platform, admin } = site);
    client = new ContainerClient(platform);
    walk = walkOf(admin, platform);
    const desk = { container_type: 'docker', connection_name: 'Desk', docker_url: NOBODY };
    await callAdmin(platform, 'POST', '/container_connection', { payload: desk });
  });

  after(() => site?.dispose());

  const stored = async (type: string) =>
    (await callAdmin(platform, 'GET', `/container_connection/${type}/Desk`)).config;
  const list = 'connections?tab=containers';

  it('sends only the changed fields, and asks for a secret again after a change of the address', async () => {
    const before = await stored('docker');
    await walk.open(`${list}&name=docker/Desk`);
    const panel = walk.dialog('Desk');
    const form = await walk.edit('Desk');
    await form.getByLabel('Export traces').check();
    await walk.fill(form, { 'OTLP endpoint': 'https://otel.example:4318' });
    await walk.press('Save without test', form);
    await walk.see(panel, 'https://otel.example:4318');
    const { obs_enabled, obs_otel_endpoint, version, last_updated_at, ...rest } = await stored('docker');
    expect({ ...rest, version: version - 1, last_updated_at: before.last_updated_at }).to.deep.equal(before);
    expect([obs_enabled, obs_otel_endpoint]).to.deep.equal(['true', 'https://otel.example:4318']);

    await walk.edit('Desk');
    await walk.fill(form, { 'Docker URL': 'tcp://127.0.0.9:1' });
    await walk.press('Save without test', form);
    await walk.see(form, 'API token must be entered again');
    await walk.press('Save without test', form);
    await walk.see(form, 'API token is empty');
    await walk.fill(form, { 'API token': CANARY });
    await walk.press('Save without test', form);
    await walk.see(panel, 'tcp://127.0.0.9:1');
    expect(await walk.page.content()).to.not.contain(CANARY);
  });

  it('asks for the fields of the engine and of the sign-in', async () => {
    const form = await walk.openForm(list, 'container connection');
    await walk.press('Test and save', form);
    await walk.see(form, 'Docker URL is required');
    await walk.fill(form, { Name: 'Desk' });
    await walk.choose(form, 'payload.container_type', 'Kubernetes');
    expect(await form.getByLabel('Docker URL').count()).to.equal(0);
    await walk.fill(form, { 'Cluster URL': 'https://127.0.0.1:1' });
    await walk.choose(form, 'payload.auth_mode', 'Client certificate and key');
    const key = form.getByLabel('Client key', { exact: true });
    await key.fill(`${CANARY}\nsecond line`);
    const style = await key.evaluate((element) => getComputedStyle(element).getPropertyValue('-webkit-text-security'));
    expect(style).to.equal('disc');
    await walk.choose(form, 'payload.auth_mode', 'Bearer token');
    await walk.press('Save without test', form);
    await walk.see(form, 'Bearer token is required');
    await form.locator('[data-place="payload.user_token"] input').fill(CANARY);
    await form.getByLabel('The platform runs in this cluster').check();
    await walk.press('Save without test', form);
    await walk.see(walk.dialog('Desk'), /^bearer token$/);
    const record = await stored('kubernetes');
    expect(record).to.include({ auth_mode: 'user-token', in_cluster_mode: '1', user_token: '***MASKED***' });
    expect(record).to.not.have.any.keys('cluster_url', 'client_key', 'docker_url');
  });

  it('lists both engines together, and filters them', async () => {
    const { page } = walk;
    const names = async () => page.getByRole('table').getByRole('link').allInnerTexts();
    await walk.open(list);
    await walk.see(page, 'of 2');
    expect(await names()).to.deep.equal(['Desk', 'Desk']);
    await walk.open(`${list}&container_type=kubernetes`);
    await page.getByRole('cell', { name: 'Kubernetes' }).waitFor();
    expect(await names()).to.deep.equal(['Desk']);
    await walk.open(`${list}&name=docker/Desk`);
    await walk.see(walk.dialog('Desk'), 'tcp://127.0.0.9:1');
    await walk.press('Delete', walk.dialog('Desk'));
    await walk.press('Delete', walk.dialog('Delete Desk?'));
    await walk.see(page, 'of 1');
    expect((await callAdmin(platform, 'GET', '/container_connection/docker')).result).to.deep.equal([]);
  });

  it('starts a container, shows it become active with its log, and stops it', async function () {
    needsDocker(this);
    const { page } = walk;
    const reply = await client.save({ container_type: 'docker', connection_name: 'Engine', docker_url: dockerUrl });
    expect(reply.status, reply.text).to.equal(200);
    try {
      await walk.open('containers');
      await walk.see(page, 'No containers yet');
      await walk.press('Start');
      const form = walk.dialog('Start a container');
      await walk.press('Start', form);
      await walk.see(form, 'Model is required');
      await walk.fill(form, { Model: 'churn' });
      await walk.choose(form, 'payload.image', 'Red Hat UBI Golden CPU (5.2.4)');
      await walk.choose(form, 'payload.connection_name', 'Desk (Kubernetes)');
      await form.getByLabel('Autoscale by CPU usage').check();
      await form.getByLabel('Max replicas').waitFor();
      await walk.choose(form, 'payload.connection_name', 'Engine (Docker)');
      expect(await form.getByLabel('Max replicas').count()).to.equal(0);
      await walk.press('Start', form);
      const panel = walk.dialog('churn');
      await walk.see(panel, /^Active$/);
      await panel.getByRole('link', { name: /^http/ }).first().waitFor();
      await walk.see(page, 'The connection has no jupyter_passwd');
      await expectAccessible(admin, 'the panel of a container');

      await walk.press('Logs', panel);
      const logs = walk.dialog('Logs of churn');
      await walk.see(logs, 'Started server process');
      await walk.fill(logs, { 'Search in the log': 'started SERVER' });
      await walk.see(logs, /1 of \d+ lines matches/);
      await logs.getByLabel('Matching lines only').check();
      const [file] = await Promise.all([page.waitForEvent('download'), walk.press('Download', logs)]);
      expect(file.suggestedFilename()).to.equal('churn.log');
      await logs.getByLabel('Follow').check();
      await walk.see(logs, '; following');
      await expectAccessible(admin, 'a log');
      await page.reload();
      await walk.see(logs, 'Started server process');
      await page.goBack();
      await panel.waitFor();

      await walk.press('Stop', panel);
      await walk.press('Stop', walk.dialog('Stop churn?'));
      await walk.see(page, 'No containers yet');
      expect((await client.data()).json.config).to.deep.equal({});
      expectNoComplaints(admin);
    } finally {
      const installation = await client.installation();
      await client.stopAll();
      await cleanDocker(testDocker(), installation);
    }
  });
});

import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import {
  addImage,
  ContainerClient,
  cleanDocker,
  dockerUrl,
  needsDocker,
  ourContainers,
  registryBinary,
  testDocker,
} from '../e2e/containers/containerSupport.ts';
import { expectAccessible, logIn, openBrowser, openView, type Visit } from '../support/browser.ts';
import { pushLargeImage, startRegistry, type TestRegistry } from '../support/containers/registry.ts';
import { TestPlatform } from '../support/e2e/platform.ts';
import { needs } from '../support/part.ts';
import { eventually } from '../support/time.ts';

const NAME = `console-pull-${process.pid}:1`;
const BYTES = 6_000_000;
const BASE = 'splunk/mltk-container-golden-cpu:5.2.4';

describe('the console: a container whose image is pulled, in a browser', function () {
  this.timeout(180_000);
  let browser: Browser | undefined;
  let platform: TestPlatform;
  let client: ContainerClient;
  let registry: TestRegistry;
  let admin: Visit;
  const docker = testDocker();

  before(async function () {
    needsDocker(this);
    needs(this, registryBinary !== undefined, 'docker-registry (test/testbeds/registry/install)');
    browser = await openBrowser(() => this.skip());
    registry = await startRegistry(registryBinary ?? '');
    await pushLargeImage(registry, dockerUrl, BASE, NAME, BYTES);
    platform = await new TestPlatform({ env: { ML_WEB_PORT: '0' } }).start();
    client = new ContainerClient(platform);
    await addImage(platform, 'large', NAME, { repo: registry.repo });
    await addImage(platform, 'nowhere', `no-such-image-${process.pid}:1`, { repo: registry.repo });
    await client.save({ container_type: 'docker', connection_name: 'Engine', docker_url: dockerUrl });
    if (browser) admin = await logIn(browser, platform);
  });

  after(async () => {
    await browser?.close();
    if (platform) {
      const installation = await client.installation();
      await client.stopAll();
      await platform.dispose();
      await cleanDocker(docker, installation);
      await removeImage();
    }
    await registry?.close();
  });

  const removeImage = () =>
    docker
      .getImage(`${registry.repo}${NAME}`)
      .remove({ force: true })
      .catch(() => {});
  const dialog = (name: string) => admin.page.getByRole('dialog', { name, exact: true });
  const press = (where: Locator, name: string) => where.getByRole('button', { name, exact: true }).first().click();
  const rows = () => admin.page.getByRole('table', { name: 'containers' }).getByRole('row');

  /** By the form, from the table without a reload. */
  async function start(image: string): Promise<Locator> {
    const { page } = admin;
    await page.getByRole('button', { name: 'Start', exact: true }).first().click();
    const form = dialog('Start a container');
    await form.getByLabel('Model', { exact: true }).fill('pulled');
    await form.locator('[data-place="payload.image"] button').click();
    await page.getByRole('option', { name: image, exact: true }).click();
    await press(form, 'Start');
    return form;
  }

  it('an image that is not there: why, what helps, and nothing in the list', async () => {
    const { page } = admin;
    await openView(admin, platform, 'containers');
    const form = await start('nowhere');
    const said = form.getByRole('alert');
    await said.getByText('upstream_error: image_not_found').waitFor();
    await said.getByText(/Check name and tag in the image catalog/).waitFor();
    expect(await form.getByLabel('Model', { exact: true }).inputValue()).to.equal('pulled');
    await expectAccessible(admin, 'a start that was refused');
    await press(form, 'Cancel');
    await page.getByText('No containers yet').waitFor();
    expect((await client.data()).json.config).to.deep.equal({});
  });

  it('a slow pull is seen to go on, can be stopped, and leaves nothing', async () => {
    const { page } = admin;
    registry.weather = { rate: BYTES / 90 };
    await start('large');
    const panel = dialog('pulled');
    await panel.getByText('Waiting: pulling the image').waitFor();
    await rows().getByText('Waiting: pulling the image').waitFor();
    await press(panel, 'Logs');
    const logs = dialog('Logs of pulled');
    await logs.getByLabel('Follow').check();
    await logs
      .getByText(/pulling: Pulling 127/)
      .first()
      .waitFor();
    await press(logs, 'Close');
    await press(panel, 'Stop');
    await dialog('Stop pulled?').getByText('You can start it again').waitFor();
    await press(dialog('Stop pulled?'), 'Stop');
    await page.getByText('No containers yet').waitFor();
    await eventually(
      async () => (await ourContainers(docker, await client.installation())).length === 0,
      20_000,
      'the engine to be empty',
    );
  });

  it('the message moves without a reload, until it is active, with its addresses', async () => {
    const { page, complaints } = admin;
    registry.weather = { rate: BYTES / 20 };
    await page.evaluate('globalThis.isSamePage = true');
    await start('large');
    const seen = new Set<string>();
    const panel = dialog('pulled');
    const row = rows().filter({ hasText: 'pulled' });
    await eventually(
      async () => {
        const text = await row.innerText();
        const [megabytes] = /[\d.]+ of [\d.]+ MB/.exec(text) ?? [];
        if (megabytes) seen.add(megabytes);
        return /\bActive\b/.test(text);
      },
      90_000,
      'the row to be active',
    );
    expect(seen.size, [...seen].join()).to.be.greaterThan(1);
    await panel.getByText('Active', { exact: true }).waitFor();
    await panel.getByRole('link', { name: /^http/ }).first().waitFor();
    expect(await page.evaluate('globalThis.isSamePage')).to.equal(true);
    expect(complaints.errors).to.deep.equal([]);
    await press(panel, 'Stop');
    await press(dialog('Stop pulled?'), 'Stop');
    await page.getByText('No containers yet').waitFor();
  });

  it('a pull that breaks off later: failed, why, and what helps', async () => {
    await openView(admin, platform, 'containers');
    await removeImage();
    registry.weather = { rate: BYTES / 10, cutAfter: BYTES * 0.7 };
    await start('large');
    const panel = dialog('pulled');
    await panel.getByText('Waiting: pulling the image').waitFor();
    // The engine tries again after anything but a refusal.
    registry.weather = { ...registry.weather, refuse: 401 };
    await panel.getByText('Failed: image pull failed').waitFor({ timeout: 120_000 });
    await panel.getByText(/Check registry access/).waitFor();
    await openView(admin, platform, 'overview');
    await admin.page
      .getByRole('table', { name: 'Needs attention' })
      .getByText(/Check registry access/)
      .waitFor();
  });
});

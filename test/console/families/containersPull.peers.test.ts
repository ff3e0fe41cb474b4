import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import {
  addImage,
  ContainerClient,
  cleanDocker,
  dockerUrl,
  needsDocker,
  ourContainers,
  registryBinary,
  testDocker,
} from '../../e2e/containers/containerSupport.ts';
import { type Walk, walkOf } from '../../support/console/walk.ts';
import { pushLargeImage, startRegistry, type TestRegistry } from '../../support/containers/registry.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { expectAccessible, openSite, type Site, type Visit } from '../../support/programs/browser.ts';
import { needs } from '../../support/programs/part.ts';
import { eventually } from '../../support/time.ts';

const NAME = `console-pull-${process.pid}:1`;
const BYTES = 6_000_000;
const BASE = 'splunk/mltk-container-golden-cpu:5.2.4';

describe('the console: a container whose image is pulled, in a browser', function () {
  this.timeout(180_000);
  let site: Site;
  let platform: TestPlatform;
  let client: ContainerClient;
  let registry: TestRegistry;
  let admin: Visit;
  let walk: Walk;
  const docker = testDocker();

  before(async function () {
    needsDocker(this);
    needs(this, registryBinary !== undefined, 'docker-registry (test/testbeds/registry/install)');
    site = await openSite(this);
    ({ platform, admin } = site);
    walk = walkOf(admin, platform);
    registry = await startRegistry(registryBinary ?? '');
    await pushLargeImage(registry, dockerUrl, BASE, NAME, BYTES);
    client = new ContainerClient(platform);
    await addImage(platform, 'large', NAME, { repo: registry.repo });
    await addImage(platform, 'nowhere', `no-such-image-${process.pid}:1`, { repo: registry.repo });
    await client.save({ container_type: 'docker', connection_name: 'Engine', docker_url: dockerUrl });
  });

  after(async () => {
    if (client) {
      const installation = await client.installation();
      await client.stopAll();
      await cleanDocker(docker, installation);
      await removeImage();
    }
    await site?.dispose();
    await registry?.close();
  });

  const removeImage = () =>
    docker
      .getImage(`${registry.repo}${NAME}`)
      .remove({ force: true })
      .catch(() => {});
  const rows = () => admin.page.getByRole('table', { name: 'containers' }).getByRole('row');

  async function start(image: string): Promise<Locator> {
    await walk.press('Start');
    const form = walk.dialog('Start a container');
    await walk.fill(form, { Model: 'pulled' });
    await walk.choose(form, 'payload.image', image);
    await walk.press('Start', form);
    return form;
  }

  it('explains that an image is missing, and lists no container', async () => {
    const { page } = admin;
    await walk.open('containers');
    const form = await start('nowhere');
    const said = form.getByRole('alert');
    await walk.see(said, 'upstream_error: image_not_found', /Check name and tag in the image catalog/);
    expect(await form.getByLabel('Model', { exact: true }).inputValue()).to.equal('pulled');
    await expectAccessible(admin, 'a start that was refused');
    await walk.press('Cancel', form);
    await page.getByText('No containers yet').waitFor();
    expect((await client.data()).json.config).to.deep.equal({});
  });

  it('shows the progress of a slow pull, and stops it without leaving a container', async () => {
    const { page } = admin;
    registry.weather = { rate: BYTES / 90 };
    await start('large');
    const panel = walk.dialog('pulled');
    await panel.getByText('Waiting: pulling the image').waitFor();
    await rows().getByText('Waiting: pulling the image').waitFor();
    await walk.press('Logs', panel);
    const logs = walk.dialog('Logs of pulled');
    await logs.getByLabel('Follow').check();
    await logs
      .getByText(/pulling: Pulling 127/)
      .first()
      .waitFor();
    await walk.press('Close', logs);
    await walk.press('Stop', panel);
    await walk.dialog('Stop pulled?').getByText('You can start it again').waitFor();
    await walk.press('Stop', walk.dialog('Stop pulled?'));
    await page.getByText('No containers yet').waitFor();
    await eventually(
      async () => (await ourContainers(docker, await client.installation())).length === 0,
      20_000,
      'the engine to be empty',
    );
  });

  it('updates the progress without a reload until the container is active', async () => {
    const { page, complaints } = admin;
    registry.weather = { rate: BYTES / 20 };
    await page.evaluate('globalThis.isSamePage = true');
    await start('large');
    const seen = new Set<string>();
    const panel = walk.dialog('pulled');
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
    await walk.press('Stop', panel);
    await walk.press('Stop', walk.dialog('Stop pulled?'));
    await page.getByText('No containers yet').waitFor();
  });

  it('shows the reason and remedy of a pull that fails later', async () => {
    await walk.open('containers');
    await removeImage();
    registry.weather = { rate: BYTES / 10, cutAfter: BYTES * 0.7 };
    await start('large');
    const panel = walk.dialog('pulled');
    await panel.getByText('Waiting: pulling the image').waitFor();
    // The engine tries again after anything but a refusal.
    registry.weather = { ...registry.weather, refuse: 401 };
    await panel.getByText('Failed: image pull failed').waitFor({ timeout: 120_000 });
    await panel.getByText(/Check registry access/).waitFor();
    await walk.open('overview');
    await admin.page
      .getByRole('table', { name: 'Needs attention' })
      .getByText(/Check registry access/)
      .waitFor();
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectAccessible, inEveryLook, openSite, openView, type Site, type Visit } from '../support/browser.ts';
import type { TestPlatform } from '../support/e2e/platform.ts';
import { fixture, modelOf } from '../support/onnx.ts';
import { KeyedPeer } from '../support/peers/keyed.ts';
import { eventually } from '../support/time.ts';

const CANARY = 'canary-of-the-console-4712';
const MAX_BYTES = 31_457_280;
const UPLOAD_MS = 100_000;

describe('the console: models, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let peer: KeyedPeer;
  let admin: Visit;

  before(async function () {
    peer = await KeyedPeer.start();
    peer.working.add(CANARY);
    peer.aws.add(CANARY);
    site = await openSite(this);
    ({ platform, admin } = site);
    await platform.setConf('aws', { endpoint_url: peer.url });
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  /** By its path: the browser is told of large contents slowly. */
  const file = (name: string, bytes: Buffer): string => {
    const path = join(platform.home, `${name}.onnx`);
    writeFileSync(path, bytes);
    return path;
  };
  const registration = (model_name: string) => ({
    model_name,
    endpoint_name: 'ready',
    cloud_credentials: { region: 'eu-central-1', access_key_id: 'AKIAEXAMPLE', secret_access_key: CANARY },
    input_feature_map: { age: 'instances[*].age' },
  });
  const stored = async (name: string) =>
    (await platform.ml('admin', 'GET', `/register_model?model_name=${name}`)).json.config;

  it('a file is uploaded, with its faults at the field, and deleted', async () => {
    const { page, complaints } = admin;
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/upload_model')) sent.push(request.url());
    });
    await openView(admin, platform, 'models');
    await page.getByText('No models yet').waitFor();
    await page.getByRole('button', { name: 'New ONNX model' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New ONNX model' });
    const chosen = dialog.locator('input[type=file]');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('File is required').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('line');
    await dialog.getByLabel('Features').fill('a, b, c');
    await dialog.getByLabel('Targets').fill('y');
    await chosen.setInputFiles(file('too large', Buffer.alloc(MAX_BYTES + 1)));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('File has 31,457,281 bytes; 31,457,280 are the most').waitFor();
    expect(sent, 'too large to be sent').to.deep.equal([]);
    await chosen.setInputFiles(file('broken', Buffer.from('not a model')));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByRole('group', { name: 'File' })
      .getByText(/is not an ONNX model/)
      .waitFor();
    await chosen.setInputFiles(file('line', fixture('linear')));
    await dialog.getByRole('button', { name: 'Save' }).click();
    const found = page.getByRole('dialog', { name: 'line is uploaded' });
    await found.getByRole('table', { name: 'Inputs and outputs of line' }).waitFor();
    await found.getByRole('button', { name: 'Done' }).click();
    const panel = page.getByRole('dialog', { name: 'line', exact: true });
    await panel.getByText('a, b, c').waitFor();
    await page.reload();
    await panel.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog', { name: 'Delete line?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No models yet').waitFor();
    expect(complaints.errors).to.deep.equal([]);
    expect(complaints.strangers).to.deep.equal([]);
  });

  it('as large as it may be, with its progress', async () => {
    const { page } = admin;
    await openView(admin, platform, 'models');
    await page.getByRole('button', { name: 'New ONNX model' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New ONNX model' });
    await dialog.locator('input[type=file]').setInputFiles(file('large', modelOf(MAX_BYTES)));
    await dialog.getByLabel('Name', { exact: true }).fill('large');
    await dialog.getByLabel('Features').fill('a, b, c');
    // The page itself looks: on a busy machine a bar may be gone before this process asks for it.
    await page.evaluate(`new MutationObserver(() => {
      if (document.querySelector('progress[aria-label=Upload]')) document.body.dataset.seen = 'progress';
    }).observe(document.body, { childList: true, subtree: true })`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const uploaded = page.getByRole('dialog', { name: 'large is uploaded' }).getByText('30.0 MB');
    await uploaded.waitFor({ timeout: UPLOAD_MS }).catch(async (cause) => {
      throw new Error(`not uploaded: ${await dialog.innerText()}`, { cause });
    });
    expect(await page.locator('body').getAttribute('data-seen')).to.equal('progress');
  });

  it('a cloud model is registered, tested, changed, with its secret, and deleted', async () => {
    const { page } = admin;
    await openView(admin, platform, 'models');
    await page.getByRole('button', { name: 'New cloud model' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New cloud model' });
    await dialog.getByLabel('Name', { exact: true }).fill('churn');
    await dialog.getByLabel('SageMaker endpoint').fill('ready');
    await dialog.getByLabel('Region').fill('eu-central-1');
    await dialog.getByLabel('Access key id').fill('AKIAEXAMPLE');
    await dialog.getByLabel('Secret access key', { exact: true }).fill(CANARY);
    peer.states.endpoint = 'Creating';
    await dialog.getByRole('button', { name: 'Test', exact: true }).click();
    await dialog.getByText('endpoint_not_in_service').waitFor();
    await dialog.getByText('Nothing was saved.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('verification_refused').waitFor();
    peer.states.endpoint = 'InService';
    await dialog.getByRole('button', { name: 'Add to Request mapping' }).click();
    await dialog.getByLabel('Name of entry 1 in Request mapping').fill('age');
    await dialog.getByLabel('Value of age in Request mapping').fill('instances[*].age');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const panel = page.getByRole('dialog', { name: 'churn', exact: true });
    await panel.getByRole('table', { name: 'Request of churn' }).waitFor();

    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Add to Request mapping' }).click();
    await page.getByLabel('Name of entry 2 in Request mapping').fill('calls');
    await page.getByLabel('Value of calls in Request mapping').fill('instances[*].calls');
    await page.getByRole('button', { name: 'Save' }).click();
    await panel.getByRole('cell', { name: 'calls', exact: true }).waitFor();
    // The map is replaced as a whole: what was there is sent again.
    expect((await stored('churn')).input_feature_map).to.deep.equal({
      age: 'instances[*].age',
      calls: 'instances[*].calls',
    });
    peer.asked.length = 0;
    await panel.getByRole('button', { name: 'Test', exact: true }).click();
    await panel.getByText('It works').waitFor();
    expect(peer.asked, 'the stored secret').to.deep.equal([CANARY]);
    const storage = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(`${await page.content()}${storage}${page.url()}`).to.not.contain(CANARY);

    await panel.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog', { name: 'Delete churn?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'churn' }).waitFor({ state: 'detached' });
  });

  it('a name alone leads to its model, and who may not change models sees why', async () => {
    const made = { ...registration('shared'), acl: { sharing: 'app', perms: { read: ['*'], write: [] } } };
    expect((await platform.ml('admin', 'POST', '/register_model', made)).status).to.equal(200);
    await openView(admin, platform, 'models?name=shared');
    await admin.page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await platform.createUser('reader', ['ml_user']);
    const visit = await site.visit('reader');
    const { page } = visit;
    await openView(visit, platform, 'models');
    const button = page.getByRole('button', { name: 'New ONNX model' });
    await eventually(async () => (await button.getAttribute('aria-disabled')) === 'true', 10_000, 'it to be dimmed');
    await button.hover();
    await page.getByRole('tooltip').getByText('You need the capability upload_ml_models').waitFor();
    await page.getByRole('link', { name: 'shared' }).click();
    // Only the list may be read.
    await page.getByRole('dialog', { name: 'shared', exact: true }).getByText('Cloud endpoint').waitFor();
    expect(visit.complaints.refused).to.deep.equal([]);
    await visit.context.close();
  });

  inEveryLook(
    () => site,
    async (visit, { theme, width }) => {
      const { page } = visit;
      const name = `cloud_${theme}_${width}`;
      expect((await platform.ml('admin', 'POST', '/register_model', registration(name))).status).to.equal(200);
      await openView(visit, platform, 'models');
      await page.getByRole('table', { name: 'models' }).waitFor();
      await expectAccessible(visit, 'the list');
      for (const thing of ['ONNX', 'cloud']) {
        await page.getByRole('button', { name: `New ${thing} model` }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        await page.getByRole('dialog').getByText('Name is required').waitFor();
        await expectAccessible(visit, `the form, ${thing}`);
        await page.keyboard.press('Escape');
      }
      await openView(visit, platform, `models?name=${name}/cloud`);
      await page.getByRole('table', { name: `Request of ${name}` }).waitFor();
      await expectAccessible(visit, 'the panel');
    },
  );
});

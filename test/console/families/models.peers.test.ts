import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { callAdmin, expectNoComplaints, expectNowhere, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { fixture, modelOf } from '../../support/models/onnx.ts';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { expectAccessible, openSite, type Site, type Visit } from '../../support/programs/browser.ts';

const CANARY = 'canary-of-the-console-4712';
const MAX_BYTES = 31_457_280;
const UPLOAD_MS = 100_000;

describe('the console: models, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let peer: KeyedPeer;
  let admin: Visit;
  let walk: Walk;

  before(async function () {
    peer = await KeyedPeer.start();
    peer.working.add(CANARY);
    peer.aws.add(CANARY);
    site = await openSite(this);
    ({ platform, admin } = site);
    walk = walkOf(admin, platform);
    await platform.setConf('aws', { endpoint_url: peer.url });
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  /** A path: the browser receives large contents slowly. */
  const file = (name: string, bytes: Buffer): string => {
    const path = join(platform.home, `${name}.onnx`);
    writeFileSync(path, bytes);
    return path;
  };

  it('uploads a file, shows its faults at the field, and deletes it', async () => {
    const { page } = walk;
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/upload_model')) sent.push(request.url());
    });
    const form = await walk.openForm('models', 'ONNX model');
    const chosen = form.locator('input[type=file]');
    await walk.press('Save', form);
    await walk.see(form, 'File is required');
    await walk.fill(form, { Name: 'line' });
    await form.getByLabel('Features').fill('a, b, c');
    await form.getByLabel('Targets').fill('y');
    await chosen.setInputFiles(file('too large', Buffer.alloc(MAX_BYTES + 1)));
    await walk.press('Save', form);
    await walk.see(form, 'File has 31,457,281 bytes; 31,457,280 are the most');
    expect(sent, 'too large to be sent').to.deep.equal([]);
    await chosen.setInputFiles(file('broken', Buffer.from('not a model')));
    await walk.press('Save', form);
    await walk.see(form.getByRole('group', { name: 'File' }), /is not an ONNX model/);
    await chosen.setInputFiles(file('line', fixture('linear')));
    await walk.press('Save', form);
    const found = walk.dialog('line is uploaded');
    await found.getByRole('table', { name: 'Inputs and outputs of line' }).waitFor();
    await walk.press('Done', found);
    const panel = walk.dialog('line');
    await walk.see(panel, 'a, b, c');
    await page.reload();
    await walk.press('Delete', panel);
    await walk.press('Delete', walk.dialog('Delete line?'));
    await walk.see(page, 'No models yet');
    expectNoComplaints(admin);
  });

  it('uploads the largest file, and shows the progress', async () => {
    const { page } = walk;
    const form = await walk.openForm('models', 'ONNX model');
    await form.locator('input[type=file]').setInputFiles(file('large', modelOf(MAX_BYTES)));
    await walk.fill(form, { Name: 'large' });
    await form.getByLabel('Features').fill('a, b, c');
    // Observed in the page: on a busy machine the bar may be gone before this process asks for it.
    await page.evaluate(`new MutationObserver(() => {
      if (document.querySelector('progress[aria-label=Upload]')) document.body.dataset.seen = 'progress';
    }).observe(document.body, { childList: true, subtree: true })`);
    await walk.press('Save', form);
    const uploaded = walk.dialog('large is uploaded').getByText('30.0 MB');
    await uploaded.waitFor({ timeout: UPLOAD_MS }).catch(async (cause) => {
      throw new Error(`not uploaded: ${await form.innerText()}`, { cause });
    });
    expect(await page.locator('body').getAttribute('data-seen')).to.equal('progress');
  });

  it('registers a cloud model after a test, changes its mapping, and tests it with the stored secret', async () => {
    const form = await walk.openForm('models', 'cloud model');
    await walk.fill(form, {
      ...{ Name: 'churn', 'SageMaker endpoint': 'ready', Region: 'eu-central-1' },
      ...{ 'Access key id': 'AKIAEXAMPLE', 'Secret access key': CANARY },
    });
    peer.states.endpoint = 'Creating';
    await walk.press('Test', form);
    await walk.see(form, 'endpoint_not_in_service', 'Nothing was saved.');
    await walk.press('Save', form);
    await walk.see(form, 'verification_refused');
    peer.states.endpoint = 'InService';
    const map = async (entry: number, name: string) => {
      await walk.press('Add to Request mapping');
      await walk.fill(walk.page, { [`Name of entry ${entry} in Request mapping`]: name });
      await walk.fill(walk.page, { [`Value of ${name} in Request mapping`]: `instances[*].${name}` });
      await walk.press('Save');
    };
    await map(1, 'age');
    const panel = walk.dialog('churn');
    await panel.getByRole('table', { name: 'Request of churn' }).waitFor();
    await walk.press('Edit', panel);
    await map(2, 'calls');
    await panel.getByRole('cell', { name: 'calls', exact: true }).waitFor();
    // The map is replaced as a whole, so the first entry is sent again.
    const { config } = await callAdmin(platform, 'GET', '/register_model?model_name=churn');
    expect(config.input_feature_map).to.deep.equal({ age: 'instances[*].age', calls: 'instances[*].calls' });
    peer.asked.length = 0;
    await walk.press('Test', panel);
    await walk.see(panel, 'It works');
    expect(peer.asked, 'the stored secret').to.deep.equal([CANARY]);
    await expectNowhere(admin, CANARY);
    await expectAccessible(admin, 'the panel of a cloud model');
    await walk.press('Delete', panel);
    await walk.press('Delete', walk.dialog('Delete churn?'));
    await walk.page.getByRole('link', { name: 'churn' }).waitFor({ state: 'detached' });
  });

  it('opens a model by its name alone, and shows a reader what the list has', async () => {
    await callAdmin(platform, 'POST', '/register_model', {
      ...{ model_name: 'shared', endpoint_name: 'ready' },
      cloud_credentials: { region: 'eu-central-1', access_key_id: 'AKIAEXAMPLE', secret_access_key: CANARY },
      acl: { sharing: 'app', perms: { read: ['*'], write: [] } },
    });
    await walk.open('models?name=shared');
    await walk.page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await platform.createUser('reader', ['ml_user']);
    const visit = await site.visit('reader');
    const reader = walkOf(visit, platform);
    await reader.open('models');
    await reader.page.getByRole('link', { name: 'shared' }).click();
    await reader.see(reader.dialog('shared'), 'Cloud endpoint');
    expect(visit.complaints.refused).to.deep.equal([]);
    await visit.context.close();
  });
});

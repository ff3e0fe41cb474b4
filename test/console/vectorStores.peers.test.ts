import { expect } from 'chai';
import { expectAccessible, inEveryLook, openSite, openView, type Site, type Visit } from '../support/browser.ts';
import type { TestPlatform } from '../support/e2e/platform.ts';
import { type Peer, sendJson, startHttp } from '../support/peers/listen.ts';
import { eventually } from '../support/time.ts';

const CANARY = 'canary-of-the-stores-4713';
const KB = 'ABCDE12345';
const KEY_ID = 'AKIAWORKS';

/** As much of AWS as a test of a knowledge base asks for. */
const startAws = (): Promise<Peer> =>
  startHttp((request, response) => {
    request.resume();
    if (!request.headers.authorization?.includes(`Credential=${KEY_ID}/`)) {
      const message = 'The security token included in the request is invalid.';
      sendJson(response, 403, { message }, { 'x-amzn-errortype': 'UnrecognizedClientException' });
    } else if (request.method === 'GET') {
      const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
      sendJson(response, 200, {
        knowledgeBase: { knowledgeBaseId: KB, name: 'Of the site', status: 'ACTIVE', ...times },
      });
    } else sendJson(response, 200, { retrievalResults: [] });
  });

describe('the console: vector stores, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let aws: Peer;
  let admin: Visit;

  before(async function () {
    aws = await startAws();
    site = await openSite(this);
    ({ platform, admin } = site);
    await platform.setConf('aws', { endpoint_url: aws.url });
    const details = {
      cloud_region: 'eu-central-1',
      kb_id: KB,
      cloud_access_key_id: KEY_ID,
      cloud_access_key_token: 's',
    };
    const tested = async () => (await platform.ml('admin', 'POST', '/vector_stores/test', { details })).json.success;
    await eventually(async () => (await tested()) === true, 20_000, 'the address of AWS to act');
  });

  after(async () => {
    await site?.dispose();
    await aws?.close();
  });

  const make = async (name: string) => {
    const keys = { cloud_access_key_id: KEY_ID, cloud_access_key_token: CANARY };
    const body = { name, type: 'CLOUD_KB', details: { cloud_region: 'eu-central-1', kb_id: KB, ...keys } };
    expect((await platform.ml('admin', 'POST', '/vector_stores', body)).status).to.equal(200);
  };
  const stored = async (name: string) => (await platform.ml('admin', 'GET', `/vector_stores/${name}`)).json.config;
  const dialog = (name: string | RegExp) => admin.page.getByRole('dialog', { name, exact: true });

  it('a newcomer makes a store, learns why a wrong key fails, searches, saves and deletes it', async () => {
    const { page, complaints } = admin;
    await openView(admin, platform, 'connections?tab=vectors');
    await page.getByText('No vector stores yet').waitFor();
    await page.getByRole('button', { name: 'New vector store' }).first().click();
    const form = dialog('New vector store');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Knowledge base id is required').waitFor();
    await form.getByLabel('Name', { exact: true }).fill('Runbooks');
    await form.getByLabel('Region').fill('eu-central-1');
    await form.getByLabel('Knowledge base id').fill(KB);
    await form.getByLabel('Access key id').fill('AKIAWRONG');
    await form.getByRole('button', { name: 'Save' }).click();
    await form
      .getByRole('group', { name: 'Secret access key' })
      .getByText('is required with "Access key id"')
      .waitFor();
    await form.getByLabel('Secret access key', { exact: true }).fill(CANARY);
    await form.getByRole('button', { name: 'Test', exact: true }).click();
    await form.getByText('AWS rejected the key').waitFor();
    await form.getByText('Nothing was saved.').waitFor();
    await form.getByLabel('Access key id').fill(KEY_ID);
    await form.getByText('Test options').click();
    await form.getByLabel('Test query').fill('disk full');
    await form.getByRole('button', { name: 'Test', exact: true }).click();
    const steps = form.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem');
    await form.getByText('It works').waitFor();
    expect((await steps.allTextContents()).map((text) => text.replace(/\d+ ms/, 'some ms'))).to.deep.equal([
      'Assume the role: not tried',
      'Read the knowledge base: done after some ms',
      'Search the knowledge base: done after some ms',
    ]);
    await form.getByRole('button', { name: 'Save' }).click();
    const panel = dialog('Runbooks');
    await panel.getByRole('button', { name: 'Test', exact: true }).click();
    await panel.getByText('It works').waitFor();
    await panel.getByText(/^works, \d+ ms/).waitFor();
    const storage = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(`${await page.content()}${storage}${page.url()}`).to.not.contain(CANARY);
    complaints.refused.length = 0;
    await panel.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = dialog('Delete Runbooks?');
    await question.getByText('the knowledge base stays').waitFor();
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No vector stores yet').waitFor();
    expect(complaints.refused, 'nobody asks for what is gone').to.deep.equal([]);
    expect(complaints.errors).to.deep.equal([]);
    expect(complaints.strangers).to.deep.equal([]);
  });

  it('an edit changes one field and keeps the key, which another region wants again', async () => {
    await make('Bound');
    await openView(admin, platform, 'connections?tab=vectors&name=Bound');
    const panel = dialog('Bound');
    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog('Edit Bound');
    await form.getByLabel('Description').fill('moved');
    await form.getByRole('button', { name: 'Test', exact: true }).click();
    await form.getByText('It works').waitFor();
    await form.getByLabel('Region').fill('eu-west-1');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('secret_required_for_new_host').waitFor();
    await form.getByLabel('Region').fill('eu-central-1');
    await form.getByRole('button', { name: 'Keep Secret access key' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('moved').waitFor();
    const { description, version, details } = await stored('Bound');
    expect({ description, version, secret: details.cloud_access_key_token }).to.deep.equal({
      description: 'moved',
      version: 2,
      secret: '***MASKED***',
    });
    await panel.getByRole('button', { name: 'Test', exact: true }).click();
    await panel.getByText('It works').waitFor();
  });

  inEveryLook(
    () => site,
    async (visit) => {
      const { page } = visit;
      await openView(visit, platform, 'connections?tab=vectors');
      await page.getByRole('table', { name: 'vector stores' }).waitFor();
      await expectAccessible(visit, 'the list');
      await page.getByRole('button', { name: 'New vector store' }).first().click();
      await page.getByRole('dialog').getByLabel('Region').waitFor();
      await expectAccessible(visit, 'the form');
      await openView(visit, platform, 'connections?tab=vectors&name=Bound');
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await page.getByText('It works').waitFor();
      await expectAccessible(visit, 'the panel');
    },
  );
});

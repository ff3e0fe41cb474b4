import { expect } from 'chai';
import { callAdmin, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { type Peer, sendJson, startHttp } from '../../support/peers/listen.ts';
import { openSite, type Site } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

const CANARY = 'canary-of-the-stores-4713';
const KB = 'ABCDE12345';
const KEY_ID = 'AKIAWORKS';
const REGION = 'eu-central-1';

/** The part of AWS that a test of a knowledge base calls. */
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
  let walk: Walk;
  const details = { cloud_region: REGION, kb_id: KB, cloud_access_key_id: KEY_ID, cloud_access_key_token: CANARY };

  before(async function () {
    aws = await startAws();
    site = await openSite(this);
    ({ platform } = site);
    walk = walkOf(site.admin, platform);
    await platform.setConf('aws', { endpoint_url: aws.url });
    const tested = async () => (await platform.ml('admin', 'POST', '/vector_stores/test', { details })).json.success;
    await eventually(async () => (await tested()) === true, 20_000, 'the address of AWS to take effect');
  });

  after(async () => {
    await site?.dispose();
    await aws?.close();
  });

  it('explains why a wrong key fails, and shows the steps of a test with a query', async () => {
    const form = await walk.openForm('connections?tab=vectors', 'vector store');
    await walk.choose(form, 'type', 'Amazon Bedrock knowledge base');
    await walk.press('Save', form);
    await walk.see(form, 'Knowledge base id is required');
    const input = { Name: 'Runbooks', Region: REGION, 'Knowledge base id': KB, 'Access key id': 'AKIAWRONG' };
    await walk.fill(form, input);
    await walk.press('Save', form);
    await walk.see(form.getByRole('group', { name: 'Secret access key' }), 'is required with "Access key id"');
    await walk.fill(form, { 'Secret access key': CANARY });
    await walk.press('Test', form);
    await walk.see(form, 'AWS rejected the key', 'Nothing was saved.');
    await walk.press('Test options', form);
    await walk.fill(form, { 'Access key id': KEY_ID, 'Test query': 'disk full' });
    await walk.press('Test', form);
    await walk.see(form, 'It works');
    const steps = form.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem');
    expect((await steps.allTextContents()).map((text) => text.replace(/\d+ ms/, 'some ms'))).to.deep.equal([
      'Assume the role: not tried',
      'Read the store: done after some ms',
      'Search the store: done after some ms',
    ]);
    await walk.press('Save', form);
    const panel = walk.dialog('Runbooks');
    await walk.press('Test', panel);
    await walk.see(panel, 'It works', /^works, \d+ ms/);
  });

  it('tests a change with the stored key, and asks for the key again for another region', async () => {
    await callAdmin(platform, 'POST', '/vector_stores', { name: 'Bound', type: 'CLOUD_KB', details });
    await walk.open('connections?tab=vectors&name=Bound');
    const form = await walk.edit('Bound');
    await walk.fill(form, { Description: 'moved' });
    await walk.press('Test', form);
    await walk.see(form, 'It works');
    await walk.fill(form, { Region: 'eu-west-1' });
    await walk.press('Save', form);
    await walk.see(form, 'secret_required_for_new_host');
    await walk.fill(form, { Region: REGION });
    await walk.press('Keep Secret access key', form);
    await walk.press('Save', form);
    const panel = walk.dialog('Bound');
    await walk.see(panel, 'moved');
    const { config } = await callAdmin(platform, 'GET', '/vector_stores/Bound');
    expect([config.version, config.details.cloud_access_key_token]).to.deep.equal([2, '***MASKED***']);
    await walk.press('Test', panel);
    await walk.see(panel, 'It works');
  });
});

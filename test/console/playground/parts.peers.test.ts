import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import { cloudEnv } from '../../support/e2e/cloud.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { fixture } from '../../support/models/onnx.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { rpcResult, type ScriptedPeer, startAnswering } from '../../support/peers/mcp/scripted.ts';
import { expectAccessible, openSite, type Site } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

const SCHEMA = {
  type: 'object',
  required: ['host', 'level', 'window'],
  properties: {
    host: { type: 'string', description: 'Name of the host' },
    level: { enum: ['low', 'high'] },
    count: { type: 'integer', default: 3 },
    force: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    window: {
      type: 'object',
      required: ['from'],
      properties: { from: { type: 'number' }, zone: { $ref: '#/$defs/zone' } },
    },
    any: { oneOf: [{ type: 'string' }, { type: 'object' }] },
  },
  $defs: { zone: { type: 'string', title: 'Zone' } },
};
const PASSAGE = {
  content: { text: 'Free the disk \u202e first', type: 'TEXT' },
  location: { type: 'S3', s3Location: { uri: 's3://docs/disk' } },
  score: 0.75,
  metadata: { team: 'storage' },
};

describe('the console: tools, passages and predictions of the playground, in a browser', function () {
  this.timeout(180_000);
  let site: Site;
  let platform: TestPlatform;
  let peer: ScriptedPeer;
  let cloud: Peer;
  let walk: Walk;
  const called: unknown[] = [];
  const retrieved: unknown[] = [];

  before(async function () {
    peer = await startAnswering(
      'tools/call',
      (response, message) => {
        const given = message.params?.arguments;
        called.push(given);
        const result = {
          content: [{ type: 'text', text: '<b>restarted</b>' }],
          structuredContent: given,
          isError: (given as { host?: string }).host === 'broken',
        };
        sendJson(response, 200, rpcResult(message, result));
      },
      [
        {
          name: 'restart',
          title: 'Restart a host',
          description: 'Restarts <i>it</i>',
          inputSchema: SCHEMA,
          annotations: { destructiveHint: true },
        },
        { name: 'free', inputSchema: { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] } },
      ],
    );
    cloud = await startHttp(async (request, response) => {
      retrieved.push(JSON.parse(await readBody(request)));
      sendJson(response, 200, { retrievalResults: [PASSAGE, { ...PASSAGE, score: 0.5 }] });
    });
    site = await openSite(this, { env: cloudEnv(cloud) });
    ({ platform } = site);
    walk = walkOf(site.admin, platform);
    await callAdmin(platform, 'POST', '/mcp_connection', {
      name: 'Desk',
      type: 'PLATFORM',
      details: { url: peer.url },
    });
    const keys = { cloud_access_key_id: 'AKIAEXAMPLE', cloud_access_key_token: 'secret-of-a-test' };
    await callAdmin(platform, 'POST', '/vector_stores', {
      ...{ name: 'Runbooks', type: 'CLOUD_KB' },
      details: { cloud_region: 'eu-central-1', kb_id: 'ABCDE12345', ...keys },
    });
    await callAdmin(platform, 'POST', '/upload_model', {
      ...{ model_name: 'line', features: 'a,b,c', targets: 'load' },
      model_file: fixture('linear').toString('base64'),
    });
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
    await cloud?.close();
  });

  const choose = async (label: string, option: string | RegExp) => {
    const { page } = walk;
    const button = page.getByRole('button', { name: label, exact: true });
    await button
      .or(page.getByRole('combobox', { name: label, exact: true }))
      .first()
      .click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const region = (name: string): Locator => walk.page.getByRole('region', { name, exact: true });

  it('call a tool with a form of its schema', async () => {
    await walk.open('playground?tab=tool');
    await choose('MCP connection', 'Desk');
    await choose('Tool', 'restart');
    await walk.page.waitForURL(/connection=Desk&tool=restart/);
    const form = region('Tool restart');
    await walk.see(form, 'Restarts <i>it</i>', 'Marked destructive by its server');
    await form.getByLabel('host', { exact: true }).fill('web1');
    await choose('level', 'high');
    await form.getByLabel('from', { exact: true }).fill('1.5');
    await form.getByLabel('Zone', { exact: true }).fill('UTC');
    await walk.press('Add to tags', form);
    await form.getByLabel('tags 1', { exact: true }).fill('a');
    await form.getByLabel('any', { exact: true }).fill('{"x": ');
    await walk.see(form, 'A value is not JSON');
    await form.getByLabel('any', { exact: true }).fill('{"x": 1}');
    await expectAccessible(site.admin, 'the form of a tool');
    await walk.press('Call the tool', form);
    await walk.see(region('Result of restart'), 'The tool has answered.', '<b>restarted</b>', /"zone": "UTC"/);
    const given = {
      host: 'web1',
      level: 'high',
      count: 3,
      tags: ['a'],
      window: { from: 1.5, zone: 'UTC' },
      any: { x: 1 },
    };
    expect(called.at(-1)).to.deep.equal(given);
    await form.getByRole('checkbox', { name: 'Arguments as JSON' }).click();
    await form
      .getByLabel('Arguments', { exact: true })
      .fill('{"host": "broken", "level": "low", "window": {"from": 1}}');
    await walk.press('Call the tool', form);
    await walk.see(region('Result of restart'), 'The tool reports an error.');
    await form.getByLabel('Arguments', { exact: true }).fill('{"host": 1}');
    await walk.press('Call the tool', form);
    await walk.see(form.getByRole('alert'), 'validation_failed');
    await walk.page.reload();
    await walk.see(form, 'Restart a host');
  });

  it('call a tool whose schema no form has, with JSON', async () => {
    await walk.open('playground?tab=tool&connection=Desk&tool=free');
    const form = region('Tool free');
    await form.getByLabel('Arguments', { exact: true }).fill('[1]');
    await walk.see(form, 'The arguments have to be an object');
    await form.getByLabel('Arguments', { exact: true }).fill('{"a": 1}');
    await walk.press('Call the tool', form);
    await walk.see(region('Result of free'), 'The tool has answered.');
    expect(called.at(-1)).to.deep.equal({ a: 1 });
    await walk.open('playground?tab=tool&connection=Desk&tool=nothing');
    await walk.see(walk.page, 'Desk offers no tool nothing.');
  });

  it('retrieve passages with their scores', async () => {
    await walk.open('playground?tab=retrieve');
    await choose('Vector store', 'Runbooks');
    await choose('Search', 'By meaning');
    await walk.page.getByLabel('Query').fill('disk full');
    await walk.press('Retrieve');
    const found = walk.page.getByRole('table', { name: 'Passages', exact: true });
    await walk.see(walk.page, '2 passages.');
    await walk.see(found, '0.7500', 'Free the disk [U+202E] first', 's3 s3://docs/disk');
    await walk.press('Metadata of 1', found);
    await walk.see(found, /"team": "storage"/);
    expect(JSON.stringify(retrieved.at(-1)))
      .to.contain('disk full')
      .and.contain('SEMANTIC');
    expect(walk.page.url()).to.match(/store=Runbooks&by=semantic$/);
    await expectAccessible(site.admin, 'passages');
  });

  it('keep what was typed over Back, other tabs and a reload, until it is emptied', async () => {
    const { page } = walk;
    await page.evaluate('sessionStorage.clear()');
    const typed = {
      '': ['Message', 'Instructions'],
      '?tab=retrieve&store=Runbooks': ['Query'],
      '?tab=tool&connection=Desk&tool=restart': ['host', 'any'],
      '?tab=predict&model=line': ['Rows'],
    };
    const each = async (act: (label: string, field: Locator) => Promise<void>) => {
      for (const [query, labels] of Object.entries(typed)) {
        await walk.open(`playground${query}`);
        for (const label of labels) await act(label, page.getByLabel(label, { exact: true }));
      }
    };
    await each((label, field) => field.fill(`typed as ${label}`));
    await each(async (label, field) => {
      expect(await field.inputValue()).to.equal(`typed as ${label}`);
    });
    await page.reload();
    expect(await page.getByLabel('Rows', { exact: true }).inputValue()).to.equal('typed as Rows');
    await page.goBack();
    // Text that is not JSON yet is kept, too.
    expect(await page.getByLabel('any', { exact: true }).inputValue()).to.equal('typed as any');
    await page.goBack();
    expect(await page.getByLabel('Query', { exact: true }).inputValue()).to.equal('typed as Query');
    await each((_label, field) => field.fill(''));
    expect(await page.evaluate('Object.keys(sessionStorage)')).to.deep.equal([]);
  });

  it('choose the alias default, unless the address names another model', async () => {
    const { page } = walk;
    await callAdmin(platform, 'POST', '/aicommander', {
      ...{ service: 'General_Chat', connection_name: 'up', model: 'm' },
      servicesettings: { endpoint: { value: 'http://127.0.0.1:9/v1' }, access_token: { value: 'sk-of-a-test' } },
    });
    const targets = [{ service: 'General_Chat', connection_name: 'up', model: 'm' }];
    const model = page
      .getByRole('region', { name: 'Settings of the conversation' })
      .locator('[data-test-value]')
      .first();
    for (const [alias, query, chosen] of [
      ['other', '', ''],
      ['default', '', 'default'],
      ['last', '?model=other', 'other'],
    ] as const) {
      await callAdmin(platform, 'POST', '/model_aliases', { name: alias, targets });
      await walk.open(`playground${query}`);
      await eventually(
        async () => (await model.getAttribute('data-test-value')) === chosen,
        20_000,
        `model "${chosen}"`,
      );
    }
  });

  it('predict from pasted rows', async () => {
    await walk.open('playground?tab=predict');
    await choose('Model', 'line');
    const rows = walk.page.getByLabel('Rows', { exact: true });
    expect(await rows.inputValue()).to.equal('a,b,c\n');
    await rows.fill('a,b,c\n1,2,3\n');
    await walk.press('Predict');
    await walk.see(walk.page, '1 of 1 rows have a prediction.');
    expect(walk.page.url()).to.match(/tab=predict&model=line$/);
    await expectAccessible(site.admin, 'predictions');
    expectNoComplaints(site.admin);
  });

  it('link to the connection that did not list its tools, also with a long name on a page of 320 pixels', async () => {
    const name = 'n'.repeat(128);
    const details = { url: 'http://127.0.0.1:9/mcp' };
    await callAdmin(platform, 'POST', '/mcp_connection', { name, type: 'PLATFORM', details });
    const visit = await site.visit('admin', { viewport: { width: 320, height: 700 } });
    const narrow = walkOf(visit, platform);
    await narrow.open(`playground?tab=tool&connection=${name}`);
    const alert = visit.page.getByRole('alert');
    await narrow.see(alert, `${name} did not list its tools`, 'connection_refused');
    const link = await alert.getByRole('link', { name: `Edit ${name}` }).getAttribute('href');
    expect(link).to.match(/connections\?name=n+&edit=1$/);
    expect(await visit.page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(320);
    await visit.context.close();
  });

  for (const theme of ['light', 'dark'] as const)
    it(`fit a page of 320 pixels in the ${theme} theme`, async () => {
      const visit = await site.visit('admin', { viewport: { width: 320, height: 700 } });
      const { page } = visit;
      if (theme === 'dark') {
        await page.getByRole('button', { name: 'Switch to dark theme' }).click();
        await page.getByRole('button', { name: 'Switch to light theme' }).waitFor();
      }
      const narrow = walkOf(visit, platform);
      for (const tab of [
        'conversation',
        'tool&connection=Desk&tool=restart',
        'retrieve&store=Runbooks',
        'predict&model=line',
      ]) {
        await narrow.open(`playground?tab=${tab}`);
        await page.getByRole('textbox').first().waitFor();
        await expectAccessible(visit, tab);
        expect(await page.evaluate('document.documentElement.scrollWidth'), tab).to.be.at.most(320);
      }
      await visit.context.close();
    });
});

import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { MOUNT } from '../../e2e/gateway/gatewayPlatform.ts';
import { callAdmin, expectNoComplaints } from '../../support/console/walk.ts';
import { expectStatus, type TestPlatform } from '../../support/e2e/platform.ts';
import { type ScriptedProvider, startProvider } from '../../support/peers/llm.ts';
import { expectAccessible, openSite, openView, type Site } from '../../support/programs/browser.ts';
import { jwt } from '../../support/records/jwt.ts';
import { dayBefore, putUsage, thisHour, usageRow } from '../../support/records/usageSums.ts';

const HOSTILE = '<img src=x onerror="document.title=1"><b>bold</b>';
const HOUR = 3600;
const NARROW = { width: 320, height: 800 };
const WIDE = { width: 1280, height: 800 };

describe('the console: the picture on the overview, in a browser', function () {
  this.timeout(180_000);
  let site: Site;
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let page: Page;

  before(async function () {
    provider = await startProvider(() => ({ status: 400, body: { error: { message: HOSTILE } } }));
    site = await openSite(this);
    ({ platform } = site);
    ({ page } = site.admin);
    await platform.createUser('reader', ['user']);
  });

  after(async () => {
    await site?.dispose();
    await provider?.close();
  });

  const open = () => openView(site.admin, platform, 'overview');
  const table = (name: string): Locator => page.getByRole('table', { name, exact: true });
  const steps = () => page.getByRole('region', { name: 'First steps' });
  const day = () => page.getByRole('region', { name: 'Last 24 hours', exact: true });

  async function expectAccessibleEverywhere(what: string, shown: () => Locator): Promise<void> {
    for (const theme of ['dark', 'light']) {
      const other = page.getByRole('button', { name: `Switch to ${theme} theme` });
      await Promise.all([page.waitForEvent('load'), other.click()]);
      for (const size of [NARROW, WIDE]) {
        await page.setViewportSize(size);
        await shown().first().waitFor();
        await expectAccessible(site.admin, `${what}, ${theme}, ${size.width} px`);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width, `${what}, ${theme}`).to.be.at.most(size.width);
      }
    }
  }

  it('has four steps instead of a picture on an empty installation', async () => {
    await open();
    const links = steps().getByRole('link');
    await links.first().waitFor();
    expect(await links.allInnerTexts()).to.deep.equal([
      'Connect a language model',
      'Ask the model',
      'Connect an MCP server',
      'Create an agent',
    ]);
    expect(await steps().getByText('done', { exact: true }).count()).to.equal(0);
    expect(await day().count()).to.equal(0);
    await expectAccessibleEverywhere('first steps', steps);
    await links.first().click();
    await page.getByRole('dialog', { name: 'New LLM configuration' }).waitFor();
  });

  it('marks the steps that are done, and shows the picture beside them', async () => {
    const servicesettings = { endpoint: { value: `${provider.url}/v1` }, access_token: { value: 'sk-of-a-test' } };
    const model = { service: 'General_Chat', connection_name: 'up', model: 'm', servicesettings };
    await callAdmin(platform, 'POST', '/aicommander', model);
    const isDone = (step: string) => steps().getByRole('listitem').filter({ hasText: step }).getByText('done');
    await putUsage(
      platform,
      new Map([[dayBefore(3), [usageRow({ user: 'admin', model: 'm', requests: 2, failed: 2 })]]]),
    );
    await open();
    await steps().getByRole('button', { name: 'First steps: 1 of 4 done' }).click();
    await isDone('Connect a language model').waitFor();
    await day().getByText('Nothing was used.').waitFor();
    expect(await isDone('Ask the model').count(), 'a model that has only failed').to.equal(0);
    await putUsage(platform, new Map([[dayBefore(2), [usageRow({ user: 'admin', model: 'm' })]]]));
    await open();
    await steps().getByRole('button', { name: 'First steps: 2 of 4 done' }).click();
    await isDone('Ask the model').waitFor();
  });

  it('shows requests and failures of the last 24 hours, and runs', async () => {
    await callAdmin(platform, 'POST', '/mcp_connection', {
      ...{ name: 'Desk', type: 'PLATFORM' },
      details: { url: 'http://127.0.0.1:9/mcp' },
    });
    const agent = { name: 'helper', runtime_type: 'BUILT_IN', llm: { model: 'up/m' } };
    await callAdmin(platform, 'POST', '/agents', agent);
    const asked = { agent: 'helper', input: HOSTILE, wait_s: 25 };
    const run = await platform.call('admin', 'POST', `${MOUNT}/runs`, asked);
    expectStatus(run, 200, 'a run');
    expect(run.json.state).to.equal('failed');
    await putUsage(
      platform,
      new Map([
        [thisHour() - 3 * HOUR, [usageRow({ user: 'admin', model: 'a', requests: 40, failed: 4 })]],
        [thisHour() - 5 * HOUR, [usageRow({ user: 'reader', model: 'b', requests: 7 })]],
        [thisHour() - 30 * HOUR, [usageRow({ user: 'admin', model: 'yesterday', requests: 99 })]],
      ]),
      'hour',
    );
    await open();
    const hours = table('Requests by hour');
    await hours.getByRole('row', { name: / 40 4$/ }).waitFor();
    await hours.getByRole('row', { name: / 7 0$/ }).waitFor();
    expect(await hours.getByText('99').count(), 'before these 24 hours').to.equal(0);
    const chart = day().getByRole('slider', { name: 'Requests by hour: times' });
    await chart.focus();
    for (let hour = 0; hour < 3; hour++) await page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).to.match(/: 40 \(Without a failure 36, Failed 4\)$/);

    for (const name of ['Newest runs', 'Failed runs'])
      await table(name)
        .getByRole('row', { name: `Run of helper ${HOSTILE}` })
        .waitFor();
    await table('Newest runs').getByText('failed', { exact: true }).waitFor();
    await table('Failed runs').getByText(HOSTILE).nth(1).waitFor();
    expect(await page.locator('main img').count(), 'hostile text is text').to.equal(0);
    expect(await steps().count(), 'a model, a tool server and an agent are there').to.equal(0);
    await expectAccessibleEverywhere('the picture', () => hours);
    expectNoComplaints(site.admin);
    await day()
      .getByRole('link', { name: /^[45] failed$/ })
      .click();
    await page.waitForURL(/usage\?range=24h&by=model&show=failed$/);
    await open();
    await table('Failed runs').getByRole('link', { name: 'Run of helper' }).click();
    await page.getByRole('dialog', { name: 'Run of helper' }).waitFor();
  });

  it('leaves out what the user has no right to, and shows limits that are used up', async () => {
    const limits = [
      { name: 'nothing', window: 'month', requests: 0 },
      { name: 'far', window: 'month', requests: 100 },
    ];
    for (const limit of limits) await callAdmin(platform, 'POST', '/usage_limits', limit);
    const reader = await site.visit('reader');
    await openView(reader, platform, 'overview');
    const named = (name: string) => reader.page.getByRole('table', { name, exact: true });
    await named('Requests by hour').getByRole('row', { name: / 7 0$/ }).waitFor();
    expect(await named('Requests by hour').getByText('40').count(), 'uses of others').to.equal(0);
    await named('Needs attention')
      .getByRole('row', { name: /^nothing .* failing 100 % of this month is used/ })
      .waitFor();
    expect(await named('Needs attention').getByText('far').count()).to.equal(0);
    expect(await named('Newest runs').count()).to.equal(0);
    expect(reader.complaints.refused).to.deep.equal([]);
    await reader.context.close();
  });

  it('shows credentials that run out', async () => {
    const details = { url: 'https://mcp.example.invalid/mcp', token: jwt(Date.now() / 1000 + 24 * HOUR) };
    await callAdmin(platform, 'POST', '/mcp_connection', { name: 'Aging', type: 'PLATFORM', details });
    await open();
    await table('Needs attention')
      .getByRole('row', { name: /^Aging .* expiring soon .* expires / })
      .waitFor();
  });

  it('shows the other parts where one fails', async () => {
    const json = { status: 'fail', message: 'broken', error_code: 'internal_error', request_id: '1' };
    await page.route('**/ml/usage?**', (route) => route.fulfill({ status: 500, json }));
    await open();
    await day().getByText('broken').waitFor();
    await table('Failed runs').waitFor();
    await page.unroute('**/ml/usage?**');
  });
});

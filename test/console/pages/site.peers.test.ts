import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { callAdmin } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { expectAccessible, openSite, openView, type Site, type Visit } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

const CANARY = 'canary-of-an-import-2207';

describe('the console: overview, audit and settings, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let admin: Visit;
  let reader: Visit;

  before(async function () {
    site = await openSite(this);
    ({ platform, admin } = site);
    await platform.createUser('reader', ['ml_user']);
    reader = await site.visit('reader');
  });

  after(() => site?.dispose());

  const mcp = (name: string) => ({
    ...{ name, type: 'PLATFORM' },
    details: { url: 'http://127.0.0.1:9/mcp', token: CANARY },
  });

  it('shows first steps on an empty site that lead to the forms', async () => {
    const { page } = admin;
    await openView(admin, platform, 'overview');
    await expectAccessible(admin, 'the overview of an empty site');
    await page.getByRole('link', { name: 'Connect an MCP server' }).click();
    await page.getByRole('dialog', { name: 'New MCP connection' }).waitFor();
  });

  it('has one typeface and one left edge for the header and the page', async () => {
    const { page } = admin;
    await openView(admin, platform, 'connections');
    const font = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).fontFamily`);
    expect(await font('header')).to.equal(await font('main h1'));
    const left = async (what: Locator) => (await what.boundingBox())?.x ?? 0;
    const label = page.locator('header strong');
    expect(await left(label)).to.be.closeTo(await left(page.getByRole('heading', { level: 1 })), 1);
  });

  it('leads from a failed test to the form of the connection', async () => {
    const { page } = admin;
    const details = { url: 'http://127.0.0.1:9/mcp' };
    await callAdmin(platform, 'POST', '/mcp_connection', { name: 'Refusing', type: 'PLATFORM', details });
    await openView(admin, platform, 'connections?name=Refusing');
    const panel = page.getByRole('dialog', { name: 'Refusing', exact: true });
    await panel.getByRole('button', { name: 'Test', exact: true }).click();
    await panel.getByText('Edit the connection').click();
    await page.getByRole('dialog', { name: 'Edit Refusing' }).waitFor();
    await callAdmin(platform, 'DELETE', '/mcp_connection/Refusing');
  });

  it('has a link past the navigation as the first stop of Tab', async () => {
    const { page } = admin;
    await openView(admin, platform, 'connections');
    const skip = page.getByRole('link', { name: 'Skip to main content' });
    expect((await skip.boundingBox())?.x, 'out of sight until it is needed').to.be.lessThan(0);
    await skip.focus();
    await eventually(async () => ((await skip.boundingBox())?.x ?? -1) >= 0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const place =
      'document.activeElement.closest("main") !== null && document.activeElement.closest("header") === null';
    expect(await page.evaluate(place)).to.equal(true);
  });

  it('shows failures with their remedies, and checks them again', async () => {
    const { page } = admin;
    await callAdmin(platform, 'POST', '/mcp_connection', mcp('Desk'));
    await callAdmin(platform, 'POST', '/mcp_connection/test', { name: 'Desk' });
    await openView(admin, platform, 'overview');
    const table = page.getByRole('table', { name: 'Needs attention' });
    await table.getByText('failing').waitFor();
    await table.getByText(/Check that the server runs/).waitFor();
    await page.getByRole('link', { name: '1 MCP connection' }).waitFor();
    await expectAccessible(admin, 'the overview');
    await table.getByRole('button', { name: 'Check Desk' }).click();
    await page.getByText('Desk: failing.').waitFor();
    await table.getByRole('link', { name: 'Desk' }).click();
    await page.getByRole('dialog', { name: 'Desk' }).waitFor();
  });

  it('filters the audit trail by the address, and shows changes without secrets', async () => {
    const { page } = admin;
    const change = { name: 'Desk', description: 'Rotated', details: { token: `${CANARY}-2` } };
    await callAdmin(platform, 'PUT', '/mcp_connection', change);
    await openView(admin, platform, 'audit?action=update&record=desk');
    const rows = page.getByRole('table', { name: 'entries' }).getByRole('row');
    await eventually(async () => (await rows.count()) === 2);
    await expectAccessible(admin, 'the audit trail');
    await rows.nth(1).getByRole('link').click();
    const changes = page.getByRole('table', { name: 'Changes' });
    await changes.getByRole('row', { name: 'description empty Rotated' }).waitFor();
    await changes.getByRole('row', { name: 'details.token a secret a secret, replaced' }).waitFor();
    expect(await page.content()).to.not.contain(CANARY);
    await expectAccessible(admin, 'an entry of the trail');
    await page.getByText('These entries as a search').click();
    const search = page.getByRole('link', { name: /Open in Search/ });
    expect(new URL((await search.getAttribute('href')) ?? '', platform.web).searchParams.get('q')).to.equal(
      'index=_audit sourcetype=ml_extension:audit action="update" name="desk"',
    );
    await platform.setConf('audit', { index: 'trail' });
    await page.reload();
    await changes.waitFor();
    await page.getByText('These entries as a search').click();
    await page.getByText('index=trail sourcetype=ml_extension:audit').waitFor();
    await platform.setConf('audit', { index: '' });
    await page.reload();
    await changes.waitFor();
    await page.getByText('These entries as a search').waitFor({ state: 'detached' });
    await platform.setConf('audit', { index: '_audit' });
    await page.getByRole('link', { name: 'Desk' }).click();
    await page.getByRole('dialog', { name: 'Desk' }).waitFor();
    await openView(admin, platform, 'audit?user=nobody-of-this-name');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.getByRole('table', { name: 'entries' }).waitFor();
  });

  it('names the missing capability for the audit trail, without a refused call', async () => {
    reader.complaints.refused.length = 0;
    await openView(reader, platform, 'audit');
    await reader.page.getByText(/You need the capability list_ml_audit/).waitFor();
    expect(reader.complaints.refused).to.deep.equal([]);
  });

  it('switches a feature for all users', async () => {
    const { page } = admin;
    await openView(admin, platform, 'settings');
    await page.getByText('Experiments: on').waitFor();
    await expectAccessible(admin, 'the features');
    await page.getByRole('switch', { name: /^Experiments/ }).click();
    await page.getByText('ml_extension.conf', { exact: true }).waitFor();
    await openView(reader, platform, 'settings');
    await reader.page.getByText('Experiments: off').waitFor();
    await reader.page.getByText(/Switching requires the capability admin_all_objects/).waitFor();
    expect(await reader.page.getByRole('switch', { name: /^Experiments/ }).isDisabled()).to.equal(true);
    await page.getByRole('switch', { name: /^Experiments/ }).click();
    await page.getByText('Experiments: on').waitFor();
  });

  it('exports a document, and plans and applies it with its missing secret', async () => {
    const { page, complaints } = admin;
    await openView(admin, platform, 'settings?tab=move');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export to file' }).click(),
    ]);
    const file = JSON.parse(await readFile(await download.path(), 'utf8'));
    const [desk] = file.records;
    expect(desk).to.include({ name: 'Desk', family: 'mcp-connections' });
    file.records = [
      { ...desk, name: 'Twin', spec: { ...desk.spec, name: 'Twin' } },
      { ...desk, spec: { ...desk.spec, description: 'of the file' } },
    ];
    await page.getByLabel('Document').fill('{');
    await page.getByRole('button', { name: 'Plan' }).click();
    await page.getByText(/^Invalid JSON/).waitFor();
    await page.getByLabel('File to import').setInputFiles({
      name: 'site.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(file)),
    });
    await page.getByRole('button', { name: 'Plan' }).click();
    const plan = page.getByRole('table', { name: 'Plan' });
    await plan.getByRole('row', { name: /Twin create .*Missing secret: details\.token/ }).waitFor();
    await plan.getByRole('row', { name: /Desk update description: .* → "of the file"/ }).waitFor();
    await page.getByLabel('details.token of MCP connection Twin').fill(CANARY);
    await expectAccessible(admin, 'a plan');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('dialog', { name: 'Apply 2 changes?' }).getByRole('button', { name: 'Apply' }).click();
    await page
      .getByRole('table', { name: 'Outcome' })
      .getByRole('row', { name: /Twin done/ })
      .waitFor();
    expect(await page.content()).to.not.contain(CANARY);
    const { config } = (await platform.ml('admin', 'GET', '/mcp_connection/Twin')).json;
    expect(config.details.token).to.equal('***MASKED***');
    expect(complaints.errors).to.deep.equal([]);
    expect(complaints.strangers).to.deep.equal([]);
  });
});

import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { callAdmin, logOut } from '../../support/console/walk.ts';
import { type ModernPeer, startModern } from '../../support/peers/mcp/modern.ts';
import { openSite, openView, type Site, submitLogin, untilQuiet } from '../../support/programs/browser.ts';

const READ = { name: 'read', description: 'Reads a page' };
const FIND = { name: 'find', description: 'Finds pages' };
const SLOW_MS = 1500;

describe('the console: the tools of an MCP server, in a browser', () => {
  let site: Site;
  let peer: ModernPeer;

  before(async function () {
    site = await openSite(this);
    peer = await startModern({ tools: [READ, FIND] });
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  it('marks tools that changed since the last listing, and saves which tools agents may call', async () => {
    const { platform, admin } = site;
    const { page } = admin;
    await callAdmin(platform, 'POST', '/mcp_connection', {
      ...{ name: 'Pages', type: 'PLATFORM', details: { url: peer.url } },
    });
    await openView(admin, platform, 'connections?name=Pages');
    const panel = page.getByRole('dialog', { name: 'Pages', exact: true });
    const tools = panel.getByRole('region', { name: 'Tools' });
    // The reads after a listing are slow: the next click must not be lost meanwhile.
    const slow = (route: Route) =>
      route.request().method() === 'GET' ? setTimeout(SLOW_MS).then(() => route.continue()) : route.continue();
    await page.route(/\/mcp_connection/, slow);
    await tools.getByRole('button', { name: 'List tools', exact: true }).click();
    await tools.getByText('2 of 2 tools; 2 allowed').waitFor();
    expect(await tools.getByText('The tools have changed').count(), 'news of the first list').to.equal(0);

    peer.setTools([
      { ...READ, description: 'Reads any page' },
      { name: 'write', description: 'Writes a page' },
    ]);
    await tools.getByRole('button', { name: 'List tools again' }).click();
    await tools.getByText('added: write', { exact: true }).waitFor({ timeout: 20_000 });
    await tools.getByText('removed: find', { exact: true }).waitFor();
    await tools.getByText('changed: read', { exact: true }).waitFor();
    const row = (name: string) => tools.getByRole('row').filter({ hasText: name });
    await row('Writes a page').getByText('new', { exact: true }).waitFor();
    await row('Reads any page').getByText('changed', { exact: true }).waitFor();

    await tools.getByRole('checkbox', { name: 'Allow write' }).click();
    await tools.getByText('2 of 2 tools; 1 allowed').waitFor();
    await tools.getByRole('button', { name: 'Save allowed tools' }).click();
    await untilQuiet(page);
    await page.unroute(/\/mcp_connection/, slow);
    const stored = (await platform.ml('admin', 'GET', '/mcp_connection/Pages')).json.config;
    expect(stored.tools_allowed).to.deep.equal(['read']);

    await page.reload();
    await tools.getByRole('button', { name: 'List tools', exact: true }).click();
    await tools.getByText('2 of 2 tools; 1 allowed').waitFor();
    expect(await tools.getByRole('checkbox', { name: 'Allow write' }).isChecked()).to.equal(false);
    expect(admin.complaints.errors).to.deep.equal([]);
  });

  it('saves after another tab has logged in again and changed the form key', async () => {
    const { platform } = site;
    const visit = await site.visit();
    const { page, context, complaints } = visit;
    await openView(visit, platform, 'connections?name=Pages');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit Pages', exact: true });
    await form.getByLabel('Description', { exact: true }).fill('after the other tab');
    const keys = async () =>
      (await context.cookies()).filter(({ name }) => name.startsWith('splunkweb_csrf')).map(({ value }) => value);
    const before = await keys();
    await submitLogin(await logOut(context, platform), platform);
    expect(await keys()).to.not.deep.equal(before);
    complaints.refused.length = 0;
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('dialog', { name: 'Pages', exact: true }).getByText('after the other tab').waitFor();
    expect(complaints.refused).to.deep.equal([]);
    await context.close();
  });
});

import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import {
  callAdmin,
  expectNoComplaints,
  expectNowhere,
  turnTab,
  type Walk,
  walkOf,
} from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { openSite, openView, type Site, submitLogin, untilAnswered } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

const CANARY = 'canary-of-a-draft-4830';
const NOBODY = 'http://127.0.0.1:9/mcp';
const RESTORED = 'Unsaved changes restored.';

describe('the console: unsaved input of a form', () => {
  let site: Site;
  let platform: TestPlatform;
  let page: Page;
  let walk: Walk;

  before(async function () {
    site = await openSite(this);
    ({ platform } = site);
    ({ page } = site.admin);
    walk = walkOf(site.admin, platform);
  });

  after(() => site?.dispose());

  beforeEach(async () => {
    await openView(site.admin, platform, 'overview');
    await page.evaluate('sessionStorage.clear()');
    site.admin.complaints.errors.length = 0;
  });

  const name = (form: Locator) => form.getByLabel('Name', { exact: true });
  const description = (form: Locator) => form.getByLabel('Description', { exact: true });
  const noticeIn = (form: Locator) => form.getByText(RESTORED);
  const make = (connection: string) =>
    callAdmin(platform, 'POST', '/mcp_connection', {
      ...{ name: connection, type: 'PLATFORM', description: 'first', details: { url: NOBODY } },
    });
  const change = (connection: string, body: object) =>
    callAdmin(platform, 'PUT', '/mcp_connection', { name: connection, ...body });
  const expectDrafts = (count: number, when: string) =>
    eventually(
      async () => (await page.evaluate('Object.keys(sessionStorage).length')) === count,
      5000,
      `${count} drafts ${when}`,
    );
  const openEdit = async (connection: string) => {
    await walk.open(`connections?name=${connection}`);
    return walk.edit(connection);
  };

  it('is restored after a reload, without its secrets', async () => {
    const form = await walk.openForm('connections', 'MCP connection');
    await walk.fill(form, { Name: 'Kept', Address: NOBODY, Token: CANARY });
    await page.reload();
    await noticeIn(form).waitFor();
    expect(await name(form).inputValue()).to.equal('Kept');
    expect(await form.getByLabel('Address').inputValue()).to.equal(NOBODY);
    expect(await form.getByLabel('Token', { exact: true }).inputValue()).to.equal('');
    await walk.see(form, 'Secrets are not kept. Enter again: Token.');
    await expectNowhere(site.admin, CANARY);
    await walk.press('Save', form);
    await walk.dialog('Kept').waitFor();
    await expectDrafts(0, 'after it was saved');
    expectNoComplaints(site.admin);
  });

  it('is restored when the form is opened again after Back, and after Forward', async () => {
    const form = await walk.openForm('connections', 'MCP connection');
    await name(form).fill('Kept over Back');
    await page.goBack();
    await form.waitFor({ state: 'detached' });
    await page.goForward();
    await noticeIn(form).waitFor();
    expect(await name(form).inputValue()).to.equal('Kept over Back');
    await page.goBack();
    await form.waitFor({ state: 'detached' });
    await walk.press('New MCP connection');
    await noticeIn(form).waitFor();
    expect(await name(form).inputValue()).to.equal('Kept over Back');
  });

  it('is restored in the form of a change after Back from another page', async () => {
    await make('Changed');
    const form = await openEdit('Changed');
    await description(form).fill('typed');
    await openView(site.admin, platform, 'overview');
    await page.goBack();
    await walk.dialog('Edit Changed').waitFor();
    expect(await description(walk.dialog('Edit Changed')).inputValue()).to.equal('typed');
    await walk.press('Save', form);
    await walk.dialog('Changed').getByText('typed', { exact: true }).waitFor();
  });

  it('is restored after Retry on a page that could not be loaded', async () => {
    const form = await walk.openForm('connections', 'MCP connection');
    await name(form).fill('Kept over Retry');
    await page.route(/\/console\/page-/, (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('The connection was lost or the app was updated').waitFor();
    await page.unroute(/\/console\/page-/);
    await walk.press('Retry');
    await noticeIn(form).waitFor();
    expect(await name(form).inputValue()).to.equal('Kept over Retry');
  });

  it('stays when a part of the form fails and is retried', async () => {
    await make('Retried');
    const list = /\/ml\/mcp_connection\?/;
    await page.route(list, (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }));
    const form = await walk.openForm('agents', 'agent');
    await name(form).fill('typed');
    await form.getByRole('button', { name: 'Retry' }).waitFor();
    await page.unroute(list);
    await walk.press('Retry', form);
    await form.getByLabel('Add an MCP connection').waitFor();
    expect(await name(form).inputValue()).to.equal('typed');
  });

  it('is removed by Discard and by Cancel', async () => {
    const form = await walk.openForm('connections', 'MCP connection');
    await name(form).fill('Not wanted');
    await page.reload();
    await noticeIn(form).waitFor();
    await walk.press('Discard', form);
    await noticeIn(form).waitFor({ state: 'detached' });
    expect(await name(form).inputValue()).to.equal('');
    await expectDrafts(0, 'after Discard');
    await name(form).fill('Not wanted either');
    await expectDrafts(1, 'of the input');
    await walk.press('Cancel', form);
    await expectDrafts(0, 'after Cancel');
  });

  it('is removed when the user logs out, and is not shown to another user', async () => {
    const visit = await site.visit();
    const { page: tab, openForm, fill, press, open } = walkOf(visit, platform);
    const form = await openForm('connections', 'MCP connection');
    await fill(form, { Name: 'Mine' });
    await tab.evaluate("sessionStorage.setItem('ml_extension form \"somebody\" []', '{}')");
    await tab.reload();
    await noticeIn(form).waitFor();
    const keys = () => tab.evaluate('Object.keys(sessionStorage).length');
    expect(await keys(), 'of the other user').to.equal(1);
    await tab.goBack();
    await form.waitFor({ state: 'detached' });
    await press('Log out');
    await tab.getByLabel('User name').waitFor();
    expect(await keys(), 'after the logout').to.equal(0);
    await submitLogin(tab, platform);
    await open('connections?new=1');
    await form.waitFor();
    expect(await name(form).inputValue()).to.equal('');
    await visit.context.close();
  });

  it('asks which value to keep if somebody else has changed the same field meanwhile', async () => {
    await make('Both');
    await description(await openEdit('Both')).fill('mine');
    await change('Both', { description: 'theirs', tools_allowed: ['one'] });
    await page.reload();
    const conflict = walk.dialog('Someone else has changed this');
    await walk.see(conflict.getByRole('row', { name: /^Description/ }), 'mine', 'theirs');
    await walk.press('Apply', conflict);
    const form = walk.dialog('Edit Both');
    await walk.see(form, 'The record was changed since you began.');
    await walk.press('Save', form);
    await form.waitFor({ state: 'detached' });
    const { config } = await callAdmin(platform, 'GET', '/mcp_connection/Both');
    expect(config).to.include({ description: 'mine' });
    expect(config.tools_allowed).to.deep.equal(['one']);
  });

  it('is put on top of changes of other fields', async () => {
    await make('Merged');
    await description(await openEdit('Merged')).fill('mine');
    await change('Merged', { details: { url: `${NOBODY}/moved` } });
    await page.reload();
    const form = walk.dialog('Edit Merged');
    await walk.see(form, 'The record was changed since you began.');
    expect(await form.getByLabel('Address').inputValue()).to.equal(`${NOBODY}/moved`);
    expect(await description(form).inputValue()).to.equal('mine');
  });

  it('stays when the record is deleted meanwhile', async () => {
    await make('Deleted');
    const form = await openEdit('Deleted');
    await description(form).fill('mine');
    await callAdmin(platform, 'DELETE', '/mcp_connection/Deleted');
    await walk.press('Save', form);
    await walk.see(form.getByRole('alert'), 'not_found');
    const isGone = page.getByText('No MCP connection of this name');
    // A return to the tab reads again what is older than two seconds.
    await eventually(async () => {
      await turnTab(page, 'hidden');
      await turnTab(page, 'visible');
      // A read that has begun hides the failure of the one before it.
      await untilAnswered(page);
      return isGone.isVisible();
    });
    expect(await description(form).inputValue()).to.equal('mine');
  });

  it('keeps invalid JSON as it was typed', async () => {
    const form = await walk.openForm('experiments', 'experiment');
    await walk.press('Add stage', form);
    await walk.fill(form, { Title: 'Unfinished', SPL: 'index=main' });
    const parameters = form.getByLabel('Parameters');
    await parameters.fill('{ "unfinished": ');
    await page.reload();
    await noticeIn(form).waitFor();
    expect(await parameters.inputValue()).to.equal('{ "unfinished": ');
    await walk.press('Save', form);
    await walk.see(form, 'is not valid JSON');
  });

  it('works without a draft if the storage is full or the input too large', async () => {
    const form = await walk.openForm('connections', 'MCP connection');
    await name(form).fill('Small');
    await expectDrafts(1, 'of the input');
    await description(form).fill('x'.repeat(250_000));
    await expectDrafts(0, 'of large input');
    await page.evaluate("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }");
    await description(form).fill('short');
    await name(form).fill('Full storage');
    await form.getByLabel('Address').fill(NOBODY);
    await walk.press('Save', form);
    await walk.dialog('Full storage').waitFor();
    expectNoComplaints(site.admin);
  });
});

import { expect } from 'chai';
import { expectAccessible, inEveryLook, openSite, openView, type Site, type Visit } from '../support/browser.ts';
import { expectFocus } from '../support/console/hands.ts';
import type { TestPlatform } from '../support/e2e/platform.ts';
import { KeyedPeer } from '../support/peers/keyed.ts';
import { eventually } from '../support/time.ts';

const CANARY = 'canary-of-the-console-4711';

describe('the console: connections, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let peer: KeyedPeer;
  let admin: Visit;

  before(async function () {
    peer = await KeyedPeer.start();
    peer.working.add(CANARY);
    site = await openSite(this);
    ({ platform, admin } = site);
    await platform.createUser('reader', ['ml_user']);
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  const mcp = (name: string, more: object = {}) => ({
    ...{ name, type: 'PLATFORM', description: 'of a test' },
    details: { url: `${peer.url}/mcp`, token: CANARY },
    ...more,
  });
  const make = async (name: string, more: object = {}) =>
    expect((await platform.ml('admin', 'POST', '/mcp_connection', mcp(name, more))).status).to.equal(200);
  const stored = async (name: string) => (await platform.ml('admin', 'GET', `/mcp_connection/${name}`)).json.config;
  const edit = async ({ page }: Visit) => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('dialog', { name: /^Edit/ }).waitFor();
  };

  it('a newcomer makes a connection, tests it, changes it and deletes it, and the secret shows nowhere', async () => {
    const { page, complaints } = admin;
    const seen: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes(CANARY)) seen.push(request.url());
    });
    await openView(admin, platform, 'connections');
    await page.getByText('No MCP connections yet').waitFor();
    await page.getByRole('button', { name: 'New MCP connection' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New MCP connection', exact: true });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Name is required').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Desk');
    await dialog.getByLabel('Address').fill(`${peer.url}/mcp`);
    await dialog.getByLabel('Token', { exact: true }).fill('a key that does not work');
    await dialog.getByRole('button', { name: 'Test', exact: true }).click();
    await dialog.getByText('auth_failed').waitFor();
    await dialog.getByText('Nothing was saved.').waitFor();
    await dialog.getByLabel('Token', { exact: true }).fill(CANARY);
    await dialog.getByRole('button', { name: 'Test', exact: true }).click();
    await dialog.getByText('It works').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const panel = page.getByRole('dialog', { name: 'Desk', exact: true });
    await panel.getByRole('button', { name: 'Test', exact: true }).click();
    await panel.getByText('It works').waitFor();
    const before = await stored('Desk');

    await edit(admin);
    await page.getByLabel('Description').fill('<b>Tools</b> of the desk');
    await page.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('<b>Tools</b> of the desk').waitFor();
    const after = await stored('Desk');
    const { description: _1, version, last_updated_at: _2, ...rest } = after;
    const { description: _3, version: first, last_updated_at: _4, ...was } = before;
    expect(rest).to.deep.equal(was);
    expect(version).to.equal(first + 1);
    peer.asked.length = 0;
    await panel.getByRole('button', { name: 'Test', exact: true }).click();
    await panel.getByText('It works').waitFor();
    expect(peer.asked[0], 'the stored secret').to.equal(CANARY);

    const storage = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(`${await page.content()}${storage}`).to.not.contain(CANARY);
    expect(seen).to.deep.equal([]);

    await panel.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Delete Desk?' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click();
    await page.getByText('No MCP connections yet').waitFor();
    expect(complaints.errors).to.deep.equal([]);
    expect(complaints.strangers).to.deep.equal([]);
  });

  it('a new host wants its secret again: the field says so, and the rest of the input stays', async () => {
    const { page } = admin;
    await make('Bound');
    await openView(admin, platform, 'connections?name=Bound');
    await edit(admin);
    await page.getByLabel('Description').fill('moved');
    await page.getByLabel('Address').fill('http://127.0.0.2:9/mcp');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('secret_required_for_new_host').waitFor();
    await page.getByLabel('Token', { exact: true }).fill('another');
    expect(await page.getByLabel('Description').inputValue()).to.equal('moved');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Bound', exact: true }).getByText('http://127.0.0.2:9/mcp').waitFor();
    expect(await stored('Bound')).to.include({ description: 'moved' });
  });

  it('two change one record: the second decides field by field, and undoes nothing of the first', async () => {
    const { page } = admin;
    await make('Shared');
    await openView(admin, platform, 'connections?name=Shared');
    await edit(admin);
    await page.getByLabel('Description').fill('mine');
    const theirs = { name: 'Shared', description: 'theirs', tools_allowed: ['one'] };
    expect((await platform.ml('admin', 'PUT', '/mcp_connection', theirs)).status).to.equal(200);
    await page.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('dialog', { name: 'Somebody else has changed this', exact: true });
    await conflict.getByRole('cell', { name: 'theirs', exact: true }).waitFor();
    expect(await page.content()).to.not.contain(CANARY);
    await conflict.getByRole('button', { name: 'Write mine over it' }).click();
    await page.getByRole('dialog', { name: 'Edit Shared', exact: true }).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Shared', exact: true }).getByText('mine').waitFor();
    const now = await stored('Shared');
    expect(now.description).to.equal('mine');
    expect(now.tools_allowed).to.deep.equal(['one']);
  });

  it('with the keyboard alone, and the focus comes back', async () => {
    const { page } = admin;
    await openView(admin, platform, 'connections');
    await page.getByRole('button', { name: 'New MCP connection' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New MCP connection', exact: true }).waitFor();
    await page.getByLabel('Name', { exact: true }).waitFor();
    await eventually(
      () => page.getByLabel('Name', { exact: true }).evaluate((input) => input === document.activeElement),
      10_000,
      'the focus to be in the first field',
    );
    await page.keyboard.type('By keys');
    for (let tabs = 0; tabs < 20; tabs++) {
      await page.keyboard.press('Tab');
      if (await page.getByLabel('Address').evaluate((input) => input === document.activeElement)) break;
    }
    await page.keyboard.type(`${peer.url}/mcp`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'By keys', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New MCP connection' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('dialog', { name: 'New MCP connection', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(
      () =>
        page
          .getByRole('button', { name: 'New MCP connection' })
          .evaluate((button) => button === document.activeElement),
      10_000,
      'the focus to be back on the button',
    );
  });

  it('what was entered is not thrown away by a slip: Escape and the cross ask, Cancel does not', async () => {
    const { page } = admin;
    const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
    const opener = page.getByRole('button', { name: 'New MCP connection' });
    const form = dialog('New MCP connection');
    const question = dialog('Discard your changes?');
    const keep = question.getByRole('button', { name: 'Keep editing' });
    const name = form.getByLabel('Name', { exact: true });
    await openView(admin, platform, 'connections');
    await opener.focus();
    await page.keyboard.press('Enter');
    await expectFocus(name, 'the focus to be in the first field');
    await page.keyboard.type('Half a name');

    await page.keyboard.press('Escape');
    await expectFocus(keep, 'the focus to be on what loses nothing');
    await expectAccessible(admin, 'the question');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await expectFocus(name, 'the focus to be back in the field');
    await page.keyboard.press('Escape');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await expectFocus(name, 'the focus to be back once more');
    expect(await name.inputValue()).to.equal('Half a name');

    await form.getByRole('button', { name: 'Close', exact: true }).click();
    await expectFocus(keep, 'the question to have the focus');
    const discard = question.getByRole('button', { name: 'Discard', exact: true });
    await page.keyboard.press('Shift+Tab');
    await expectFocus(discard, 'the focus to be on Discard');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(opener, 'the focus to be back on the button');

    await page.keyboard.press('Enter');
    await expectFocus(name, 'the focus to be in a new form');
    await page.keyboard.type('a');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await opener.click();
    await name.fill('Decided');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await platform.ml('admin', 'POST', '/mcp_connection', mcp('Slipped'));
    await openView(admin, platform, 'connections?name=Slipped');
    const edit = dialog('Slipped').getByRole('button', { name: 'Edit', exact: true });
    await edit.click();
    await dialog('Edit Slipped').getByLabel('Description').fill('a slip');
    await page.keyboard.press('Escape');
    await discard.click();
    await dialog('Edit Slipped').waitFor({ state: 'detached' });
    await expectFocus(edit, 'the focus to be back on Edit');
    expect((await stored('Slipped')).description).to.equal('of a test');
  });

  it('search, sort, page and panel stand in the address: reload, Back and a pasted link show the same', async () => {
    const { page } = admin;
    await platform.putDocuments('ml_mcp_connections', await many(platform, 120));
    await openView(admin, platform, 'connections');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('mcp_connection?')) asked.push(new URL(request.url()).search);
    });
    await page.getByRole('button', { name: 'Go to next page' }).click();
    await page.waitForURL(/page=2/);
    expect(await page.getByRole('row').count()).to.be.at.most(101);
    asked.length = 0;
    await page.getByLabel('Search MCP connections').pressSequentially('copy 11');
    await page.waitForURL(/q=copy\+11/);
    expect(new URL(page.url()).searchParams.get('page'), 'page 1 after a new search').to.equal(null);
    await page.getByRole('cell', { name: 'Copy 11', exact: true }).waitFor();
    expect(asked, 'one request a pause').to.have.length.at.most(2);
    await page.getByRole('button', { name: /^Name/ }).click();
    await page.waitForURL(/dir=desc/);
    await page.getByRole('link', { name: 'Copy 117', exact: true }).click();
    await page.getByRole('dialog', { name: 'Copy 117' }).waitFor();
    const address = page.url();
    await page.reload();
    await page.getByRole('dialog', { name: 'Copy 117' }).waitFor();
    expect(page.url()).to.equal(address);
    expect(await page.getByLabel('Search MCP connections').inputValue()).to.equal('copy 11');
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goForward();
    await page.getByRole('dialog', { name: 'Copy 117' }).waitFor();
  });

  it('who may not do something sees why before the click', async () => {
    await platform.createRole('looker', ['user']);
    await platform.createUser('looker', ['looker']);
    const visit = await site.visit('looker');
    await openView(visit, platform, 'connections');
    const button = visit.page.getByRole('button', { name: 'New MCP connection' }).first();
    await eventually(async () => (await button.getAttribute('aria-disabled')) === 'true', 10_000, 'it to be dimmed');
    const why = visit.page.getByRole('tooltip').getByText('You need the capability edit_agent_connections');
    // What loads above the button moves it away from under the mouse, which then has to be moved again.
    await eventually(async () => {
      await visit.page.mouse.move(0, 0);
      await button.hover();
      return why
        .waitFor({ timeout: 2000 })
        .then(() => true)
        .catch(() => false);
    });
    await visit.context.close();
  });

  it('a session that has ended costs no input', async () => {
    const visit = await site.visit();
    const { page, context } = visit;
    await openView(visit, platform, 'connections');
    await page.getByRole('button', { name: 'New MCP connection' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('After the session');
    await page.getByLabel('Address').fill(`${peer.url}/mcp`);
    const other = await context.newPage();
    await other.goto(`${platform.web}/en-US/account/logout`);
    await page.getByRole('button', { name: 'Save' }).click();
    const ended = page.getByRole('dialog', { name: 'Your session has ended', exact: true });
    await ended.waitFor();
    await other.goto(platform.web);
    await other.getByLabel('User name').fill('admin');
    await other.getByLabel('Password').fill(platform.passwordOf('admin'));
    await other.keyboard.press('Enter');
    await other.getByRole('heading', { level: 1 }).waitFor();
    await ended.getByRole('button', { name: 'Continue' }).click();
    await page
      .getByRole('dialog', { name: 'New MCP connection', exact: true })
      .getByRole('button', { name: 'Save' })
      .click();
    await page.getByRole('dialog', { name: 'After the session', exact: true }).waitFor();
    await context.close();
  });

  it('a store that is down is told of, and comes back by itself', async () => {
    const { page } = admin;
    await openView(admin, platform, 'connections');
    await page.getByRole('table').waitFor();
    await platform.faults({ kvstore: 'down' });
    try {
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText('store_unavailable').waitFor();
      await page.getByText('Showing earlier data.').waitFor();
    } finally {
      await platform.faults({ kvstore: 'ok' });
    }
    await page.getByText('store_unavailable').waitFor({ state: 'detached' });
  });

  inEveryLook(
    () => site,
    async (visit) => {
      const { page } = visit;
      await openView(visit, platform, 'connections');
      await page.getByRole('table').waitFor();
      await expectAccessible(visit, 'the list');
      await page.getByRole('button', { name: 'New MCP connection' }).first().click();
      await page.getByRole('dialog').getByLabel('Address').waitFor();
      await expectAccessible(visit, 'the form');
      await page.keyboard.press('Escape');
      await openView(visit, platform, 'connections?name=Bound');
      await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
      await expectAccessible(visit, 'the panel');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog', { name: 'Delete Bound?' }).waitFor();
      await expectAccessible(visit, 'the question');
    },
  );
});

/** Copies of a stored connection, each with a name of its own and no secret. */
async function many(platform: TestPlatform, count: number): Promise<Record<string, unknown>[]> {
  const [one] = await platform.documents('ml_mcp_connections');
  return Array.from({ length: count }, (_, n) => ({
    ...one,
    ...{ _key: `copy ${n}`, name: `Copy ${n}`, secret_ref: null, secret_fields: [] },
  }));
}

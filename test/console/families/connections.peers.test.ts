import { expect } from 'chai';
import { expectFocus } from '../../support/console/hands.ts';
import { callAdmin, logOut, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { expectAccessible, openSite, type Site, submitLogin, type Visit } from '../../support/programs/browser.ts';

const NOBODY = 'http://127.0.0.1:9/mcp';

describe('the console: MCP connections, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let admin: Visit;
  let walk: Walk;

  before(async function () {
    site = await openSite(this);
    ({ platform, admin } = site);
    walk = walkOf(admin, platform);
  });

  after(() => site?.dispose());

  const make = (name: string) => {
    const details = { url: NOBODY, token: 'a token' };
    return callAdmin(platform, 'POST', '/mcp_connection', {
      name,
      type: 'PLATFORM',
      description: 'of a test',
      details,
    });
  };
  const stored = async (name: string) => (await callAdmin(platform, 'GET', `/mcp_connection/${name}`)).config;

  it('asks for the secret again after a change of the host, and keeps the rest of the input', async () => {
    await make('Bound');
    await walk.open('connections?name=Bound');
    const form = await walk.edit('Bound');
    await walk.fill(form, { Description: 'moved', Address: 'http://127.0.0.2:9/mcp' });
    await walk.press('Save', form);
    await walk.see(form, 'secret_required_for_new_host');
    await walk.fill(form, { Token: 'another' });
    expect(await form.getByLabel('Description').inputValue()).to.equal('moved');
    await walk.press('Save', form);
    await walk.see(walk.dialog('Bound'), 'http://127.0.0.2:9/mcp');
    expect(await stored('Bound')).to.include({ description: 'moved' });
  });

  it('asks before Escape or Close discards input; Cancel discards it at once', async () => {
    const { page, dialog } = walk;
    const opener = page.getByRole('button', { name: 'New MCP connection' });
    const form = dialog('New MCP connection');
    const question = dialog('Discard your changes?');
    const keep = question.getByRole('button', { name: 'Keep editing' });
    const name = form.getByLabel('Name', { exact: true });
    await walk.open('connections');
    await opener.focus();
    await page.keyboard.press('Enter');
    await expectFocus(name, 'the focus to be in the first field');
    await page.keyboard.type('Half a name');

    await page.keyboard.press('Escape');
    await expectFocus(keep, 'the focus to be on the button that discards nothing');
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

    await walk.press('Close', form);
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
    await walk.press('Cancel', form);
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await make('Slipped');
    await walk.open('connections?name=Slipped');
    await walk.fill(await walk.edit('Slipped'), { Description: 'a slip' });
    await page.keyboard.press('Escape');
    await discard.click();
    await dialog('Edit Slipped').waitFor({ state: 'detached' });
    await expectFocus(dialog('Slipped').getByRole('button', { name: 'Edit' }), 'the focus to be back on Edit');
    expect((await stored('Slipped')).description).to.equal('of a test');
  });

  it('keeps the input of a form when the session ends', async () => {
    const visit = await site.visit();
    const other = walkOf(visit, platform);
    const form = await other.openForm('connections', 'MCP connection');
    await other.fill(form, { Name: 'After the session', Address: NOBODY });
    const second = await logOut(visit.context, platform);
    await other.press('Save', form);
    const ended = other.dialog('Your session has ended');
    await ended.waitFor();
    await submitLogin(second, platform);
    await other.press('Continue', ended);
    // Enter in a field saves.
    await form.getByLabel('Address').press('Enter');
    await other.dialog('After the session').waitFor();
    await visit.context.close();
  });
});

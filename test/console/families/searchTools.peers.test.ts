import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { sendEvent } from '../../support/console/events.ts';
import { keyboard } from '../../support/console/hands.ts';
import { expectHarmless, HIDDEN, MARKUP, SHOWN, watchDialogs } from '../../support/console/harm.ts';
import { expectListStates } from '../../support/console/listStates.ts';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { expectAccessible, openSite, type Site, type Visit } from '../../support/programs/browser.ts';

const VIEW = 'connections?tab=searches';
const API = /\/ml\/search_tools(\?|$)/;

describe('the console: search tools, in a browser', function () {
  this.timeout(120_000);
  let site: Site;
  let platform: TestPlatform;
  let admin: Visit;
  let walk: Walk;

  before(async function () {
    site = await openSite(this);
    ({ platform, admin } = site);
    watchDialogs(admin);
    walk = walkOf(admin, platform);
  });

  after(() => site?.dispose());

  const table = (name: string | RegExp, where: Locator | Walk['page'] = walk.page): Locator =>
    where.getByRole('table', { name, exact: true });
  const stored = async (name: string) => (await callAdmin(platform, 'GET', `/search_tools/${name}`)).config;

  it('says that there are none yet, and that it waits or fails to read them', () =>
    expectListStates(walk, admin, {
      view: VIEW,
      api: API,
      many: 'search tools',
      about: /A search tool is a search of Splunk that agents and MCP clients call/,
    }));

  it('finds arguments while the search is typed, tests them without saving, and saves them', async () => {
    const form = await walk.openForm(VIEW, 'search tool');
    await walk.fill(form, { Name: 'greeting', SPL: '| makeresults count=3 | eval said="$who$", again="$who$"' });
    const argument = form.getByRole('group', { name: 'argument 1' });
    expect(await argument.getByLabel('Name', { exact: true }).inputValue()).to.equal('who');
    expect(await argument.getByRole('checkbox', { name: 'Required' }).isChecked(), 'required').to.equal(true);
    expect(await form.getByRole('group', { name: 'argument 2' }).count(), 'named twice, once here').to.equal(0);
    await argument.getByLabel('Description', { exact: true }).fill('Whom to greet');
    await walk.press('Test options', form);
    await form.getByLabel('Values', { exact: true }).fill('{"who": "Ann \\"x\\" | delete"}');
    await walk.press('Test', form);
    await walk.see(form, /^It works/, 'read only', 'Nothing was saved.');
    const rows = table('3 of 3 rows', form);
    await walk.see(rows, 'Ann "x" | delete');
    expect(await rows.getByRole('row').count()).to.equal(4);
    expect(await form.getByRole('link', { name: /^Search job/ }).getAttribute('href')).to.match(
      /\/app\/search\/search\?sid=[\w.]+$/,
    );
    await expectAccessible(admin, 'the form of a search tool with rows');
    expect((await platform.ml('admin', 'GET', '/search_tools')).json.pagination.total).to.equal(0);
    await walk.press('Save', form);
    const panel = walk.dialog('greeting');
    await walk.see(panel, 'search__greeting', 'read only', 'who: string', '-24h to now');
    await expectAccessible(admin, 'the panel of a search tool');
    expect((await stored('greeting')).arguments).to.deep.equal([
      { name: 'who', type: 'string', description: 'Whom to greet', is_required: true, wildcards: false },
    ]);
  });

  it('says which argument may not stand where it does', async () => {
    const form = await walk.openForm(VIEW, 'search tool');
    await walk.fill(form, { Name: 'wrong', SPL: '| makeresults | eval a=$who$' });
    await walk.press('Save', form);
    await walk.see(form, /within double quotes/);
    await walk.fill(form, { SPL: 'search index=main | regex host="$who$"' });
    await walk.press('Save', form);
    await walk.see(form, /regular expression/);
    await walk.press('Cancel', form);
  });

  it('marks a search that changes something, and runs its test only when it is told to', async () => {
    // A command of an app is taken for one that changes something.
    await callAdmin(platform, 'POST', '/search_tools', { name: 'keep', search: '| mlhealth | fields name' });
    await walk.open(VIEW);
    const row = table('search tools').getByRole('row').filter({ hasText: 'keep' });
    await walk.see(row, 'changes something');
    await walk.open(`${VIEW}&name=keep`);
    const panel = walk.dialog('keep');
    await walk.press('Test', panel);
    await walk.see(panel.getByRole('alert'), /changes something/);
    await walk.press('Test options', panel);
    await panel.getByRole('checkbox', { name: 'Run it although it changes something' }).click();
    await walk.press('Test', panel);
    await walk.see(panel, /^It works/, 'greeting');
    await walk.see(row, 'works');
  });

  it('shows the words of the platform when a search fails', async () => {
    await callAdmin(platform, 'POST', '/search_tools', {
      name: 'broken',
      search: 'search index=main | stats nonsense(x)',
    });
    await walk.open(`${VIEW}&name=broken`);
    const panel = walk.dialog('broken');
    await walk.press('Test', panel);
    await walk.see(panel, 'The test failed', /The aggregation specifier 'nonsense\(x\)' is invalid/, 'search_failed');
    await expectAccessible(admin, 'a search that failed');
  });

  it('shows what is hostile in rows as text, in both themes and on narrow pages', async () => {
    await sendEvent(platform, `${MARKUP} ${HIDDEN}`);
    const search = `search index=main sourcetype=hostile | table _raw | eval long="${'y'.repeat(9000)}" | rename _raw AS "said <b>"`;
    await callAdmin(platform, 'POST', '/search_tools', { name: 'hostile', search, description: `${MARKUP} ${HIDDEN}` });
    for (const theme of ['dark', 'light'] as const) {
      await walk.open(VIEW);
      await Promise.all([walk.page.waitForEvent('load'), walk.press(`Switch to ${theme} theme`)]);
      await walk.open(`${VIEW}&name=hostile`);
      const panel = walk.dialog('hostile');
      await walk.press('Test', panel);
      await walk.see(panel, /^It works/);
      await walk.see(table('1 of 1 rows', panel), new RegExp(SHOWN.replace(/[[\]+]/g, '\\$&')));
      await expectHarmless(admin, `rows in the ${theme} theme`);
      await walk.page.setViewportSize({ width: 320, height: 700 });
      await expectAccessible(admin, `narrow rows in the ${theme} theme`);
      await walk.page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  it('is used by keyboard alone', async () => {
    const { page } = walk;
    const hands = keyboard(page);
    await walk.open(VIEW);
    await hands.press(page.getByRole('button', { name: 'New search tool', exact: true }));
    const form = walk.dialog('New search tool');
    await hands.type(form.getByLabel('Name', { exact: true }), 'by_keys');
    await hands.type(form.getByLabel('SPL', { exact: true }), '| makeresults | eval n=$n$');
    const argument = form.getByRole('group', { name: 'argument 1' });
    await hands.choose(argument.getByLabel('Type', { exact: true }), 'integer');
    await hands.press(form.getByRole('button', { name: 'Test options', exact: true }));
    await hands.type(form.getByLabel('Values', { exact: true }), '{"n": 42}');
    await hands.press(form.getByRole('button', { name: 'Test', exact: true }));
    await walk.see(table('1 of 1 rows', form), '42');
    await hands.press(form.getByRole('button', { name: 'Save', exact: true }));
    await walk.see(walk.dialog('by_keys'), 'n: integer');
    expect(hands.complaints).to.deep.equal([]);
    expectNoComplaints(admin);
  });
});

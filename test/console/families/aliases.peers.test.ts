import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { expectAccessible, openSite, type Site, type Visit } from '../../support/programs/browser.ts';

const KEY = 'canary-of-the-aliases-5127';
const target = (connection_name: string, model: string) => ({ service: 'General_Chat', connection_name, model });
const FIRST = target('first', 'gpt-4o');
const SECOND = target('second', 'gpt-4o-mini');

describe('the console: model aliases, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let peer: KeyedPeer;
  let admin: Visit;
  let walk: Walk;

  before(async function () {
    peer = await KeyedPeer.start();
    peer.working.add(KEY);
    site = await openSite(this);
    ({ platform, admin } = site);
    walk = walkOf(admin, platform);
    const configure = (identity: object, endpoint: string) =>
      callAdmin(platform, 'POST', '/aicommander', {
        ...identity,
        servicesettings: { endpoint: { value: endpoint }, access_token: { value: KEY } },
      });
    await configure(FIRST, 'http://127.0.0.1:9/v1');
    await configure(SECOND, `${peer.url}/v1`);
    await callAdmin(platform, 'POST', '/aicommander', { ...target('draft', 'gpt-4'), is_saved: false });
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  const stored = async (name: string) => (await callAdmin(platform, 'GET', `/model_aliases/${name}`)).config;
  const addTarget = async (form: Locator, at: number, option: RegExp) => {
    await walk.press('Add target', form);
    await form
      .getByRole('group', { name: `target ${at}` })
      .getByLabel('Saved model')
      .click();
    await walk.page.getByRole('option', { name: option }).click();
  };

  it('creates one from saved configurations, in the order that the buttons give them', async () => {
    const form = await walk.openForm('connections?tab=aliases', 'alias');
    await walk.fill(form, { Name: 'fast' });
    await walk.press('Add target', form);
    await walk.press('Save', form);
    await walk.see(form, 'Targets are incomplete. Choose target 1');
    await form.getByLabel('Saved model').click();
    await walk.see(walk.page, 'gpt-4o (General_Chat, first)');
    expect(await walk.page.getByRole('option', { name: /draft/ }).count(), 'drafts').to.equal(0);
    await walk.page.getByRole('option', { name: /^gpt-4o-mini/ }).click();
    await addTarget(form, 2, /^gpt-4o \(/);
    expect(await form.getByRole('button', { name: /^Move target/ }).count()).to.equal(2);
    await form.getByRole('button', { name: 'Move target 2 up' }).focus();
    await walk.page.keyboard.press('Enter');
    await walk.choose(form, 'strategy', 'A random one');
    for (const [name, isChecked] of [
      ['Too many requests', true],
      ['Unknown model', false],
    ] as const)
      expect(await form.getByRole('checkbox', { name }).isChecked(), name).to.equal(isChecked);
    await form.getByRole('checkbox', { name: 'Unknown model' }).check();
    await form.getByRole('checkbox', { name: 'Timeout' }).uncheck();
    await walk.fill(form, { 'System prompt': 'Be brief.' });
    await expectAccessible(admin, 'the form of an alias');
    await walk.press('Save', form);

    const panel = walk.dialog('fast');
    await walk.see(panel, 'first/gpt-4o, second/gpt-4o-mini', 'A random one', 'Be brief.', 'not tested yet');
    expect(await stored('fast')).to.deep.include({
      targets: [FIRST, SECOND],
      strategy: 'spread',
      fallback_on: [
        ...['rate_limited', 'quota_exceeded', 'upstream_error', 'connection_refused', 'connection_reset', 'dns_failed'],
        'model_not_found',
      ],
      defaults: { system_prompt: 'Be brief.' },
    });
    await expectAccessible(admin, 'the panel of an alias');
  });

  it('tests the targets, and shows which one fails in the list and the panel', async () => {
    await walk.open('connections?tab=aliases&name=fast');
    const panel = walk.dialog('fast');
    await walk.press('Test', panel);
    await walk.see(panel, 'It works', /1 target failing/);
    const row = walk.page.getByRole('table', { name: 'aliases' }).getByRole('row').filter({ hasText: 'fast' });
    await walk.see(row, 'works', /first\/gpt-4o: /);
    peer.working.clear();
    await walk.press('Test', panel);
    await walk.see(panel, 'The test failed', /All targets fail/);
    await walk.see(row, 'failing');
    peer.working.add(KEY);
  });

  it('changes targets and never asks the next one when no failure is ticked', async () => {
    await walk.open('connections?tab=aliases&name=fast');
    const form = await walk.edit('fast');
    await walk.press('Remove target 1', form);
    for (const box of await form.getByRole('group', { name: 'Try the next target after' }).getByRole('checkbox').all())
      await box.uncheck();
    await walk.press('Save', form);
    await form.waitFor({ state: 'detached' });
    await walk.see(walk.dialog('fast'), 'no failure');
    expect(await stored('fast')).to.deep.include({ targets: [SECOND], fallback_on: [] });

    await walk.press('Clone', walk.dialog('fast'));
    const clone = walk.dialog('Clone fast');
    await walk.fill(clone, { Name: 'copy' });
    await walk.press('Save', clone);
    await walk.see(walk.dialog('copy'), 'no failure');
    expect((await stored('copy')).fallback_on, 'an emptied list is sent').to.deep.equal([]);
  });

  it('names the alias when its configuration is to be deleted', async () => {
    await walk.open('connections?tab=llm&name=General_Chat/second/gpt-4o-mini');
    const title = 'gpt-4o-mini (second)';
    await walk.press('Delete', walk.dialog(title));
    const question = walk.dialog(`Delete ${title}?`);
    await walk.press('Delete', question);
    await walk.see(question, /fast/);
    await question.getByRole('button', { name: 'Delete anyway' }).waitFor();
    await walk.press('Cancel', question);
    await question.waitFor({ state: 'detached' });
  });

  it('deletes an alias, and leaves its configurations', async () => {
    await walk.open('connections?tab=aliases&name=copy');
    await walk.press('Delete', walk.dialog('copy'));
    const question = walk.dialog('Delete copy?');
    await walk.see(question, 'Its LLM configurations stay');
    await walk.press('Delete', question);
    await walk.dialog('copy').waitFor({ state: 'detached' });
    await callAdmin(platform, 'GET', '/model_aliases/copy', undefined, 404);
    await callAdmin(platform, 'GET', '/aicommander/General_Chat/second/gpt-4o-mini');
    expectNoComplaints(admin);
  });
});

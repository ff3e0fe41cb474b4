import { expect } from 'chai';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { expectAccessible, openSite, type Site, type Visit } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

const KEY = 'canary-of-the-limits-9034';
const MODEL = { service: 'General_Chat', connection_name: 'desk', model: 'gpt-4o' };

describe('the console: usage limits, in a browser', () => {
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
    const servicesettings = { endpoint: { value: `${peer.url}/v1` }, access_token: { value: KEY } };
    await callAdmin(platform, 'POST', '/aicommander', { ...MODEL, servicesettings });
    await platform.createUser('reader', ['ml_user']);
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  const stored = async (name: string) => (await callAdmin(platform, 'GET', `/usage_limits/${name}`)).config;
  const own = () => walk.page.getByRole('table', { name: 'Your limits', exact: true });

  it('says that there are none, and what a limit is', async () => {
    await walk.open('usage?tab=limits');
    await walk.see(walk.page, 'No limit applies to your use', 'No limits yet', 'A limit says how many requests');
    await expectAccessible(admin, 'no limits');
  });

  it('creates one for roles and operations, and names the amount that is missing', async () => {
    const form = await walk.openForm('usage?tab=limits', 'limit');
    await walk.fill(form, { Name: 'daily', Description: 'For all of us' });
    await walk.press('Save', form);
    await walk.see(form, 'Requests: is required, or tokens or cost');
    await walk.choose(form, 'window', 'month (UTC)');
    await walk.fill(form, { Requests: '10', Cost: '5.5' });
    await form.getByRole('checkbox', { name: 'chat' }).check();
    await expectAccessible(admin, 'the form of a limit');
    await walk.press('Save', form);
    const panel = walk.dialog('daily');
    await walk.see(
      panel,
      '10 requests, $5.50',
      'month (UTC)',
      'each user',
      'operations chat',
      'refuse more',
      'Used now',
    );
    await walk.see(walk.page, 'Done, with warnings:');
    expect(await stored('daily')).to.deep.include({
      ...{ requests: 10, cost: 5.5, window: 'month', per: 'user', action: 'refuse', is_enabled: true },
      applies_to: { operations: ['chat'] },
    });
    await expectAccessible(admin, 'the panel of a limit');
  });

  it('shows what is left, and what runs out soon', async () => {
    const ask = () =>
      platform.call('admin', 'POST', '/servicesNS/nobody/ml_extension/ai_gateway/v1/chat/completions', {
        model: 'desk/gpt-4o',
        messages: [{ role: 'user', content: 'Hello' }],
      });
    for (let count = 0; count < 9; count++) expect((await ask()).status).to.equal(200);
    await walk.open('usage?tab=limits');
    const row = own().getByRole('row', { name: /^daily Requests 1 90 % used, runs out soon 9 month \(UTC\)/ });
    // What was used is shown at most 2 s late.
    await eventually(async () => {
      await walk.page.reload();
      await own().waitFor();
      return row.isVisible();
    });
    await ask();
    await walk.open('usage?tab=limits&name=daily');
    const top = walk.page.getByRole('table', { name: 'Users who have used most' });
    await top.getByRole('row', { name: /^admin 10 used up/ }).waitFor();
    await expectAccessible(admin, 'limits in use');
  });

  it('changes and deletes one', async () => {
    await walk.open('usage?tab=limits&name=daily');
    const form = await walk.edit('daily');
    await form.getByRole('checkbox', { name: 'Enabled' }).uncheck();
    await form.getByRole('checkbox', { name: 'chat' }).uncheck();
    await walk.press('Save', form);
    await form.waitFor({ state: 'detached' });
    await walk.see(walk.dialog('daily'), 'off', 'all uses');
    expect(await stored('daily')).to.deep.include({ is_enabled: false, applies_to: {} });
    await walk.press('Delete', walk.dialog('daily'));
    await walk.press('Delete', walk.dialog('Delete daily?'));
    await walk.dialog('daily').waitFor({ state: 'detached' });
    await callAdmin(platform, 'GET', '/usage_limits/daily', undefined, 404);
    expectNoComplaints(admin);
  });

  it('shows users what is left to them, and names the capability for the rest', async () => {
    await callAdmin(platform, 'POST', '/usage_limits', { name: 'ours', window: 'day', per: 'all', tokens: 0 });
    const reader = await site.visit('reader');
    await walkOf(reader, platform).open('usage?tab=limits');
    await reader.page.getByRole('row', { name: /^ours Tokens 0 used up 0 day \(UTC\)/ }).waitFor();
    await reader.page.getByText('You need the capability edit_usage_limits to see and change all limits.').waitFor();
    expect(await reader.page.getByRole('button', { name: 'New limit' }).count()).to.equal(0);
    expect(reader.complaints.refused).to.deep.equal([]);
    await reader.context.close();
  });
});

import { expect } from 'chai';
import { MASKED_SERVICES } from '../../../src/contract/families/masking.ts';
import { expectHarmless, MARKUP, watchDialogs } from '../../support/console/harm.ts';
import { expectListStates } from '../../support/console/listStates.ts';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { expectAccessible, openSite, type Site, type Visit } from '../../support/programs/browser.ts';

const VIEW = 'connections?tab=masking';
const API = /\/ml\/masking_policies(\?|$)/;
const TEXT = 'user=jdoe wrote to ann@example.org from 198.51.100.7';

describe('the console: masking policies, in a browser', function () {
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
    await platform.createUser('reader', ['ml_user']);
  });

  after(() => site?.dispose());

  const stored = async (name: string) =>
    (await callAdmin(platform, 'GET', `/masking_policies/${encodeURIComponent(name)}`)).config;

  it('says that there are none yet, and that it waits or fails to read them', () =>
    expectListStates(walk, admin, {
      view: VIEW,
      api: API,
      many: 'masking policies',
      about: /A masking policy says which values are replaced/,
    }));

  it('makes the usual policy with one click, for each service but the local runtime', async () => {
    await walk.open(VIEW);
    await walk.press('Use the usual policy');
    const panel = walk.dialog('Usual policy');
    await walk.see(panel, 'on', /Passwords and tokens.*User names/);
    await expectAccessible(admin, 'the panel of a masking policy');
    const { kinds, applies_to } = await stored('Usual policy');
    expect(Object.entries(kinds).filter(([, mode]) => mode !== 'mask')).to.deep.equal([]);
    expect(Object.keys(kinds)).to.have.members([
      ...['url_secret', 'jwt', 'key', 'pem', 'password', 'sid', 'phone', 'card', 'iban', 'us_ssn'],
      ...['email', 'user', 'win_user'],
    ]);
    expect(applies_to).to.deep.equal({ services: MASKED_SERVICES.filter((service) => service !== 'Local_Runtime') });
    await walk.open(VIEW);
    await walk.press('Use the usual policy');
    await walk.see(walk.page.getByRole('alert'), 'duplicate_name');
  });

  it('previews a saved policy side by side, each change with its kind in words', async () => {
    await walk.open(`${VIEW}&name=Usual+policy`);
    const panel = walk.dialog('Usual policy');
    await walk.fill(panel, { 'Text to preview': TEXT });
    await walk.press('Preview', panel);
    await walk.see(panel, 'Masked: User names: 1, Mail: 1.');
    const [original, masked] = ['Original', 'Masked'].map((name) =>
      panel.getByRole('figure', { name, exact: true }).locator('div'),
    );
    expect(await original?.innerText()).to.equal(
      'user=jdoe (User names) wrote to ann@example.org (Mail) from 198.51.100.7',
    );
    expect(await masked?.innerText()).to.match(
      /^user=user-\w{10} \(User names\) wrote to mail-\w{10} \(Mail\) from 198\.51\.100\.7$/,
    );
    await expectAccessible(admin, 'the preview of a masking policy');
    await walk.fill(panel, { 'Text to preview': MARKUP });
    await walk.press('Preview', panel);
    await walk.see(panel, 'Nothing in this text is masked.');
    await expectHarmless(admin, 'a preview of markup');
  });

  it('previews a form before it is saved, and saves what was chosen', async () => {
    const form = await walk.openForm(VIEW, 'masking policy');
    await walk.fill(form, { Name: 'inside' });
    await walk.choose(form, 'kinds.ipv4', 'Refuse');
    await walk.choose(form, 'kinds.password', 'Allow');
    await form.getByRole('checkbox', { name: 'Fast_Inference', exact: true }).click();
    await form.getByRole('checkbox', { name: 'retrieve', exact: true }).click();
    await walk.fill(form, { 'Text to preview': TEXT });
    await walk.press('Preview', form);
    await walk.see(form, 'Masked: IPv4: 1.');
    await expectAccessible(admin, 'the form of a masking policy');
    expect((await platform.ml('admin', 'GET', '/masking_policies')).json.pagination.total).to.equal(1);
    await walk.press('Save', form);
    await walk.dialog('inside').waitFor();
    const policy = await stored('inside');
    expect(policy.kinds).to.deep.equal({ ipv4: 'refuse', pem: 'mask', jwt: 'mask', key: 'mask', url_secret: 'mask' });
    expect(policy.applies_to).to.deep.equal({ services: ['Fast_Inference'], operations: ['retrieve'] });
    const edit = await walk.edit('inside');
    await walk.choose(edit, 'kinds.ipv4', 'Allow');
    await walk.press('Save', edit);
    await walk.see(walk.dialog('inside'), 'nothing');
    expect((await stored('inside')).kinds).to.not.have.property('ipv4');
    expectNoComplaints(admin);
  });

  it('asks how each own pattern is treated, and drops the answer with the pattern', async () => {
    const form = await walk.openForm(VIEW, 'masking policy');
    await walk.press('Add pattern', form);
    const pattern = form.getByRole('group', { name: 'pattern 1' });
    await pattern.getByLabel('Label', { exact: true }).fill('emp');
    await walk.choose(form, 'kinds.emp', 'Refuse');
    await form.getByRole('button', { name: 'Remove pattern 1' }).click();
    await form.locator('[data-place="kinds.emp"]').waitFor({ state: 'detached' });
    await walk.fill(form, { Name: 'plain' });
    await walk.press('Save', form);
    await walk.dialog('plain').waitFor();
    expect((await stored('plain')).kinds).to.not.have.property('emp');
  });

  it('names the capability to those who may not see policies', async () => {
    const reader = await site.visit('reader');
    await walkOf(reader, platform).open(VIEW);
    await reader.page.getByText('You need the capability edit_masking to see and change masking policies.').waitFor();
    expect(await reader.page.getByRole('button', { name: 'Use the usual policy' }).count()).to.equal(0);
    expect(reader.complaints.refused).to.deep.equal([]);
    await reader.context.close();
  });
});

import { expect } from 'chai';
import { FAMILIES, type Family, POOL } from '../../support/console/families.ts';
import { expectFocus, type Hands, keyboard, mouse } from '../../support/console/hands.ts';
import { callAdmin, expectNoComplaints, expectNowhere } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { openSite, openView, type Site, type Visit } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

const CANARY = 'canary-of-all-families-4720';
const WAYS = { mouse, keyboard } as const;

describe('the console: each family, by mouse and by keyboard alone', () => {
  let site: Site;
  let platform: TestPlatform;
  let peer: KeyedPeer;

  before(async function () {
    peer = await KeyedPeer.start();
    peer.working.add(CANARY);
    peer.aws.add(CANARY);
    site = await openSite(this);
    ({ platform } = site);
    await platform.setConf('aws', { endpoint_url: peer.url });
    await callAdmin(platform, 'POST', '/aicommander', POOL);
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  for (const [what, family] of Object.entries(FAMILIES)) {
    for (const [way, use] of Object.entries(WAYS)) {
      it(`creates, finds, changes, clones and deletes ${what} by ${way}`, async () => {
        const { admin } = site;
        const hands = use(admin.page);
        await walk(admin, hands, family, way);
        expect(hands.complaints).to.deep.equal([]);
        expectNoComplaints(admin);
      });
    }
  }

  async function walk(visit: Visit, hands: Hands, family: Family, way: string): Promise<void> {
    const { page } = visit;
    const [name, copy] = [family.nameOf(way), family.nameOf(`${way}2`)];
    const dialog = (title: string) => page.getByRole('dialog', { name: title, exact: true });
    const button = (where: ReturnType<typeof dialog> | typeof page, label: string) =>
      where.getByRole('button', { name: label, exact: true }).first();
    const filling = (form: ReturnType<typeof dialog>, of: string) => ({
      ...{ hands, page, form, name: of, url: peer.url, secret: CANARY },
    });
    const isByKeys = way === 'keyboard';
    await openView(visit, platform, family.view);
    const opener = button(page, `New ${family.one}`);
    await hands.press(opener);
    const form = dialog(`New ${family.one}`);
    await form.waitFor();
    await family.create(filling(form, name));
    await hands.press(button(form, family.save));
    const panel = dialog(family.titleOf(name));
    await panel.waitFor();
    const canaries = watch(visit);
    await hands.leave(panel);
    await panel.waitFor({ state: 'detached' });
    if (isByKeys) await expectFocus(opener, 'the focus to be back on the button for a new one');

    await hands.type(page.getByLabel(`Search ${family.many}`), name);
    await page.waitForURL(/[?&]q=/);
    const link = page.getByRole('table', { name: family.many, exact: true }).getByRole('link');
    await link
      .and(page.getByText(family.titleOf(name).replace(/ \(desk.*/, ''), { exact: true }))
      .first()
      .waitFor();
    await eventually(async () => (await link.count()) === 1, 10_000, 'the search to have found it alone');
    await hands.press(link);
    await panel.waitFor();
    const address = new URL(page.url()).searchParams.get('name') ?? '';
    const stored = async () => (await platform.ml('admin', 'GET', family.pathOf(address))).json.config;

    const before = await stored();
    await hands.press(button(panel, 'Edit'));
    const edit = dialog(`Edit ${family.titleOf(name)}`);
    const { label, value, path } = family.edit;
    await hands.type(edit.getByLabel(label, { exact: true }), value);
    await hands.press(button(edit, family.save));
    await edit.waitFor({ state: 'detached' });
    await panel.getByText(value, { exact: true }).waitFor();
    if (isByKeys) await expectFocus(button(panel, 'Edit'), 'the focus to be back on Edit');
    expectOneChange(before, await stored(), path, value);
    await page.reload();
    await panel.getByText(value, { exact: true }).waitFor();
    if (family.showsSecret) {
      peer.asked.length = 0;
      await hands.press(button(panel, 'Test'));
      await panel.getByText(/^It works/).waitFor();
      expect(new Set(peer.asked), 'what the server was shown').to.deep.equal(new Set([CANARY]));
    }

    if (family.hasSecret) expect(canaries(), 'requests with the secret after it was saved').to.deep.equal([]);
    await hands.press(button(panel, 'Clone'));
    const clone = dialog(`Clone ${family.titleOf(name)}`);
    await family.clone(filling(clone, copy));
    await hands.press(button(clone, family.save));
    const second = dialog(family.titleOf(copy));
    await second.waitFor();
    await second.getByText(value, { exact: true }).waitFor();
    await hands.press(button(second, 'Delete'));
    const question = dialog(`Delete ${family.titleOf(copy)}?`);
    await hands.press(button(question, 'Cancel'));
    await question.waitFor({ state: 'detached' });
    if (isByKeys) await expectFocus(button(second, 'Delete'), 'the focus to be back on Delete');
    await hands.press(button(second, 'Delete'));
    await hands.press(button(question, 'Delete'));
    await second.waitFor({ state: 'detached' });
    const gone = await platform.ml('admin', 'GET', family.api);
    expect(gone.text, 'the clone').to.not.contain(`"${copy}"`);
    expect(gone.text, 'the first').to.contain(name);
    await expectNowhere(visit, CANARY);
  }
});

/** Requests that have the secret in them, from now on. */
function watch({ page }: Visit): () => string[] {
  const found: string[] = [];
  const look = (request: { url(): string; postData(): string | null; method(): string }) => {
    if (`${request.url()}${request.postData() ?? ''}`.includes(CANARY))
      found.push(`${request.method()} ${request.url()}`);
  };
  page.on('request', look);
  return () => {
    page.off('request', look);
    return found;
  };
}

/** Everything is as it was but for one field, the version, and who has changed it when. */
function expectOneChange(before: object, after: object, path: string, value: string): void {
  const [was, is] = [flat(before), flat(after)];
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((key) => was[key] !== is[key]);
  expect(changed.filter((key) => !/^last_updated_(at|by)$/.test(key))).to.have.members([path, 'version']);
  expect(is[path]).to.equal(JSON.stringify(Number.isNaN(Number(value)) ? value : Number(value)));
}

/** Dotted path -> JSON. */
function flat(value: unknown, path = ''): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { [path]: JSON.stringify(value) };
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, one]) => flat(one, path === '' ? key : `${path}.${key}`)),
  );
}

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { openSite, openView, type Site } from '../../support/programs/browser.ts';

const COUNT = 70;

describe('the console: the address holds the state of a view', () => {
  let site: Site;
  let platform: TestPlatform;

  before(async function () {
    site = await openSite(this);
    ({ platform } = site);
    const details = { cloud_region: 'eu-central-1', kb_id: 'ABCDE12345' };
    const made = await platform.ml('admin', 'POST', '/vector_stores', { name: 'First', type: 'CLOUD_KB', details });
    expect(made.status).to.equal(200);
    const [one] = await platform.documents('ml_vector_stores');
    const copies = Array.from({ length: COUNT }, (_, n) => ({ ...one, _key: `copy${n}`, name: `Copy${n}` }));
    await platform.putDocuments('ml_vector_stores', copies);
  });

  after(() => site?.dispose());

  const expectShown = async (page: Page, shown: { search?: string; rows: string; panel?: string }) => {
    const tab = page.getByRole('tab', { name: 'Vector stores' });
    await page.getByText(shown.rows, { exact: true }).waitFor();
    expect(await tab.getAttribute('aria-selected')).to.equal('true');
    expect(await page.getByLabel('Search vector stores').inputValue()).to.equal(shown.search ?? '');
    const panel = page.getByRole('dialog');
    if (shown.panel)
      await page
        .getByRole('dialog', { name: shown.panel, exact: true })
        .getByRole('button', { name: 'Edit', exact: true })
        .waitFor();
    else await panel.waitFor({ state: 'detached' });
  };
  const names = (page: Page) => page.getByRole('table', { name: 'vector stores' }).getByRole('link').allInnerTexts();

  it('restores tab, search, order, page and panel after reload, Back, Forward and from a pasted link', async () => {
    const { page, context } = site.admin;
    await openView(site.admin, platform, 'connections');
    await page.getByRole('tab', { name: 'Vector stores' }).click();
    await page.getByLabel('Search vector stores').fill('copy');
    await page.getByText(`1–30 of ${COUNT}`).waitFor();
    await page.getByRole('button', { name: /^Name/ }).click();
    await page.waitForURL(/dir=desc/);
    await page.getByRole('link', { name: 'Copy9', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Go to next page' }).click();
    const second = { search: 'copy', rows: `31–60 of ${COUNT}` };
    await expectShown(page, second);
    const onPage = await names(page);
    await page.getByRole('table').getByRole('link').nth(4).click();
    const panel = onPage[4] ?? '';
    await expectShown(page, { ...second, panel });
    const address = page.url();

    await page.reload();
    await expectShown(page, { ...second, panel });
    expect(page.url()).to.equal(address);
    expect(await names(page)).to.deep.equal(onPage);
    const pasted = await context.newPage();
    await pasted.goto(address);
    await expectShown(pasted, { ...second, panel });
    expect(await names(pasted)).to.deep.equal(onPage);
    await pasted.close();

    await page.goBack();
    await expectShown(page, second);
    expect(await names(page)).to.deep.equal(onPage);
    await page.goBack();
    await expectShown(page, { search: 'copy', rows: `1–30 of ${COUNT}` });
    expect((await names(page))[0]).to.equal('Copy9');
    await page.goForward();
    await expectShown(page, second);
    await page.goForward();
    await expectShown(page, { ...second, panel });
    expect(page.url()).to.equal(address);
    expect(site.admin.complaints.errors).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { TestPlatform } from '../../support/e2e/platform.ts';
import { logIn, openBrowser, openView, type Visit } from '../../support/programs/browser.ts';
import { fillConnections, untilShown } from '../../support/records/connectionPages.ts';
import { experimentWith } from '../../support/records/histories.ts';
import { eventually, slowdown } from '../../support/time.ts';

const CONNECTIONS = 1000;
const ENTRIES = 10_000;
/** The newest entries are kept. */
const KEPT = 1000;
const MIB = 1024 * 1024;
const MOST_ROWS = 100;

/** The history entry of a run. */
const measured = (index: number) => ({
  timestamp: 1_700_000_000 + index,
  details: JSON.stringify({
    message: `run ${index}`,
    statistics: { R2: index / ENTRIES, RMSE: 1 - index / ENTRIES },
  }),
});

describe('the console with many records, in a browser', () => {
  let browser: Browser | undefined;
  let full: TestPlatform;
  let empty: TestPlatform;
  let visit: Visit;
  let experiment: string;

  before(async function () {
    browser = await openBrowser(() => this.skip());
    const env = { ML_WEB_PORT: '0' };
    [full, empty] = await Promise.all([new TestPlatform({ env }).start(), new TestPlatform({ env }).start()]);
    await fillConnections(full, CONNECTIONS);
    experiment = await experimentWith(full, ENTRIES - 1, measured);
    if (browser) visit = await logIn(browser, full);
  });

  after(async () => {
    await browser?.close();
    await full?.dispose();
    await empty?.dispose();
  });

  const rows = (page: Page) => page.locator('tbody tr').count();

  it('searches and sorts 1,000 connections on the server, with one request a pause and few rows', async () => {
    const { page } = visit;
    const asked: URLSearchParams[] = [];
    await openView(visit, full, 'connections?page=7');
    await page.getByText(`181–210 of ${CONNECTIONS.toLocaleString('en')}`).waitFor();
    expect(await rows(page)).to.equal(30);
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/ml/mcp_connection')) asked.push(searchParams);
    });
    await page.getByLabel('Search MCP connections').pressSequentially('copy 77', { delay: 30 });
    await page.getByRole('link', { name: 'Copy 777', exact: true }).waitFor();
    // A machine that stalls for longer than a pause makes one more of them.
    expect(asked.length, 'requests for seven letters').to.be.at.most(2);
    expect(asked.at(-1)?.get('search')).to.equal('copy 77');
    expect(asked.at(-1)?.get('offset'), 'page 1 after a new search').to.be.oneOf(['0', null]);
    expect(new URL(page.url()).searchParams.has('page')).to.equal(false);
    await page.getByLabel('Search MCP connections').fill('');
    await page.getByText(`1–30 of ${CONNECTIONS.toLocaleString('en')}`).waitFor();
    await page.getByRole('button', { name: /^Changed/ }).click();
    await eventually(() => asked.at(-1)?.get('sort_key') === 'last_updated_at', 10_000, 'the server to sort');
    await page.getByRole('button', { name: /^Changed/ }).click();
    await page.getByRole('link', { name: `Copy ${CONNECTIONS - 2}`, exact: true }).waitFor();
    expect(asked.at(-1)?.get('sort_dir')).to.equal('desc');
    expect(await rows(page)).to.be.at.most(MOST_ROWS);
  });

  it('shows pages of few rows of 10,000 history entries', async () => {
    const { page } = visit;
    await openView(visit, full, `experiments?name=${experiment}`);
    const history = page.getByRole('region', { name: 'Runs and changes' });
    await history.getByText(`${KEPT.toLocaleString('en')} entries`).waitFor();
    for (const name of ['RMSE', 'R2']) await history.getByText(`Numbers of ${name}`, { exact: true }).click();
    await history.getByRole('table', { name: 'Numbers of R2' }).waitFor();
    expect(await history.getByRole('listitem').count()).to.be.within(1, 30);
    expect(await history.getByRole('table', { name: 'Numbers of R2' }).locator('tbody tr').count()).to.equal(50);
    expect(await rows(page), 'rows of all tables').to.be.at.most(MOST_ROWS);
    expect(await page.locator('svg *').count(), 'a line, not a dot for each').to.be.below(1000);
    await history.getByRole('button', { name: 'Go to next page' }).click();
    await page.waitForURL(/history_page=2/);
    await history.getByText('run 9989', { exact: true }).waitFor();
  });

  it('keeps the heap small over 50 page changes', async () => {
    const { page, complaints } = visit;
    await openView(visit, full, 'connections');
    await page.getByRole('link', { name: 'Copy 0', exact: true }).waitFor();
    const session = await page.context().newCDPSession(page);
    for (let turn = 0; turn < 50; turn++) {
      const before = new URL(page.url()).search;
      const way = Math.floor(turn / 25) % 2 === 0 ? 'Go to next page' : 'Go to previous page';
      const first = await page.locator('tbody tr').first().innerText();
      await page.getByRole('button', { name: way }).click();
      const row = page.locator('tbody tr').first();
      await eventually(
        async () => (await row.count()) > 0 && (await row.innerText()) !== first,
        30_000,
        'another page',
      );
      expect(new URL(page.url()).search).to.not.equal(before);
    }
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    if (process.env.CONSOLE_FIGURES) process.stdout.write(`heap after 50 turns: ${usedSize / MIB} MiB\n`);
    expect(usedSize / MIB, 'MiB').to.be.below(150);
    expect(await rows(page)).to.be.at.most(MOST_ROWS);
    expect(complaints.errors).to.deep.equal([]);
  });

  it('shows the first of 1,000 rows nearly as fast as an empty list', async () => {
    if (!browser) return;
    const blank = await logIn(browser, empty);
    const ours = () => untilShown(visit, full, 'Copy 0');
    const base = () => untilShown(blank, empty, 'No MCP connections yet');
    const { ratio, figures } = await slowdown(ours, base, 1.5);
    if (process.env.CONSOLE_FIGURES) process.stdout.write(`first row of 1,000: ${figures}\n`);
    expect(ratio, figures).to.be.below(1.5);
  });
});

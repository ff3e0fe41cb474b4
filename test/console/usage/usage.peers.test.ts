import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectNoComplaints } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { expectAccessible, openSite, openView, type Site, untilQuiet } from '../../support/programs/browser.ts';
import { dayBefore, putUsage, thisHour, usageRow } from '../../support/records/usageSums.ts';

const NARROW = { viewport: { width: 400, height: 800 } };

describe('the console: usage, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let page: Page;

  before(async function () {
    site = await openSite(this);
    ({ platform } = site);
    ({ page } = site.admin);
    await platform.createUser('reader', ['ml_user']);
  });

  after(() => site?.dispose());

  const table = (name: string): Locator => page.getByRole('table', { name, exact: true });
  const row = (of: Locator, name: string | RegExp): Locator => of.getByRole('row', { name });
  const choose = async (label: string, option: string) => {
    await page
      .getByRole('combobox', { name: label })
      .or(page.getByRole('button', { name: label }))
      .first()
      .click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const searchOf = async (chart: string): Promise<string> => {
    const link = page.getByRole('link', { name: `Open in search: ${chart}` });
    const address = new URL((await link.getAttribute('href')) ?? '', platform.web);
    expect(address.pathname).to.equal('/en-US/app/search/search');
    return address.searchParams.get('q') ?? '';
  };

  it('says what to do where nothing was used', async () => {
    await openView(site.admin, platform, 'usage');
    await page.getByRole('heading', { name: 'No usage in this time' }).waitFor();
    await page.getByText('| makeresults | mlchat prompt=').waitFor();
    expect(await page.getByRole('table').count()).to.equal(0);
    await expectAccessible(site.admin, 'no usage');
  });

  it('shows requests over time and by model as charts, with the same numbers in tables beside them', async () => {
    const used = { input_tokens: 1000, output_tokens: 200 };
    await putUsage(
      platform,
      new Map([
        [
          dayBefore(2),
          [
            usageRow({
              user: 'admin',
              model: 'gpt-4o',
              requests: 30,
              failed: 3,
              ...used,
              cost: 1.25,
              upstream_ms: 6000,
            }),
            usageRow({ user: 'reader', model: 'llama3.2', requests: 12, ...used, unpriced: 12 }),
          ],
        ],
        [
          dayBefore(1),
          [usageRow({ user: 'admin', model: 'gpt-4o', requests: 4, ...used, cost: 0.25, upstream_ms: 800 })],
        ],
      ]),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    const days = table('Requests over time, by model');
    await days.waitFor();
    expect(await days.getByRole('row').allInnerTexts()).to.have.length(3);
    await row(days, /42\s+30\s+12$/).waitFor();
    await row(days, /4\s+4\s+0$/).waitFor();
    const models = table('Requests by model');
    await row(models, 'gpt-4o 34 3 2,000 400 $1.50 200 ms 0 ms').waitFor();
    await row(models, /^llama3\.2 12 0 1,000 200 – /).waitFor();
    for (const name of ['Requests over time, by model', 'Requests by model'])
      await page.getByRole('figure', { name, exact: true }).waitFor();
    await page.getByRole('img', { name: 'Requests by model: gpt-4o 34, llama3.2 12' }).waitFor();
    await page.getByRole('radio', { name: /^Requests 46/ }).waitFor();
    await page.getByRole('radio', { name: /^Failures 3 6.5% of the requests/ }).waitFor();
    await page.getByRole('radio', { name: /^Cost \$1.50 12 without a price/ }).waitFor();
    await expectAccessible(site.admin, 'usage');
    expectNoComplaints(site.admin);
  });

  it('reads one day after another with the arrow keys', async () => {
    const chart = page.getByRole('slider', { name: 'Requests over time, by model: times' });
    await chart.focus();
    const text = () => chart.getAttribute('aria-valuetext');
    expect(await text(), 'the newest first').to.match(/: 0$/);
    await page.keyboard.press('ArrowLeft');
    expect(await text()).to.match(/: 4 \(gpt-4o 4\)$/);
    await page.keyboard.press('ArrowLeft');
    expect(await text()).to.match(/: 42 \(gpt-4o 30, llama3.2 12\)$/);
    await page.getByText((await text()) ?? '', { exact: true }).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuenow')).to.equal('1');
  });

  it('reads a day under the pointer', async () => {
    const chart = page.getByRole('slider');
    await chart.blur();
    const box = await chart.boundingBox();
    if (!box) throw new Error('the chart has no box');
    await page.mouse.move(box.x + box.width - 10, box.y + 50);
    await page.getByRole('figure').first().getByText(/: 0$/).waitFor();
    await page.mouse.move(0, 0);
    await page.getByText('Hover a bar or use the arrow keys').waitFor();
  });

  it('tells series apart by pattern, too, and draws both with 3:1 to the page in both themes', async () => {
    for (const theme of ['dark', 'light']) {
      const other = page.getByRole('button', { name: `Switch to ${theme} theme` });
      await Promise.all([page.waitForEvent('load'), other.click()]);
      await table('Requests over time, by model').waitFor();
      for (const place of [0, 1]) await page.locator(`figure [role=slider] rect.series-${place}`).first().waitFor();
      const { fills, contrasts } = (await page.evaluate(SERIES)) as { fills: string[]; contrasts: number[] };
      expect(new Set(fills).size, 'fills').to.equal(2);
      for (const contrast of contrasts) expect(contrast, `contrast in the ${theme} theme`).to.be.at.least(3);
    }
  });

  it('keeps what is shown in the address: measure, time and grouping', async () => {
    await page.getByRole('radio', { name: /^Cost/ }).check();
    await row(table('Cost over time, by model'), /\$1\.25\s+\$1\.25$/).waitFor();
    await page.getByText('12 requests have no price and are not in the cost').waitFor();
    await choose('Grouped by', 'user');
    await row(table('Cost by user'), /^admin 34 3 /).waitFor();
    await choose('Time', 'Last 12 months');
    await table('Cost over time, by user').getByRole('columnheader', { name: 'Month (UTC)' }).waitFor();
    expect(new URL(page.url()).search).to.equal('?show=cost&by=user&range=1y');
    await page.reload();
    await row(table('Cost by user'), /^reader 12 0 /).waitFor();
    await putUsage(
      platform,
      new Map([[thisHour(), [usageRow({ user: 'admin', model: 'mistral', requests: 5 })]]]),
      'hour',
    );
    await openView(site.admin, platform, 'usage?range=24h');
    await row(table('Requests by model'), /^mistral 5 0 /).waitFor();
    expect(await page.getByText('llama3.2').count(), 'what was used two days ago').to.equal(0);
    await choose('Time', 'Custom');
    await page.getByLabel('From').fill(new Date(dayBefore(2) * 1000).toISOString().slice(0, 16));
    await page.getByLabel('Until').fill(new Date(dayBefore(1) * 1000).toISOString().slice(0, 16));
    await row(table('Requests by model'), /^gpt-4o 30 3 /).waitFor();
  });

  it('opens the same events in the search of the platform, in the index of the settings', async () => {
    await openView(site.admin, platform, 'usage?show=tokens&by=user');
    await table('Tokens by user').waitFor();
    const found = await searchOf('Tokens over time, by user');
    expect(found).to.match(/^index=_internal sourcetype=ml_extension:usage earliest=\d+ latest=\d+ \| /);
    expect(found).to.match(/ \| timechart span=1d limit=5 sum\(tokens\) AS tokens by user$/);
    await platform.setConf('gateway', { usage_index: 'spend' });
    await page.reload();
    await table('Tokens by user').waitFor();
    expect(await searchOf('Tokens by user')).to.match(/^index=spend .* by user \| sort - tokens$/);
    await platform.setConf('gateway', { usage_index: '' });
    await page.reload();
    await table('Tokens by user').waitFor();
    await untilQuiet(page);
    expect(await page.getByRole('link', { name: 'Open in search' }).count(), 'no events are sent').to.equal(0);
    await platform.setConf('gateway', { usage_index: '_internal' });
  });

  it('shows users their own usage, says so, and fits into a narrow window', async () => {
    const reader = await site.visit('reader', NARROW);
    await openView(reader, platform, 'usage');
    await reader.page
      .getByText('This is your own usage. The capability list_ml_usage shows that of all users.')
      .waitFor();
    await reader.page.getByRole('img', { name: 'Requests by model: llama3.2 12' }).waitFor();
    const search = await reader.page.getByRole('link', { name: 'Open in search' }).first().getAttribute('href');
    expect(decodeURIComponent(search ?? ''), 'settings are for administrators').to.contain('?q=(index=* OR index=_*) ');
    const beyond = 'document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth';
    expect(await reader.page.evaluate(beyond)).to.equal(0);
    await expectAccessible(reader, 'usage in a narrow window');
    expect(reader.complaints.refused).to.deep.equal([]);
    await reader.context.close();
  });

  it('loads the charts only on this page', async () => {
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await openView(site.admin, platform, 'connections');
    await untilQuiet(page);
    expect(loaded.filter((url) => /Bars-/.test(url))).to.deep.equal([]);
    await openView(site.admin, platform, 'usage');
    await page.getByRole('slider').waitFor();
    expect(loaded.filter((url) => /Bars-/.test(url)).length).to.be.above(0);
  });
});

/** The fills of the series in the first chart, and the contrast of their colours to what is behind them. */
const SERIES = `(() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = numbers(colour).map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let behind = document.querySelector('figure');
  while (/, 0\\)$|transparent/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
  const ground = light(getComputedStyle(behind).backgroundColor);
  const bars = [0, 1].map((place) => document.querySelector('figure [role=slider] rect.series-' + place));
  return {
    fills: bars.map((bar) => bar.getAttribute('fill')),
    contrasts: bars.map((bar) => {
      const [high, low] = [light(getComputedStyle(bar).stroke), ground].sort((a, b) => b - a);
      return (high + 0.05) / (low + 0.05);
    }),
  };
})()`;

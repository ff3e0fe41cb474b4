import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { CONSOLE_VIEWS } from '../../../src/contract/consoleViews.ts';
import { callAdmin, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { expectAccessible, openSite, type Site, untilQuiet, type Visit } from '../../support/programs/browser.ts';

/** A window of 1280 x 800 at 200 %. */
const ZOOMED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };

const FORMS: readonly (readonly [view: string, button: string])[] = [
  ['connections', 'New MCP connection'],
  ['connections?tab=llm', 'New LLM configuration'],
  ['connections?tab=containers', 'New container connection'],
  ['connections?tab=searches', 'New search tool'],
  ['connections?tab=vectors', 'New vector store'],
  ['agents', 'New agent'],
  ['experiments', 'New experiment'],
];

describe('the console at 200 % zoom and without motion, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;

  before(async function () {
    site = await openSite(this);
    ({ platform } = site);
    const long = 'A connection with a long name that has no end '.repeat(2).trim();
    const body = { name: long, type: 'PLATFORM', details: { url: `http://127.0.0.1:9/${'path/'.repeat(20)}mcp` } };
    await callAdmin(platform, 'POST', '/mcp_connection', body);
    await platform.ml('admin', 'POST', '/mcp_connection/test', { name: long });
    await callAdmin(platform, 'POST', '/experiments', { title: 'x'.repeat(100), type: 'smart_forecast' });
  });

  after(() => site?.dispose());

  async function zoomed(theme: string): Promise<Visit> {
    const visit = await site.visit('admin', ZOOMED);
    const other = visit.page.getByRole('button', { name: `Switch to ${theme} theme` });
    if (await other.isVisible()) await Promise.all([visit.page.waitForEvent('load'), other.click()]);
    return visit;
  }

  /** Pixels of the content beyond the window. */
  const beyond = (page: Page) =>
    page.evaluate('document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth');

  async function expectFits(visit: Visit, what: string): Promise<void> {
    await expectAccessible(visit, what);
    expect(await beyond(visit.page), `pixels of ${what} beyond the window`).to.equal(0);
    expect(await wordless(visit.page), `states of ${what} that only a colour shows`).to.equal(0);
  }

  for (const theme of ['light', 'dark'] as const) {
    it(`fits every view into the window, ${theme} theme`, async () => {
      const visit = await zoomed(theme);
      const { page } = visit;
      for (const view of Object.keys(CONSOLE_VIEWS)) {
        await walkOf(visit, platform).open(view);
        await untilQuiet(page);
        await expectFits(visit, view);
      }
      await visit.context.close();
    });

    it(`fits the larger forms and a panel into the window, ${theme} theme`, async () => {
      const visit = await zoomed(theme);
      const { page } = visit;
      // The dark theme changes only colours, which all forms share.
      for (const [view, button] of theme === 'dark' ? FORMS.slice(0, 2) : FORMS) {
        await walkOf(visit, platform).open(view);
        await page.getByRole('button', { name: button }).first().click();
        const dialog = page.getByRole('dialog', { name: button, exact: true });
        await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
        await expectFits(visit, button);
        const box = await dialog.boundingBox();
        expect(box && box.x >= 0 && box.x + box.width <= 640, `${button} stands in the window`).to.equal(true);
        const cancel = dialog.getByRole('button', { name: 'Cancel' });
        await cancel.scrollIntoViewIfNeeded();
        await cancel.click();
      }
      await walkOf(visit, platform).open('connections');
      await page.getByRole('table').getByRole('link').first().click();
      await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
      await expectFits(visit, 'a panel');
      await visit.context.close();
    });
  }

  it('shows the rows of wide tables as blocks on a page of 320 pixels', async () => {
    const visit = await site.visit('admin', { viewport: { width: 320, height: 700 } });
    const { page } = visit;
    for (const [view, label] of [
      ['settings', 'Features'],
      ['connections', 'MCP connections'],
    ] as const) {
      await walkOf(visit, platform).open(view);
      const table = page.getByRole('region', { name: `${label}, table` });
      await table.getByRole('cell').last().waitFor();
      const { scrollWidth, clientWidth } = await table.evaluate(({ scrollWidth, clientWidth }) => ({
        scrollWidth,
        clientWidth,
      }));
      expect(scrollWidth, `${view} without a horizontal scroll bar`).to.equal(clientWidth);
      await expectAccessible(visit, `${view} in blocks`);
    }
    const heads = page.getByRole('button', { name: /^(Name|Type|Changed)/ });
    await heads.nth(1).click();
    await page.waitForURL(/sort=type/);
    await visit.context.close();
  });

  for (const theme of ['light', 'dark'] as const)
    it(`shows that a button cannot be pressed, ${theme} theme`, async () => {
      const visit = await zoomed(theme);
      await walkOf(visit, platform).open('playground?tab=retrieve');
      const button = visit.page.getByRole('button', { name: 'Retrieve', exact: true });
      const style = (await button.evaluate((element) => {
        const { backgroundColor, borderStyle } = getComputedStyle(element);
        return { backgroundColor, borderStyle };
      })) as object;
      expect(style).to.deep.equal({ backgroundColor: 'rgba(0, 0, 0, 0)', borderStyle: 'dashed' });
      await visit.context.close();
    });

  it('has no motion for users who prefer less of it, and some for others', async () => {
    const seconds: Record<string, number> = {};
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      const visit = await site.visit('admin', { reducedMotion });
      const { page } = visit;
      const form = await walkOf(visit, platform).openForm('connections', 'MCP connection');
      await form.getByRole('button', { name: 'Cancel' }).waitFor();
      seconds[reducedMotion] = (await page.evaluate(LONGEST)) as number;
      await visit.context.close();
    }
    expect(seconds.reduce).to.be.below(0.001);
    expect(seconds['no-preference'], 'without the preference').to.be.above(0.01);
  });
});

/** Dots without words. */
const wordless = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll('span[aria-hidden=true]')].filter((dot) => getComputedStyle(dot).borderRadius === '50%' && !dot.parentElement.textContent.trim()).length`,
  );

/** Seconds of the longest animation or transition of anything in the page. */
const LONGEST = `Math.max(...[...document.querySelectorAll('*')].flatMap((one) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(one);
  return [...(animationName === 'none' ? '0s' : animationDuration).split(','), ...transitionDuration.split(',')].map((text) => parseFloat(text) / (text.trim().endsWith('ms') ? 1000 : 1));
}))`;

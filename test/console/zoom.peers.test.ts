import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { CONSOLE_VIEWS } from '../../src/contract/consoleViews.ts';
import { expectAccessible, logIn, openBrowser, openView, untilQuiet, type Visit } from '../support/browser.ts';
import { TestPlatform } from '../support/e2e/platform.ts';

/** What 200 % make of a window of 1280 x 800. */
const ZOOMED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };

const FORMS: readonly (readonly [view: string, button: string])[] = [
  ['connections', 'New MCP connection'],
  ['connections?tab=llm', 'New LLM configuration'],
  ['connections?tab=containers', 'New container connection'],
  ['connections?tab=vectors', 'New vector store'],
  ['agents', 'New agent'],
  ['experiments', 'New experiment'],
];

describe('the console at 200 % zoom and without motion, in a browser', () => {
  let browser: Browser | undefined;
  let platform: TestPlatform;

  before(async function () {
    browser = await openBrowser(() => this.skip());
    platform = await new TestPlatform({ env: { ML_WEB_PORT: '0' } }).start();
    const long = 'A connection with a long name that has no end '.repeat(2).trim();
    const body = { name: long, type: 'PLATFORM', details: { url: `http://127.0.0.1:9/${'path/'.repeat(20)}mcp` } };
    expect((await platform.ml('admin', 'POST', '/mcp_connection', body)).status).to.equal(200);
    await platform.ml('admin', 'POST', '/mcp_connection/test', { name: long });
    const experiment = { title: 'x'.repeat(100), type: 'smart_forecast' };
    expect((await platform.ml('admin', 'POST', '/experiments', experiment)).status).to.equal(200);
  });

  after(async () => {
    await browser?.close();
    await platform?.dispose();
  });

  async function zoomed(on: Browser, theme: string): Promise<Visit> {
    const visit = await logIn(on, platform, 'admin', ZOOMED);
    const other = visit.page.getByRole('button', { name: `Switch to ${theme} theme` });
    if (await other.isVisible()) await Promise.all([visit.page.waitForEvent('load'), other.click()]);
    return visit;
  }

  /** How much wider than the window its content is. */
  const beyond = (page: Page) =>
    page.evaluate('document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth');

  async function expectFits(visit: Visit, what: string): Promise<void> {
    await expectAccessible(visit, what);
    expect(await beyond(visit.page), `pixels of ${what} beyond the window`).to.equal(0);
    expect(await wordless(visit.page), `states of ${what} that are told by colour alone`).to.equal(0);
  }

  for (const theme of ['light', 'dark'] as const) {
    it(`every view: ${theme}`, async () => {
      if (!browser) return;
      const visit = await zoomed(browser, theme);
      const { page } = visit;
      for (const view of Object.keys(CONSOLE_VIEWS)) {
        await openView(visit, platform, view);
        await untilQuiet(page);
        await expectFits(visit, view);
      }
      await visit.context.close();
    });

    it(`the larger forms, and a panel: ${theme}`, async () => {
      if (!browser) return;
      const visit = await zoomed(browser, theme);
      const { page } = visit;
      // What is drawn in the dark alone are colours, and those of all forms are the same.
      for (const [view, button] of theme === 'dark' ? FORMS.slice(0, 2) : FORMS) {
        await openView(visit, platform, view);
        await page.getByRole('button', { name: button }).first().click();
        const dialog = page.getByRole('dialog', { name: button, exact: true });
        await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
        await expectFits(visit, button);
        const box = await dialog.boundingBox();
        expect(box && box.x >= 0 && box.x + box.width <= 640, `${button} stands in the window`).to.equal(true);
        // All of it can be reached: what does not fit is scrolled.
        const cancel = dialog.getByRole('button', { name: 'Cancel' });
        await cancel.scrollIntoViewIfNeeded();
        await cancel.click();
      }
      await openView(visit, platform, 'connections');
      await page.getByRole('table').getByRole('link').first().click();
      await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
      await expectFits(visit, 'a panel');
      await visit.context.close();
    });
  }

  it('nothing moves for who does not want it, in dialogs neither; for others it does', async () => {
    if (!browser) return;
    const seconds: Record<string, number> = {};
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      const visit = await logIn(browser, platform, 'admin', { reducedMotion });
      const { page } = visit;
      await openView(visit, platform, 'connections');
      await page.getByRole('button', { name: 'New MCP connection' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
      seconds[reducedMotion] = (await page.evaluate(LONGEST)) as number;
      await visit.context.close();
    }
    expect(seconds.reduce).to.be.below(0.001);
    expect(seconds['no-preference'], 'there is something to hold still').to.be.above(0.01);
  });
});

/** Dots that have no words beside them. */
const wordless = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll('span[aria-hidden=true]')].filter((dot) => getComputedStyle(dot).borderRadius === '50%' && !dot.parentElement.textContent.trim()).length`,
  );

/** Seconds of the longest animation or transition of anything in the page. */
const LONGEST = `Math.max(...[...document.querySelectorAll('*')].flatMap((one) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(one);
  return [...(animationName === 'none' ? '0s' : animationDuration).split(','), ...transitionDuration.split(',')].map((text) => parseFloat(text) / (text.trim().endsWith('ms') ? 1000 : 1));
}))`;

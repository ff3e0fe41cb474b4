import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { openSite, openView, type Site, type Visit } from '../../support/programs/browser.ts';

/** Answers of Splunk Web that the embedded one does not give. */
describe('the console: Splunk Web of other sites', function () {
  this.timeout(120_000);
  let site: Site;
  let visit: Visit;
  let page: Page;

  before(async function () {
    site = await openSite(this);
  });
  beforeEach(async () => {
    visit = await site.visit('admin');
    ({ page } = visit);
  });
  afterEach(() => visit.context.close());
  after(() => site?.dispose());

  it('names Splunk Free where nobody has capabilities', async () => {
    await page.addInitScript(() => {
      let config: Record<string, unknown> | undefined;
      Object.defineProperty(window, '$C', {
        get: () => config,
        set: (value: Record<string, unknown>) => {
          config = { ...value, SPLUNKD_FREE_LICENSE: true };
        },
      });
    });
    await page.route('**/authentication/current-context*', async (route) => {
      const response = await route.fetch();
      const feed = await response.json();
      feed.entry[0].content.capabilities = [];
      await route.fulfill({ response, json: feed });
    });
    await openView(visit, site.platform, 'connections');
    const button = page.getByRole('button', { name: 'New MCP connection', exact: true }).first();
    await page.getByText('Splunk Free gives nobody capabilities').first().waitFor({ state: 'attached' });
    expect(await button.getAttribute('aria-disabled')).to.equal('true');
  });

  it('says why the KV store is not there and what to do, and asks nobody to wait for it', async () => {
    await site.platform.faults({ kvstore: 'disabled' });
    try {
      await openView(visit, site.platform, 'overview');
      await page
        .getByText(/Remove `?disabled/)
        .first()
        .waitFor();
      await openView(visit, site.platform, 'connections');
      await page.getByText('The KV store is disabled on this instance').first().waitFor();
      await page.getByText('store_unavailable: kvstore_disabled').first().waitFor();
    } finally {
      await site.platform.faults({ kvstore: 'ok' });
    }
  });

  it('waits while the platform is busy, and goes on by itself', async () => {
    let refusals = 2;
    await page.route('**/ml/mcp_connection*', (route) => {
      refusals -= 1;
      return refusals < 0 ? route.continue() : busy(route);
    });
    await openView(visit, site.platform, 'connections');
    await page
      .getByText('No MCP connections yet')
      .or(page.getByText(/Nothing here/))
      .first()
      .waitFor();
    expect(refusals).to.be.below(0);
  });

  const busy = (route: Route) =>
    route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, contentType: 'text/html', body: '<html></html>' });

  const THEMES: Record<string, [script: string, scheme: 'light' | 'dark', isDark: boolean]> = {
    'of the user': ["getTheme: () => Promise.resolve('dark')", 'light', true],
    'of the system, dark': ["getTheme: () => Promise.resolve('default_system_theme')", 'dark', true],
    'of the system, light': ["getTheme: () => Promise.resolve('default_system_theme')", 'light', false],
    'that is unknown, light': ["getTheme: () => Promise.reject(new Error('no preferences'))", 'dark', false],
  };
  for (const [what, [script, colorScheme, isDark]] of Object.entries(THEMES)) {
    it(`has the theme ${what}`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.route('**/build/api/get_theme.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: `window.__get_theme__ = { ${script} };` }),
      );
      await openView(visit, site.platform, 'overview');
      await page.getByRole('heading').first().waitFor();
      const shade = await page.evaluate(() => {
        const colours = /(\d+), (\d+), (\d+)/.exec(getComputedStyle(document.body).backgroundColor) ?? [];
        return colours.slice(1).reduce((sum, colour) => sum + Number(colour), 0);
      });
      expect(shade < 384, `a shade of ${shade}`).to.equal(isDark);
    });
  }
});

import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { expectAccessible, logIn, openBrowser, openView, untilAnswered, type Visit } from '../support/browser.ts';
import { TestPlatform } from '../support/e2e/platform.ts';
import { eventually } from '../support/time.ts';

const MINUTE_MS = 60_000;
/** Drivers read settings anew after five seconds. */
const SETTINGS_MS = 6000;
const PROXY_END = {
  status: 504,
  contentType: 'application/json; charset=UTF-8',
  body: JSON.stringify({
    messages: [{ type: 'ERROR', text: "Splunkd daemon is not responding: ('Error connecting to /x: timed out',)" }],
  }),
};

describe('the console while time goes by, in a browser', () => {
  let browser: Browser | undefined;
  let platform: TestPlatform;

  before(async function () {
    browser = await openBrowser(() => this.skip());
    platform = await new TestPlatform({ env: { ML_WEB_PORT: '0' }, movableClock: true }).start();
    const created = await platform.ml('admin', 'POST', '/mcp_connection', {
      ...{ name: 'Desk', type: 'PLATFORM', description: 'first', tools_allowed: ['one'] },
      details: { url: 'http://127.0.0.1:9/mcp' },
    });
    expect(created.status).to.equal(200);
  });

  after(async () => {
    await browser?.close();
    await platform?.dispose();
  });

  /** A page whose time can be moved. */
  async function visited(view: string): Promise<Visit> {
    const visit = await logIn(browser as Browser, platform);
    await visit.page.clock.install();
    await openView(visit, platform, view);
    return visit;
  }

  /**
   * The time of all pages of this browser goes on in steps, after each of which they get their answers, however late the server
   * is: otherwise minutes go by for a page in which a busy server has not got around to one.
   */
  async function goOn(page: Page, ms: number, step = 1000): Promise<void> {
    for (let gone = 0; gone < ms; gone += step) {
      await page.clock.runFor(step);
      for (const open of page.context().pages()) {
        await untilAnswered(open);
        // What the answers lead to has been done when this is answered.
        await open.evaluate('fetch("/favicon.ico").then((reply) => reply.text())');
      }
    }
  }

  /** What the page asks its server for from now on. */
  function asked(page: Page, part = '/splunkd/__raw/'): string[] {
    const urls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes(part)) urls.push(request.url());
    });
    return urls;
  }

  const flags = async (names: readonly string[], value: '0' | '1') => {
    for (const name of names) await platform.setFlag(name, value);
    platform.advance(SETTINGS_MS);
  };

  const FEATURES: readonly (readonly [view: string, flag: string, button: string])[] = [
    ['connections', 'mcp_connections', 'New MCP connection'],
    ['connections?tab=llm', 'llm_providers', 'New LLM configuration'],
    ['connections?tab=containers', 'containers', 'New container connection'],
    ['connections?tab=vectors', 'vector_stores', 'New vector store'],
    ['containers', 'containers', 'Start'],
    ['agents', 'agent_builder', 'New agent'],
    ['experiments', 'experiments', 'New experiment'],
    ['models', 'model_upload', 'New ONNX model'],
    ['models', 'model_registration', 'New cloud model'],
  ];

  it('a feature that is switched off is announced in its view, which can be read; on again, it is noticed in ten seconds', async () => {
    if (!browser) return;
    const names = [...new Set(FEATURES.map(([, flag]) => flag))];
    const visit = await visited('connections?name=Desk');
    const { page } = visit;
    const panel = page.getByRole('dialog', { name: 'Desk', exact: true });
    await panel.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await page.evaluate('window.isSame = true');
    await flags(names, '0');
    await goOn(page, 12_000);
    const banner = page.getByText('MCP connections: switched off (the feature flag mcp_connections)');
    await banner.waitFor();
    for (const button of ['Edit', 'Test', 'Clone', 'Delete', 'New MCP connection'])
      expect(
        await page.getByRole('button', { name: button, exact: true }).first().getAttribute('aria-disabled'),
        button,
      ).to.equal('true');
    await flags(['mcp_connections'], '1');
    await goOn(page, 10_000 - SETTINGS_MS + 1000);
    await banner.waitFor({ state: 'detached' });
    expect(await panel.getByRole('button', { name: 'Edit', exact: true }).getAttribute('aria-disabled')).to.not.equal(
      'true',
    );
    expect(await page.evaluate('window.isSame'), 'without reload').to.equal(true);
    await flags(['mcp_connections'], '0');
    await visit.context.close();

    const other = await logIn(browser, platform);
    try {
      for (const [view, flag, button] of FEATURES) {
        await openView(other, platform, view);
        await other.page.getByText(`switched off (the feature flag ${flag})`).waitFor();
        await other.page
          .getByText(/You can switch it on in the/)
          .first()
          .waitFor();
        const action = other.page.getByRole('button', { name: button, exact: true }).first();
        expect(await action.getAttribute('aria-disabled'), button).to.equal('true');
      }
      await expectAccessible(other, 'a feature that is switched off');
      expect(other.complaints.refused).to.deep.equal([]);
      await other.context.close();
    } finally {
      await flags(names, '1');
    }
  });

  it('a store that is down is announced, asked for less and less often, and costs no input; it comes back by itself', async () => {
    if (!browser) return;
    const visit = await visited('connections');
    const { page } = visit;
    await page.getByRole('link', { name: 'Desk' }).waitFor();
    await page.getByRole('button', { name: 'New MCP connection' }).click();
    const dialog = page.getByRole('dialog', { name: 'New MCP connection', exact: true });
    await dialog.getByLabel('Name', { exact: true }).fill('Typed');
    await dialog.getByLabel('Address').fill('http://127.0.0.1:9/mcp');
    await platform.faults({ kvstore: 'down' });
    const banner = page.getByText('The record store is unavailable.');
    const lists = asked(page, '/ml/mcp_connection?');
    try {
      await dialog.getByRole('button', { name: 'Save' }).click();
      await goOn(page, 3000, 500);
      await dialog.getByText('store_unavailable').waitFor();
      expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).to.equal('Typed');
      await goOn(page, 32_000);
      await banner.waitFor();
      lists.length = 0;
      await goOn(page, 4 * MINUTE_MS, 2000);
      // Each try of the page is up to two of its client.
      expect(lists.length, 'tries in four minutes').to.be.within(2, 2 * 9);
      expect(await page.getByText('Desk', { exact: true }).count(), 'what was there stays').to.be.above(0);
    } finally {
      await platform.faults({ kvstore: 'ok' });
    }
    await goOn(page, MINUTE_MS + 2000);
    await banner.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.clock.runFor(1000);
    await page.getByRole('dialog', { name: 'Typed', exact: true }).waitFor();
    await visit.context.close();
  });

  it('a panel and the overview that open while the store is down fill by themselves, or at once when asked to', async () => {
    if (!browser) return;
    await platform.faults({ kvstore: 'down' });
    const visit = await logIn(browser, platform);
    const { page } = visit;
    try {
      await openView(visit, platform, 'overview');
      await page.getByText('The record store is unavailable.').waitFor();
      await expectAccessible(visit, 'the overview without a store');
      await openView(visit, platform, 'connections?name=Desk');
      await page.getByRole('dialog', { name: 'Desk' }).getByText('store_unavailable').waitFor();
    } finally {
      await platform.faults({ kvstore: 'ok' });
    }
    // Before a pause is over, if it is a long one; after it otherwise.
    await page
      .getByRole('button', { name: 'Ask now' })
      .click({ timeout: 2000 })
      .catch(() => undefined);
    await page.getByRole('dialog', { name: 'Desk' }).getByText('first').waitFor();
    await page.getByText('store_unavailable').first().waitFor({ state: 'detached' });
    await visit.context.close();
  });

  it('a tab that cannot be seen asks for nothing, and catches up when it is looked at', async () => {
    if (!browser) return;
    const visit = await visited('containers');
    const { page } = visit;
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    const urls = asked(page);
    await goOn(page, 35_000);
    expect(urls.length, 'while it can be seen').to.be.above(3);
    expect(urls.join('\n')).to.include('container_data');
    await turn(page, 'hidden');
    await goOn(page, 2000);
    urls.length = 0;
    await goOn(page, 2 * MINUTE_MS, 5000);
    expect(urls, 'while it cannot').to.deep.equal([]);
    await turn(page, 'visible');
    await eventually(() => urls.some((url) => url.includes('container_data')), 10_000, 'it to ask again');
    await visit.context.close();
  });

  it('a page that nobody has touched for ten minutes rests, and says so', async () => {
    if (!browser) return;
    const visit = await visited('connections');
    const { page } = visit;
    await page.getByRole('link', { name: 'Desk' }).waitFor();
    const urls = asked(page);
    await page.clock.fastForward(9 * MINUTE_MS);
    await goOn(page, 15_000);
    expect(urls.length, 'before').to.be.above(0);
    await page.clock.fastForward(MINUTE_MS);
    await page.getByText(/^Paused/).waitFor();
    await goOn(page, 2000);
    urls.length = 0;
    await goOn(page, 5 * MINUTE_MS, 20_000);
    expect(urls, 'while nobody is there').to.deep.equal([]);
    await page.keyboard.press('Shift');
    await page.getByText(/^Paused/).waitFor({ state: 'detached' });
    await eventually(() => urls.some((url) => url.includes('mcp_connection')), 10_000, 'it to ask again');
    await visit.context.close();
  });

  it('two tabs of one user ask at most twice as often as one', async () => {
    if (!browser) return;
    // Every 30 seconds for three minutes; a server that is slow to answer makes it less.
    const [LEAST, MOST] = [2, 7];
    const visit = await visited('containers');
    const { page, context } = visit;
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    const one = asked(page, 'container_data');
    await goOn(page, 3 * MINUTE_MS, 5000);
    expect(one.length).to.be.within(LEAST, MOST);
    const second = await context.newPage();
    await second.goto(page.url());
    await second.getByRole('button', { name: 'Refresh' }).waitFor();
    const other = asked(second, 'container_data');
    one.length = 0;
    // One clock is for all tabs of a browser.
    await goOn(page, 3 * MINUTE_MS, 5000);
    expect(one.length + other.length).to.be.within(LEAST, 2 * MOST);
    await context.close();
  });

  it('a change whose answer the proxy has given up is looked up: made, not made, or made anew', async () => {
    if (!browser) return;
    const visit = await logIn(browser, platform);
    const { page } = visit;
    let isDone = true;
    await page.route('**/ml/mcp_connection*', async (route) => {
      const method = route.request().method();
      if (method === 'GET') return route.continue();
      if (isDone) await route.fetch();
      return route.fulfill(PROXY_END);
    });
    await openView(visit, platform, 'connections?name=Desk');
    const panel = page.getByRole('dialog', { name: 'Desk', exact: true });
    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill('made all the same');
    await page.getByRole('button', { name: 'Save' }).click();
    await panel.getByText(/^The answer was lost, but/).waitFor();
    await panel.getByText('made all the same').waitFor();

    isDone = false;
    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill('not made');
    await page.getByRole('button', { name: 'Save' }).click();
    const form = page.getByRole('dialog', { name: 'Edit Desk', exact: true });
    await form.getByText('The app did not answer within 30 seconds.').waitFor();
    await form.getByText('Nothing has been saved. Save again.').waitFor();
    expect(await page.getByLabel('Description').inputValue()).to.equal('not made');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await panel.getByRole('button', { name: 'Close' }).click();

    isDone = true;
    await page.getByRole('button', { name: 'New MCP connection' }).click();
    const dialog = page.getByRole('dialog', { name: 'New MCP connection', exact: true });
    await dialog.getByLabel('Name', { exact: true }).fill('Unheard');
    await dialog.getByLabel('Address').fill('http://127.0.0.1:9/mcp');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Unheard', exact: true }).waitFor();
    await visit.context.close();
  });

  it('a list that the proxy gives up says so, and is read again by itself', async () => {
    if (!browser) return;
    const visit = await logIn(browser, platform);
    const { page } = visit;
    let isSlow = true;
    await page.route('**/ml/mcp_connection*', (route) => (isSlow ? route.fulfill(PROXY_END) : route.continue()));
    await openView(visit, platform, 'connections');
    await page
      .getByText(/The app did not answer within 30 seconds/)
      .first()
      .waitFor();
    isSlow = false;
    await page.getByRole('link', { name: 'Desk' }).waitFor();
    await page
      .getByText(/The app did not answer within 30 seconds/)
      .first()
      .waitFor({ state: 'detached' });
    await visit.context.close();
  });
});

/** As the browser does when another tab covers this one. */
const turn = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate(`{
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    Object.defineProperty(document, 'hidden', { value: ${state === 'hidden'}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }`);

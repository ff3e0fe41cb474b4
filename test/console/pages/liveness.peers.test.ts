import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { callAdmin, turnTab, type Walk, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { expectAccessible, openSite, type Site, untilAnswered, type Visit } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

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

describe('the console over time, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;

  before(async function () {
    site = await openSite(this, { movableClock: true });
    ({ platform } = site);
    await callAdmin(platform, 'POST', '/mcp_connection', {
      ...{ name: 'Desk', type: 'PLATFORM', description: 'first', tools_allowed: ['one'] },
      details: { url: 'http://127.0.0.1:9/mcp' },
    });
  });

  after(() => site?.dispose());

  /** Opens a view in a browser of its own. @param hasClock whether the time of the page can be moved */
  async function visit(view: string, hasClock = true): Promise<Visit & Walk> {
    const one = await site.visit();
    if (hasClock) await one.page.clock.install();
    const walk = walkOf(one, platform);
    await walk.open(view);
    return { ...one, ...walk };
  }

  /**
   * Moves the clock of all pages in steps, and lets their calls finish after each: otherwise a busy server would answer after
   * minutes of the page's time.
   */
  async function goOn(page: Page, ms: number, step = 1000): Promise<void> {
    for (let gone = 0; gone < ms; gone += step) {
      await page.clock.runFor(step);
      for (const open of page.context().pages()) {
        await untilAnswered(open);
        // The page has handled the answers when this call ends.
        await open.evaluate('fetch("/favicon.ico").then((reply) => reply.text())');
      }
    }
  }

  /** The calls of the page from now on. */
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
    ['connections?tab=searches', 'search_tools', 'New search tool'],
    ['connections?tab=vectors', 'vector_stores', 'New vector store'],
    ['containers', 'containers', 'Start'],
    ['agents', 'agent_builder', 'New agent'],
    ['experiments', 'experiments', 'New experiment'],
    ['models', 'model_upload', 'New ONNX model'],
    ['models', 'model_registration', 'New cloud model'],
  ];

  it('announces in its view that a feature is off, and notices within ten seconds that it is on again', async () => {
    const names = [...new Set(FEATURES.map(([, flag]) => flag))];
    const { page, dialog, context } = await visit('connections?name=Desk');
    const buttonOf = (name: string) => page.getByRole('button', { name, exact: true }).first();
    const editButton = dialog('Desk').getByRole('button', { name: 'Edit', exact: true });
    await editButton.waitFor();
    await page.evaluate('window.isSame = true');
    await flags(names, '0');
    await goOn(page, 12_000);
    const banner = page.getByText('MCP connections: switched off (the feature flag mcp_connections)');
    await banner.waitFor();
    for (const name of ['Edit', 'Test', 'Clone', 'Delete', 'New MCP connection'])
      expect(await buttonOf(name).getAttribute('aria-disabled'), name).to.equal('true');
    await flags(['mcp_connections'], '1');
    await goOn(page, 10_000 - SETTINGS_MS + 1000);
    await banner.waitFor({ state: 'detached' });
    expect(await editButton.getAttribute('aria-disabled')).to.not.equal('true');
    expect(await page.evaluate('window.isSame'), 'without reload').to.equal(true);
    await flags(['mcp_connections'], '0');
    await context.close();

    try {
      const other = await visit('overview', false);
      for (const [view, flag, button] of FEATURES) {
        await other.open(view);
        await other.see(other.page, `switched off (the feature flag ${flag})`, /You can switch it on in the/);
        const action = other.page.getByRole('button', { name: button, exact: true }).first();
        expect(await action.getAttribute('aria-disabled'), button).to.equal('true');
      }
      expect(other.complaints.refused).to.deep.equal([]);
      await other.context.close();
    } finally {
      await flags(names, '1');
    }
  });

  it('announces a store that is down, calls it less and less often, keeps the input, and recovers by itself', async () => {
    const { page, dialog, fill, press, see, context } = await visit('connections');
    await page.getByRole('link', { name: 'Desk' }).waitFor();
    await press('New MCP connection');
    const form = dialog('New MCP connection');
    await fill(form, { Name: 'Typed', Address: 'http://127.0.0.1:9/mcp' });
    await platform.faults({ kvstore: 'down' });
    const banner = page.getByText('The record store is unavailable.');
    const lists = asked(page, '/ml/mcp_connection?');
    try {
      await press('Save', form);
      await goOn(page, 3000, 500);
      await see(form, 'store_unavailable');
      expect(await form.getByLabel('Name', { exact: true }).inputValue()).to.equal('Typed');
      await goOn(page, 32_000);
      await banner.waitFor();
      lists.length = 0;
      await goOn(page, 4 * MINUTE_MS, 2000);
      // Each try of the page is up to two of its client.
      expect(lists.length, 'tries in four minutes').to.be.within(2, 2 * 9);
      expect(await page.getByText('Desk', { exact: true }).count(), 'earlier data').to.be.above(0);
    } finally {
      await platform.faults({ kvstore: 'ok' });
    }
    await goOn(page, MINUTE_MS + 2000);
    await banner.waitFor({ state: 'detached' });
    await press('Save', form);
    await page.clock.runFor(1000);
    await dialog('Typed').waitFor();
    await context.close();
  });

  it('fills a panel and the overview that were opened while the store was down', async () => {
    await platform.faults({ kvstore: 'down' });
    const one = await visit('overview', false);
    const { page, dialog, see } = one;
    try {
      await see(page, 'The record store is unavailable.');
      await expectAccessible(one, 'the overview without a store');
      await one.open('connections?name=Desk');
      await see(dialog('Desk'), 'store_unavailable');
    } finally {
      await platform.faults({ kvstore: 'ok' });
    }
    // Skips the pause before the next try, if it is a long one.
    await page
      .getByRole('button', { name: 'Retry now' })
      .click({ timeout: 2000 })
      .catch(() => undefined);
    await see(dialog('Desk'), 'first');
    await page.getByText('store_unavailable').first().waitFor({ state: 'detached' });
    await one.context.close();
  });

  it('makes no call from a hidden tab, and catches up when the tab is visible again', async () => {
    const { page, context } = await visit('containers');
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    const urls = asked(page);
    await goOn(page, 35_000);
    expect(urls.length, 'while it is visible').to.be.above(3);
    expect(urls.join('\n')).to.include('container_data');
    await turnTab(page, 'hidden');
    await goOn(page, 2000);
    urls.length = 0;
    await goOn(page, 2 * MINUTE_MS, 5000);
    expect(urls, 'while it is hidden').to.deep.equal([]);
    await turnTab(page, 'visible');
    await eventually(() => urls.some((url) => url.includes('container_data')), 10_000, 'it to ask again');
    await context.close();
  });

  it('pauses after ten minutes without activity, and says so', async () => {
    const { page, context } = await visit('connections');
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
    expect(urls, 'while paused').to.deep.equal([]);
    await page.keyboard.press('Shift');
    await page.getByText(/^Paused/).waitFor({ state: 'detached' });
    await eventually(() => urls.some((url) => url.includes('mcp_connection')), 10_000, 'it to ask again');
    await context.close();
  });

  it('calls the server from two tabs at most twice as often as from one', async () => {
    // Every 30 seconds for three minutes; a server that is slow to answer makes it less.
    const [LEAST, MOST] = [2, 7];
    const { page, context } = await visit('containers');
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    const one = asked(page, 'container_data');
    await goOn(page, 3 * MINUTE_MS, 5000);
    expect(one.length).to.be.within(LEAST, MOST);
    const second = await context.newPage();
    await second.goto(page.url());
    await second.getByRole('button', { name: 'Refresh' }).waitFor();
    const other = asked(second, 'container_data');
    one.length = 0;
    // All tabs of a browser share one clock.
    await goOn(page, 3 * MINUTE_MS, 5000);
    expect(one.length + other.length).to.be.within(LEAST, 2 * MOST);
    await context.close();
  });

  it('finds out whether a change was made whose answer the proxy has given up', async () => {
    const { page, dialog, press, fill, see, edit, open, context } = await visit('overview', false);
    let isDone = true;
    await page.route('**/ml/mcp_connection*', async (route) => {
      const method = route.request().method();
      if (method === 'GET') return route.continue();
      if (isDone) await route.fetch();
      return route.fulfill(PROXY_END);
    });
    await open('connections?name=Desk');
    const panel = dialog('Desk');
    const form = await edit('Desk');
    await fill(form, { Description: 'made all the same' });
    await press('Save', form);
    await see(panel, /^The answer was lost, but/, 'made all the same');

    isDone = false;
    await edit('Desk');
    await fill(form, { Description: 'not made' });
    await press('Save', form);
    await see(form, 'The app did not answer within 30 seconds.', 'Nothing has been saved. Save again.');
    expect(await form.getByLabel('Description').inputValue()).to.equal('not made');
    await press('Cancel', form);
    await press('Close', panel);

    isDone = true;
    await press('New MCP connection');
    const created = dialog('New MCP connection');
    await fill(created, { Name: 'Unheard', Address: 'http://127.0.0.1:9/mcp' });
    await press('Save', created);
    await dialog('Unheard').waitFor();
    await context.close();
  });

  it('says that the proxy has given up a list, and reads it again', async () => {
    const { page, open, context } = await visit('overview', false);
    let isSlow = true;
    await page.route('**/ml/mcp_connection*', (route) => (isSlow ? route.fulfill(PROXY_END) : route.continue()));
    await open('connections');
    const reason = page.getByText(/The app did not answer within 30 seconds/).first();
    await reason.waitFor();
    isSlow = false;
    await page.getByRole('link', { name: 'Desk' }).waitFor();
    await reason.waitFor({ state: 'detached' });
    await context.close();
  });
});

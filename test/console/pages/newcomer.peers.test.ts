import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import {
  ContainerClient,
  cleanDocker,
  dockerUrl,
  needsDocker,
  testDocker,
} from '../../e2e/containers/containerSupport.ts';
import { expectFocus, type Hands, hasFocus, keyboard as keys } from '../../support/console/hands.ts';
import { walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import type { Peer } from '../../support/peers/listen.ts';
import { type ScriptedProvider, startProvider } from '../../support/peers/llm.ts';
import { startEverything } from '../../support/peers/mcp/everything.ts';
import { openSite, type Site, type Visit } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

/** How the page is operated. */
interface Hand extends Pick<Hands, 'press' | 'type' | 'choose' | 'complaints'> {
  name: string;
  tab(name: string): Promise<void>;
  /** Whether a dialog has given the focus back to what it was opened from; a mouse needs no focus. */
  isBackAt(opener: Locator): Promise<unknown>;
}

function mouse(page: Page): Hand {
  return {
    name: 'mouse',
    complaints: [],
    press: (target) => target.click(),
    async type(target, text) {
      await target.click({ clickCount: 3 });
      await page.keyboard.type(text);
    },
    async choose(target, option) {
      await target.click();
      await page.getByRole('option', { name: option, exact: true }).click();
    },
    tab: (name) => page.getByRole('tab', { name, exact: true }).click(),
    isBackAt: async () => undefined,
  };
}

function keyboard(page: Page): Hand {
  const hands = keys(page);
  return {
    ...hands,
    name: 'keyboard',
    async tab(name) {
      await hands.press(page.locator('[role=tab][aria-selected=true]'));
      const wanted = page.getByRole('tab', { name, exact: true });
      const tabs = await page.getByRole('tab').count();
      for (let steps = 0; steps < tabs && !(await hasFocus(wanted)); steps++) await page.keyboard.press('ArrowRight');
      await hands.press(wanted);
    },
    isBackAt: (opener) => expectFocus(opener, `the focus to be back on ${opener}`),
  };
}

describe('the console: the first steps of a new user, in a browser', function () {
  this.timeout(300_000);
  let site: Site;
  let platform: TestPlatform;
  let tools: Peer;
  let provider: ScriptedProvider;

  before(async function () {
    needsDocker(this);
    site = await openSite(this);
    ({ platform } = site);
    tools = await startEverything('streamableHttp');
    provider = await startProvider(() => ({
      status: 401,
      body: { error: { message: 'Invalid API Key', code: 'invalid_api_key' } },
    }));
    await platform.createUser('colleague', ['ml_user']);
  });

  after(async () => {
    if (platform) {
      const client = new ContainerClient(platform);
      const installation = await client.installation();
      await client.stopAll();
      await cleanDocker(testDocker(), installation);
    }
    await site?.dispose();
    await tools?.close();
    await provider?.close();
  });

  const walks = [
    ['mouse', mouse],
    ['keyboard', keyboard],
  ] as const;
  for (const [name, handOf] of walks) {
    it(`lists tools, tries a wrong key, runs a container, shares, audits and exports by ${name} alone`, async () => {
      const visit = await site.visit();
      try {
        const hand = handOf(visit.page);
        await toTheLog(visit, hand);
        await fromAColleague(visit, hand);
        expect(hand.complaints).to.deep.equal([]);
        expect(visit.complaints.errors).to.deep.equal([]);
        expect(visit.complaints.strangers).to.deep.equal([]);
      } finally {
        await visit.context.close();
      }
    });
  }

  function at(page: Page, hand: Hand) {
    const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
    const button = (where: Page | Locator, name: string) => where.getByRole('button', { name, exact: true }).first();
    const go = async (view: string) => {
      await hand.press(page.getByRole('navigation').getByRole('link', { name: view, exact: true }));
      await page.getByRole('heading', { level: 1, name: view }).waitFor();
    };
    return { desk: `Desk by ${hand.name}`, dialog, button, go };
  }

  async function toTheLog({ page }: Visit, hand: Hand): Promise<void> {
    const { desk, dialog, button, go } = at(page, hand);
    const model = `by_${hand.name}`;
    const field = (where: Locator, name: string) => where.getByLabel(name, { exact: true });

    // An MCP server and its tools.
    await go('Connections');
    await hand.press(button(page, 'New MCP connection'));
    const form = dialog('New MCP connection');
    await hand.type(field(form, 'Name'), desk);
    await hand.type(field(form, 'Address'), tools.url);
    await hand.press(button(form, 'Save'));
    await hand.press(button(dialog(desk), 'List tools'));
    await dialog(desk).getByText('echo', { exact: true }).first().waitFor();
    await hand.press(button(dialog(desk), 'Close'));
    await hand.isBackAt(button(page, 'New MCP connection'));

    // A provider, with a key that is wrong.
    await hand.tab('LLM providers');
    await hand.press(button(page, 'New LLM configuration'));
    const llm = dialog('New LLM configuration');
    await hand.choose(field(llm, 'Service'), 'Fast Inference (Groq)');
    await hand.type(field(llm, 'Connection'), 'team');
    await hand.type(field(llm, 'Model'), 'llama');
    await page.keyboard.press('Tab');
    await hand.type(field(llm, 'Access token'), 'wrong');
    await hand.type(field(llm, 'Endpoint'), `${provider.url}/openai/v1`);
    await hand.press(button(llm, 'Test'));
    await llm.getByText('auth_failed').waitFor();
    await llm.getByText(/Create a new key or token at the server/).waitFor();
    await llm.getByText('Nothing was saved.').waitFor();
    await hand.press(button(llm, 'Cancel'));
    await hand.isBackAt(button(page, 'New LLM configuration'));

    // A container and its log.
    await hand.tab('Containers');
    await hand.press(button(page, 'New container connection'));
    const engine = dialog('New container connection');
    await hand.type(field(engine, 'Name'), `Engine by ${hand.name}`);
    await hand.type(field(engine, 'Docker URL'), dockerUrl);
    await hand.press(button(engine, 'Test and save'));
    await hand.press(button(dialog(`Engine by ${hand.name}`), 'Close'));
    await go('Containers');
    await hand.press(button(page, 'Start'));
    const start = dialog('Start a container');
    await hand.type(field(start, 'Model'), model);
    await hand.choose(start.locator('[data-place="payload.image"] button'), 'Red Hat UBI Golden CPU (5.2.4)');
    await hand.choose(
      start.locator('[data-place="payload.connection_name"] button'),
      `Engine by ${hand.name} (Docker)`,
    );
    await hand.press(button(start, 'Start'));
    await dialog(model).getByText('Active', { exact: true }).waitFor();
    await hand.press(button(dialog(model), 'Logs'));
    await dialog(`Logs of ${model}`).getByText('Started server process').waitFor();
    await hand.press(button(dialog(`Logs of ${model}`), 'Close'));
    await hand.press(button(dialog(model), 'Stop'));
    await hand.press(button(dialog(`Stop ${model}?`), 'Stop'));
    await page.getByRole('link', { name: model, exact: true }).waitFor({ state: 'detached' });
  }

  async function fromAColleague({ page }: Visit, hand: Hand): Promise<void> {
    const { desk, dialog, button, go } = at(page, hand);

    // A colleague may read.
    await go('Connections');
    const link = page.getByRole('link', { name: desk, exact: true });
    await hand.press(link);
    await hand.press(button(dialog(desk), 'Edit'));
    const edit = dialog(`Edit ${desk}`);
    await hand.choose(edit.locator('[data-place="acl.sharing"] button'), 'The roles below');
    await hand.choose(edit.getByRole('combobox', { name: 'Roles that may read' }), 'ml_user');
    await hand.press(button(edit, 'Save'));
    await edit.waitFor({ state: 'detached' });
    await hand.isBackAt(button(dialog(desk), 'Edit'));
    await dialog(desk).getByText('ml_user', { exact: true }).waitFor();
    const read = await platform.ml('colleague', 'GET', `/mcp_connection/${encodeURIComponent(desk)}`);
    expect(read.status).to.equal(200);
    await hand.press(button(dialog(desk), 'Close'));
    await hand.isBackAt(link);

    // What was done.
    await go('Audit');
    const done = page.getByRole('table', { name: 'entries' }).getByRole('row').filter({ hasText: desk });
    const update = done.filter({ hasText: 'update' }).first().getByRole('link');
    await hand.press(update);
    await page
      .getByRole('table', { name: 'Changes' })
      .getByRole('row', { name: /^acl\.perms\.read/ })
      .waitFor();
    await hand.press(button(page.getByRole('dialog'), 'Close'));
    await hand.isBackAt(update);

    // All of it as a file.
    await go('Settings');
    await hand.tab('Export and import');
    const [download] = await Promise.all([page.waitForEvent('download'), hand.press(button(page, 'Export to file'))]);
    const { records } = JSON.parse(await readFile(await download.path(), 'utf8')) as { records: { name: string }[] };
    expect(records.map(({ name }) => name)).to.include(desk);
  }

  it('reports a lost network, keeps data and input, and recovers by itself', async () => {
    const visit = await site.visit();
    const { context } = visit;
    const { page, dialog, fill, openForm, press, see } = walkOf(visit, platform);
    const form = await openForm('connections', 'MCP connection');
    await fill(form, { Name: 'Typed offline', Address: tools.url });
    await context.setOffline(true);
    await press('Save', form);
    await see(form, 'The server could not be reached');
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).to.equal('Typed offline');
    await context.setOffline(false);
    await press('Save', form);
    await dialog('Typed offline').waitFor();
    await page.keyboard.press('Escape');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Showing earlier data.').waitFor();
    await page.getByRole('link', { name: 'Typed offline' }).waitFor();
    await context.setOffline(false);
    await eventually(async () => (await page.getByText('Showing earlier data.').count()) === 0, 60_000, 'it to go on');
    await context.close();
  });
});

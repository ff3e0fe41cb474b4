import type { Locator, Page } from 'playwright-core';
import { ALERT } from '../../tools/demo/outage.ts';
import { panel, press, type Scene, VIEWS } from './scenes.ts';

/** Fills a field, presses a button and waits for what it leads to. */
const asked =
  (field: string, text: string, button: string, answer: (page: Page) => Locator) =>
  async (page: Page): Promise<void> => {
    await page.getByLabel(field, { exact: true }).fill(text);
    await press(button)(page);
    await answer(page).first().waitFor();
  };

/** Scrolls a panel to one of its parts. */
const show = (page: Page, part: string) =>
  page
    .getByRole('dialog')
    .getByRole('region', { name: part, exact: true })
    .evaluate((element) => element.scrollIntoView());

const query = (tab: string, more: Readonly<Record<string, string>>): string =>
  `playground?${new URLSearchParams({ ...(tab && { tab }), ...more })}`;

/** Views that have nothing to see before something is asked. */
const ASKED: Readonly<Record<string, Omit<Scene, 'name'>>> = {
  playground: {
    address: query('', {
      ...{ model: 'default', tools: '[{"name":"Desk"}]', stores: '["Runbooks"]', searches: '["host_load"]' },
    }),
    async act(page) {
      const answer = page.getByText('This is what I found');
      await asked('Message', 'Which disks are nearly full, and what should I do?', 'Send', () => answer)(page);
      await press('search__host_load (done)')(page);
      await page.getByRole('table', { name: 'Result of search__host_load' }).waitFor();
    },
  },
  'playground-tool': {
    address: query('tool', { connection: 'Desk', tool: 'disk_usage' }),
    act: asked('host', 'db-3', 'Call the tool', (page) => page.getByText('94 %')),
  },
  'playground-retrieve': {
    address: query('retrieve', { store: 'Runbooks' }),
    act: asked('Query', 'disk full', 'Retrieve', (page) => page.getByRole('table', { name: 'Passages' })),
  },
  'playground-predict': {
    address: query('predict', { model: 'outage_risk' }),
    act: asked('Rows', 'cpu,memory,disk\n30,55,66\n90,85,98\n', 'Predict', (page) =>
      page.getByText('2 of 2 rows have a prediction.'),
    ),
  },
  usage: { address: 'usage?range=24h' },
};

/** Every view of the demo, and panels of what it has. */
export const DEMO: readonly Scene[] = [
  ...VIEWS.map((view) => ({ ...view, ...ASKED[view.name] })),
  {
    ...panel('mcp', 'connections'),
    async act(page) {
      await panel('mcp', 'connections').act?.(page);
      await press('List tools')(page);
      await page.getByRole('dialog').getByText('restart_service', { exact: true }).first().waitFor();
      await show(page, 'Tools');
    },
  },
  {
    name: 'playground-search',
    address: query('tool', { from: 'splunk', search: 'host_load' }),
    act: asked('host', '*', 'Call the tool', (page) => page.getByRole('table', { name: 'Rows of host_load' })),
  },
  panel('container', 'containers'),
  panel('agent', 'agents'),
  {
    name: 'run-panel',
    address: 'agents?tab=runs',
    async act(page) {
      await page.getByRole('row').filter({ hasText: 'night_watch' }).getByRole('link').last().click();
      await show(page, 'Steps');
    },
  },
  {
    name: 'alert-run',
    address: `agents?${new URLSearchParams({ tab: 'runs', search_name: ALERT })}`,
    async act(page) {
      await page.getByRole('row').filter({ hasText: ALERT }).getByRole('link').first().click();
      await show(page, 'Started by an alert');
    },
  },
  {
    ...panel('experiment', 'experiments'),
    async act(page) {
      await panel('experiment', 'experiments').act?.(page);
      await show(page, 'Runs and changes');
    },
  },
  panel('model', 'models'),
  { name: 'documents', address: 'connections?tab=vectors&documents=Runbooks' },
];

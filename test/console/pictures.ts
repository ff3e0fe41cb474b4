import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONSOLE_VIEWS } from '../../src/contract/consoleViews.ts';
import { logIn, openBrowser, openView } from '../support/browser.ts';
import { project } from '../support/e2e/build.ts';
import { TestPlatform } from '../support/e2e/platform.ts';

const HELP = `Takes pictures of every view, for people to look at.

usage: npm run pictures [-- --to <folder>] [--theme light|dark] [--width <pixels>]

  --to <folder>      where they are written (dist/pictures)
  --theme, --width   these alone; otherwise both themes, 1280 and 400 pixels wide
`;

/** Something to see: the example requests of the OpenAPI document. */
const FILLED_BY = [
  ...['createMcpConnection', 'saveLlmConfiguration', 'createVectorStore', 'saveContainerConnection'],
  ...['createExperiment', 'uploadModel'],
];

interface Operation {
  operationId: string;
  requestBody?: { content: { 'application/json': { example: object } } };
}

async function fill(platform: TestPlatform): Promise<void> {
  const document = JSON.parse(readFileSync(join(project, 'docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  for (const id of FILLED_BY) {
    const call = calls.find(({ operation }) => operation.operationId === id);
    const body = call?.operation.requestBody?.content['application/json'].example;
    if (!call) throw new Error(`There is no operation ${id}`);
    const { status, text } = await platform.call('admin', call.method.toUpperCase(), mounted(call.path), body);
    // Something of it may need a server that is not there.
    if (status !== 200) process.stderr.write(`${id}: ${status} ${text.slice(0, 200)}\n`);
  }
  for (let day = 1; day <= 12; day++) {
    const { json } = await platform.ml('admin', 'GET', '/experiments');
    const statistics = { R2: 0.7 + day / 60, RMSE: 14 - day / 2 };
    await platform.ml('admin', 'POST', `/experiments/${json.result[0].experiment_id}/history`, {
      ...{ action: 'train', status: 'success', statistics },
    });
  }
}

const mounted = (path: string) => `/servicesNS/nobody/ml_extension${path}?output_mode=json`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      theme: { type: 'string' },
      width: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const folder = values.to ?? join(project, 'dist/pictures');
  mkdirSync(folder, { recursive: true });
  const browser = await openBrowser(() => process.stderr.write('There is no browser: apt-get install chromium\n'));
  if (!browser) return 1;
  const platform = await new TestPlatform({ env: { ML_WEB_PORT: '0' } }).start();
  try {
    await fill(platform);
    const themes = values.theme ? [values.theme] : ['light', 'dark'];
    const widths = values.width ? [Number(values.width)] : [1280, 400];
    for (const width of widths) {
      const visit = await logIn(browser, platform, 'admin', { viewport: { width, height: 800 } });
      const { page } = visit;
      for (const theme of themes) {
        const other = page.getByRole('button', { name: `Switch to ${theme} theme` });
        if (await other.isVisible()) await Promise.all([page.waitForEvent('load'), other.click()]);
        for (const view of Object.keys(CONSOLE_VIEWS)) {
          await openView(visit, platform, view);
          await page.waitForLoadState('networkidle');
          const file = join(folder, `${view}-${theme}-${width}.png`);
          await page.screenshot({ path: file });
          process.stdout.write(`${file}\n`);
        }
      }
      await visit.context.close();
    }
  } finally {
    await browser.close();
    await platform.dispose();
  }
  return 0;
}

process.exit(await main());

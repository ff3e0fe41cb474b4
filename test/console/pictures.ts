import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { logIn, openBrowser, openView, untilQuiet } from '../support/browser.ts';
import { project } from '../support/e2e/build.ts';
import { TestPlatform } from '../support/e2e/platform.ts';
import { fill, OPENED, type Scene, VIEWS } from './scenes.ts';

const HELP = `Takes pictures of every view, of an empty site and of a filled one, with panels, forms and dialogs, for people to look at.

usage: npm run pictures [-- --to <folder>] [--theme light|dark] [--width <pixels>] [--only <part of a name>]

  --to <folder>      where they are written (dist/pictures)
  --theme, --width   these alone; otherwise both themes, 1280 and 400 pixels wide
  --only             pictures whose name has this in it
`;

interface Wanted {
  folder: string;
  themes: readonly string[];
  widths: readonly number[];
  only: string;
}

async function take(browser: Browser, platform: TestPlatform, scenes: readonly Scene[], site: string, wanted: Wanted) {
  for (const width of wanted.widths) {
    const visit = await logIn(browser, platform, 'admin', { viewport: { width, height: 800 } });
    const { page } = visit;
    for (const theme of wanted.themes) {
      const other = page.getByRole('button', { name: `Switch to ${theme} theme` });
      if (await other.isVisible()) await Promise.all([page.waitForEvent('load'), other.click()]);
      for (const { name, address, act } of scenes) {
        const called = `${site}-${name}-${theme}-${width}`;
        if (!called.includes(wanted.only)) continue;
        await openView(visit, platform, address);
        await untilQuiet(page);
        await act?.(page);
        await untilQuiet(page);
        const file = join(wanted.folder, `${called}.png`);
        await page.screenshot({ path: file });
        process.stdout.write(`${file}\n`);
      }
    }
    await visit.context.close();
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      theme: { type: 'string' },
      width: { type: 'string' },
      only: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const wanted: Wanted = {
    folder: values.to ?? join(project, 'dist/pictures'),
    themes: values.theme ? [values.theme] : ['light', 'dark'],
    widths: values.width ? [Number(values.width)] : [1280, 400],
    only: values.only ?? '',
  };
  mkdirSync(wanted.folder, { recursive: true });
  const browser = await openBrowser(() => process.stderr.write('There is no browser: apt-get install chromium\n'));
  if (!browser) return 1;
  const platform = await new TestPlatform({ env: { ML_WEB_PORT: '0' } }).start();
  try {
    await take(browser, platform, VIEWS, 'empty', wanted);
    await fill(platform);
    await take(browser, platform, [...VIEWS, ...OPENED], 'filled', wanted);
  } finally {
    await browser.close();
    await platform.dispose();
  }
  return 0;
}

process.exit(await main());

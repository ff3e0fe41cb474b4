import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { project } from '../support/e2e/build.ts';
import { TestPlatform } from '../support/e2e/platform.ts';
import { logIn, openBrowser, openView, untilQuiet } from '../support/programs/browser.ts';
import { startDemo } from '../tools/demo/demoPlatform.ts';
import { DEMO } from './demoScenes.ts';
import { fill, OPENED, type Scene, VIEWS } from './scenes.ts';

const HELP = `Takes pictures of every view, of an empty site and of a filled one, with panels, forms and dialogs, for people to look at.

usage: npm run pictures [-- --demo] [--to <folder>] [--theme light|dark] [--width <pixels>] [--only <part of a name>]

  --demo             of the demo instead, for the guide: one of each view, light and 1280 pixels wide
  --to <folder>      where they are written (dist/pictures; with --demo docs/guide/pictures)
  --theme, --width   these alone; otherwise both themes, 1280 and 400 pixels wide
  --only             pictures whose name has this in it
`;

interface Wanted {
  folder: string;
  themes: readonly string[];
  widths: readonly number[];
  only: string;
}

/** @param named name of the picture of a scene */
async function take(
  browser: Browser,
  platform: TestPlatform,
  scenes: readonly Scene[],
  wanted: Wanted,
  named: (scene: string, theme: string, width: number) => string,
) {
  for (const width of wanted.widths) {
    const visit = await logIn(browser, platform, 'admin', { viewport: { width, height: 800 } });
    const { page } = visit;
    for (const theme of wanted.themes) {
      const other = page.getByRole('button', { name: `Switch to ${theme} theme` });
      if (await other.isVisible()) await Promise.all([page.waitForEvent('load'), other.click()]);
      for (const { name, address, act } of scenes) {
        const called = named(name, theme, width);
        if (!called.includes(wanted.only)) continue;
        await openView(visit, platform, address);
        await untilQuiet(page);
        await act?.(page);
        await untilQuiet(page);
        const file = join(wanted.folder, `${called}.png`);
        // A panel is as high as the window, and would end in the middle of a longer picture.
        await page.screenshot({ path: file, fullPage: act === undefined });
        process.stdout.write(`${file}\n`);
      }
    }
    await visit.context.close();
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      demo: { type: 'boolean' },
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
  const { demo: isDemo = false, to, theme, width, only = '' } = values;
  const wanted: Wanted = {
    folder: to ?? join(project, isDemo ? 'docs/guide/pictures' : 'dist/pictures'),
    themes: theme ? [theme] : isDemo ? ['light'] : ['light', 'dark'],
    widths: width ? [Number(width)] : isDemo ? [1280] : [1280, 400],
    only,
  };
  mkdirSync(wanted.folder, { recursive: true });
  const browser = await openBrowser(() => process.stderr.write('There is no browser: apt-get install chromium\n'));
  if (!browser) return 1;
  const options = { env: { ML_WEB_PORT: '0' } };
  const platform = isDemo ? await startDemo(options) : await new TestPlatform(options).start();
  const of = (site: string) => (scene: string, shown: string, pixels: number) => `${site}-${scene}-${shown}-${pixels}`;
  try {
    if (isDemo) {
      await take(browser, platform, DEMO, wanted, (scene) => scene);
    } else {
      await take(browser, platform, VIEWS, wanted, of('empty'));
      await fill(platform);
      await take(browser, platform, [...VIEWS, ...OPENED], wanted, of('filled'));
    }
  } finally {
    await browser.close();
    await platform.dispose();
  }
  return 0;
}

process.exit(await main());

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { makeClassic } from '../../src/codegen/package/classicPages.ts';
import { logIn, openBrowser, openView } from '../support/browser.ts';
import { builtApp } from '../support/e2e/build.ts';
import { TestPlatform } from '../support/e2e/platform.ts';

describe('the console with classic pages, for releases before 10.4', () => {
  let browser: Browser | undefined;
  let platform: TestPlatform;
  const folder = mkdtempSync(join(tmpdir(), 'classic-'));

  before(async function () {
    browser = await openBrowser(() => this.skip());
    const app = join(folder, 'ml_extension');
    makeClassic(builtApp(), app);
    platform = await new TestPlatform({ env: { ML_WEB_PORT: '0' }, args: ['--app', app] }).start();
  });

  after(async () => {
    await browser?.close();
    await platform?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('opens the same pages', async () => {
    if (!browser) return;
    const visit = await logIn(browser, platform);
    await openView(visit, platform, 'connections');
    await visit.page.getByText('No MCP connections yet').waitFor();
    expect(await visit.page.content()).to.contain('/static/app/ml_extension/classic.js');
    expect(visit.complaints).to.deep.equal({ errors: [], strangers: [], refused: [] });
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeClassic } from '../../../src/codegen/package/classicPages.ts';
import { builtApp } from '../../support/e2e/build.ts';
import { openSite, openView, type Site } from '../../support/programs/browser.ts';

describe('the console with classic pages, for releases before 10.4', () => {
  let site: Site;
  const folder = mkdtempSync(join(tmpdir(), 'classic-'));

  before(async function () {
    const app = join(folder, 'ml_extension');
    makeClassic(builtApp(), app);
    site = await openSite(this, { args: ['--app', app] });
  });

  after(async () => {
    await site?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('opens the same pages as a newer release', async () => {
    const { admin: visit, platform } = site;
    await openView(visit, platform, 'connections');
    await visit.page.getByText('No MCP connections yet').waitFor();
    expect(await visit.page.content()).to.contain('/static/app/ml_extension/classic.js');
    expect(visit.complaints).to.deep.equal({ errors: [], strangers: [], refused: [] });
  });
});

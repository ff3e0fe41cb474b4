import { expectAccessible, openSite, openView, type Site, untilQuiet } from '../../support/programs/browser.ts';
import { fill, OPENED, VIEWS } from '../scenes.ts';

describe('the console: every view, panel, form and dialog is accessible', () => {
  let site: Site;

  before(async function () {
    this.timeout(180_000);
    site = await openSite(this);
    await fill(site.platform);
  });

  after(() => site?.dispose());

  for (const theme of ['light', 'dark'] as const) {
    for (const width of [1280, 400]) {
      it(`in the ${theme} theme, ${width} pixels wide`, async function () {
        this.timeout(400_000);
        const visit = await site.visit('admin', { viewport: { width, height: 800 } });
        const { page } = visit;
        if (theme === 'dark') {
          await page.getByRole('button', { name: 'Switch to dark theme' }).click();
          await page.getByRole('button', { name: 'Switch to light theme' }).waitFor();
        }
        for (const { name, address, act } of [...VIEWS, ...OPENED]) {
          await openView(visit, site.platform, address);
          await untilQuiet(page);
          await act?.(page);
          await untilQuiet(page);
          await expectAccessible(visit, name);
        }
        await visit.context.close();
      });
    }
  }
});

import { expect } from 'chai';
import { callAdmin } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { openSite, openView, type Site, type Visit } from '../../support/programs/browser.ts';
import { experimentWith } from '../../support/records/histories.ts';

/** 15 January 2024, 22:30:05 UTC: another day in Japan, and winter in Germany. */
const AT = Date.UTC(2024, 0, 15, 22, 30, 5) / 1000;

const READERS = [
  { locale: 'de-DE', timezoneId: 'Europe/Berlin', there: '15 Jan 2024, 23:30:05', offset: '+01:00' },
  { locale: 'ja-JP', timezoneId: 'Asia/Tokyo', there: '16 Jan 2024, 07:30:05', offset: '+09:00' },
] as const;

/** Headings, columns, buttons and labels. */
const WORDS = `[...document.querySelectorAll('h1, h2, h3, th, button, label, dt, [role=tab]')].map((one) => one.textContent)`;

describe('the console in other locales, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let experiment: string;

  before(async function () {
    site = await openSite(this);
    ({ platform } = site);
    const connection = { name: 'Desk', type: 'PLATFORM', details: { url: 'http://127.0.0.1:9/mcp' } };
    await callAdmin(platform, 'POST', '/mcp_connection', connection);
    const found = [1234.5, 0.25];
    experiment = await experimentWith(platform, found.length, (index) => ({
      timestamp: AT + index,
      details: JSON.stringify({ message: 'measured', statistics: { R2: found[index] } }),
    }));
  });

  after(() => site?.dispose());

  const words = async (visit: Visit) => (await visit.page.evaluate(WORDS)) as string[];

  for (const { locale, timezoneId, there, offset } of READERS) {
    it(`shows ${locale} readers the times of ${timezoneId} with UTC, English words, and the same numbers`, async () => {
      const [here, english] = await Promise.all([
        site.visit('admin', { locale, timezoneId }),
        site.visit('admin', { locale: 'en-US', timezoneId: 'UTC' }),
      ]);
      const { page, complaints } = here;
      expect(await page.evaluate('navigator.language')).to.equal(locale);
      for (const visit of [here, english]) {
        await openView(visit, platform, `experiments?name=${experiment}`);
        await visit.page.getByText('Numbers of R2').click();
      }
      const table = page.getByRole('table', { name: 'Numbers of R2' });
      const time = table.locator('tbody tr').last().locator('time');
      await time.waitFor();
      expect(await time.innerText()).to.contain(there);
      expect(await time.getAttribute('title')).to.equal(`${there} (2024-01-15T22:30:05.000Z)`);
      expect(await time.getAttribute('datetime')).to.equal('2024-01-15T22:30:05.000Z');
      expect(await table.getByRole('cell', { name: '1234.5', exact: true }).count()).to.equal(1);
      await page.getByRole('img', { name: 'R2: 2 values, lowest 0.25, highest 1,234.5, last 0.25' }).waitFor();
      expect(await words(here)).to.deep.equal(await words(english));

      // A time is typed in the reader's zone, and sent in UTC.
      await openView(here, platform, 'audit');
      await page.getByLabel('From', { exact: true }).fill('2024-01-16T00:30');
      await page.waitForURL(/earliest=/);
      const asked = new URL(page.url()).searchParams.get('earliest') ?? '';
      expect(Date.parse(asked)).to.equal(Date.parse(`2024-01-16T00:30:00${offset}`));
      await page.reload();
      expect(await page.getByLabel('From', { exact: true }).inputValue()).to.equal('2024-01-16T00:30');

      await openView(here, platform, 'agents?new=1');
      const timeout = page.getByLabel('Run timeout in seconds').first();
      await timeout.fill('12');
      await timeout.press('Tab');
      expect(await timeout.inputValue()).to.equal('12');
      expect(complaints.errors).to.deep.equal([]);
      await here.context.close();
      await english.context.close();
    });
  }
});

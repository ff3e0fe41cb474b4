import { expect } from 'chai';
import { callAdmin } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { openSite, openView, type Site, type Visit } from '../../support/programs/browser.ts';

const EVERY = 'A name_of.every-sort@of+sign (legal)';
const MARKUP = '<img src=x onerror="document.title=1"> & <b>bold</b>';
const DOCKER = { docker_url: 'tcp://127.0.0.1:9', endpoint_hostname: '127.0.0.1' };
const RTL = 'שלום \u202Eabc\u202C مرحبا';
/** Characters that turn the direction of text are shown by their numbers. */
const SHOWN_RTL = 'שלום [U+202E]abc[U+202C] مرحبا';

describe('the console: unusual names and texts', () => {
  let site: Site;
  let platform: TestPlatform;
  let narrow: Visit;

  before(async function () {
    site = await openSite(this);
    ({ platform } = site);
    narrow = await site.visit('admin', { viewport: { width: 400, height: 800 } });
  });

  after(() => site?.dispose());

  const make = (path: string, body: object) => callAdmin(platform, 'POST', path, body);

  /** Opens list, panel and form; nothing is wider than the page, in which tables scroll by themselves. */
  const walk = async (view: string, link: string, title: string, texts: readonly string[]) => {
    for (const visit of [site.admin, narrow]) {
      const { page } = visit;
      await openView(visit, platform, view);
      const found = page.getByRole('link', { name: link, exact: true });
      await found.waitFor();
      await fits(visit, `${view}: the list`);
      await found.click();
      const panel = page.getByRole('dialog', { name: title, exact: true });
      for (const text of texts) await panel.getByText(text, { exact: true }).first().waitFor();
      await panel.getByRole('button', { name: 'Edit', exact: true }).waitFor();
      await fits(visit, `${view}: the panel`);
      await page.reload();
      await panel.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('dialog', { name: `Edit ${title}`, exact: true }).waitFor();
      await fits(visit, `${view}: the form`);
      expect(await page.title()).to.contain('Machine Learning Extension');
      expect(visit.complaints.errors).to.deep.equal([]);
      expect(visit.complaints.strangers).to.deep.equal([]);
    }
  };

  const fits = async ({ page }: Visit, what: string) =>
    expect(
      await page.evaluate(`(() => {
        const wide = (node) => node.scrollWidth > node.clientWidth + 1;
        const panels = [document.documentElement, ...document.querySelectorAll('[role=dialog]')];
        return panels.filter(wide).map((node) => node.getAttribute('aria-label') ?? node.tagName);
      })()`),
      `${what} is not wider than its container`,
    ).to.deep.equal([]);

  it('shows every legal character, markup as text, and right-to-left text', async () => {
    const details = { url: 'http://127.0.0.1:9/mcp' };
    await make('/mcp_connection', { name: EVERY, type: 'PLATFORM', description: `${MARKUP} ${RTL}`, details });
    await walk('connections', EVERY, EVERY, [`${MARKUP} ${SHOWN_RTL}`]);
  });

  it('shows them in names of container connections and vector stores, and in titles', async () => {
    await make('/container_connection', {
      payload: { ...{ container_type: 'docker', connection_name: EVERY, jupyter_passwd: 'a-hash' }, ...DOCKER },
    });
    await walk('connections?tab=containers', EVERY, EVERY, [DOCKER.docker_url]);
    const details = { cloud_region: 'eu-central-1', kb_id: 'ABCDEFGHIJ' };
    await make('/vector_stores', { name: EVERY, type: 'CLOUD_KB', description: `${MARKUP} ${RTL}`, details });
    await walk('connections?tab=vectors', EVERY, EVERY, [`${MARKUP} ${SHOWN_RTL}`]);
    const title = `${MARKUP} ${RTL} ${'t'.repeat(100)}`;
    await make('/experiments', { title, type: 'smart_forecast', description: MARKUP });
    const shown = title.replace(RTL, SHOWN_RTL);
    await walk('experiments', shown, shown, [MARKUP]);
  });

  it('opens models with slashes and colons in their names', async () => {
    const model = 'library/llama3.2:70b-instruct/v1:0';
    await make('/aicommander', { service: 'Local_Runtime', connection_name: EVERY, model });
    await walk('connections?tab=llm', model, `${model} (${EVERY})`, [EVERY]);
  });

  it('fits names of 128 and 256 characters without spaces', async () => {
    const name = 'N'.repeat(128);
    const text = 'x'.repeat(256);
    const details = { url: `http://127.0.0.1:9/${'p'.repeat(256)}` };
    await make('/mcp_connection', { name, type: 'PLATFORM', description: text, details });
    await walk('connections', name, name, [text]);
    const model = `m${'/model'.repeat(42)}256`;
    await make('/aicommander', { service: 'Local_Runtime', connection_name: 'long', model });
    await walk('connections?tab=llm', model, `${model} (long)`, ['long']);
  });
});

import { createServer } from 'node:net';
import { expect } from 'chai';
import { listen } from '../../support/peers/listen.ts';
import { openSite, openView, type Site } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

describe('the console: a server that never answers, in a browser', () => {
  let site: Site;
  let port: number;
  let calls = 0;
  let close: () => Promise<void>;

  before(async function () {
    site = await openSite(this);
    ({ port, close } = await listen(
      createServer((socket) => {
        socket.once('data', () => {
          calls += 1;
        });
      }),
    ));
    const made = await site.platform.ml('admin', 'POST', '/mcp_connection', {
      ...{ name: 'Silent', type: 'PLATFORM' },
      details: { url: `http://127.0.0.1:${port}/mcp` },
    });
    expect(made.status).to.equal(200);
  });

  after(async () => {
    await site?.dispose();
    await close?.();
  });

  it('shows the wait, keeps the page usable, stops the wait, and starts a second test', async () => {
    const { page, complaints } = site.admin;
    await openView(site.admin, site.platform, 'connections?name=Silent');
    const panel = page.getByRole('dialog', { name: 'Silent', exact: true });
    const test = panel.getByRole('button', { name: 'Test', exact: true });
    const waiting = panel.getByText('Still waiting for the answer of Silent …');
    await test.click();
    await waiting.waitFor();
    await eventually(async () => calls === 1);

    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit Silent', exact: true });
    await form.getByRole('button', { name: 'Cancel', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    await waiting.waitFor();
    await panel.getByRole('button', { name: 'Stop waiting', exact: true }).click();
    await waiting.waitFor({ state: 'detached' });

    await eventually(() => test.isEnabled());
    await test.click();
    await waiting.waitFor();
    await eventually(async () => calls >= 2);
    await panel.getByRole('button', { name: 'Stop waiting', exact: true }).click();
    await waiting.waitFor({ state: 'detached' });
    expect(complaints.errors).to.deep.equal([]);
  });

  it('ends the test with a timeout of the app', async () => {
    const { page } = site.admin;
    await openView(site.admin, site.platform, 'connections?name=Silent');
    const panel = page.getByRole('dialog', { name: 'Silent', exact: true });
    await panel.getByRole('button', { name: 'Test', exact: true }).click();
    // The app answers before the proxy gives up.
    await panel.getByText('timeout', { exact: true }).first().waitFor({ timeout: 60_000 });
    expect(await panel.getByText(/The app did not answer within 30 seconds/).count()).to.equal(0);
  });
});

import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { openSite, openView, type Site, type Visit } from '../support/browser.ts';
import type { TestPlatform } from '../support/e2e/platform.ts';
import { eventually } from '../support/time.ts';

/** Buttons that only look, or are of the page itself. */
const HARMLESS =
  /^(Refresh|Close|Copy .*|Name|Type|Title|.* [↑↓↕]|Go to .*|Clear.*|Logs|Switch to .*|Download|List tools|Retry)$/;
const READ_BY_ALL = { sharing: 'app', perms: { read: ['*'], write: [] } };

describe('the console: what somebody may do', () => {
  let site: Site;
  let platform: TestPlatform;
  let admin: Visit;
  let reader: Visit;
  let experiment: string;

  before(async function () {
    site = await openSite(this);
    ({ platform, admin } = site);
    await platform.createUser('reader', ['ml_user']);
    const make = async (path: string, body: object) => {
      const reply = await platform.ml('admin', 'POST', path, body);
      expect(path === '/agents' ? 200 : reply.status, reply.text.slice(0, 300)).to.equal(200);
      return reply.json;
    };
    const details = { url: 'http://127.0.0.1:9/mcp' };
    await make('/mcp_connection', { name: 'Shared', type: 'PLATFORM', details, acl: READ_BY_ALL });
    await make('/mcp_connection', { name: 'Private', type: 'PLATFORM', details });
    await make('/aicommander', { service: 'Local_Runtime', connection_name: 'shared', model: 'llama3.2' });
    const docker = { container_type: 'docker', connection_name: 'shared', docker_url: 'tcp://127.0.0.1:1' };
    await make('/container_connection', { payload: docker });
    const store = { cloud_region: 'eu-central-1', kb_id: 'ABCDE12345' };
    await make('/vector_stores', { name: 'Shared', type: 'CLOUD_KB', details: store, acl: READ_BY_ALL });
    await make('/agents', { name: 'shared', system_prompt: 'Be careful.', acl: READ_BY_ALL });
    const body = { title: 'Shared', type: 'forecast_time_series', acl: READ_BY_ALL };
    experiment = (await make('/experiments', body)).experiment_id;
    reader = await site.visit('reader');
  });

  after(() => site?.dispose());

  const isDimmed = async (button: Locator) => (await button.getAttribute('aria-disabled')) === 'true';

  it('with ml_user no action that would be refused is enabled, and each says why', async () => {
    const { page } = reader;
    const views: Record<string, string> = {
      'connections?name=Shared': 'Shared',
      'connections?tab=llm&name=Local_Runtime/shared/llama3.2': 'llama3.2 (shared)',
      'connections?tab=containers&name=docker/shared': 'shared',
      'connections?tab=vectors&name=Shared': 'Shared',
      'agents?name=shared': 'shared',
      [`experiments?name=${experiment}`]: 'Shared',
    };
    reader.complaints.refused.length = 0;
    for (const [view, title] of Object.entries(views)) {
      await openView(reader, platform, view);
      const panel = page.getByRole('dialog', { name: title, exact: true });
      const remove = panel.getByRole('button', { name: 'Delete', exact: true });
      await remove.waitFor();
      await eventually(() => isDimmed(remove), 10_000, `Delete of ${view} to be dimmed`);
      for (const button of await panel.getByRole('button').all()) {
        const name = (await button.getAttribute('aria-label')) ?? (await button.innerText()).trim();
        if (HARMLESS.test(name) || (name === 'Clone' && title === 'Shared' && view.startsWith('experiments'))) continue;
        expect(await isDimmed(button), `${name} of ${view} is dimmed`).to.equal(true);
        await button.focus();
        await page
          .getByRole('tooltip')
          .filter({ hasText: /^(You need|The access list)/ })
          .first()
          .waitFor();
        await page.keyboard.press('Shift+Tab');
      }
    }
    expect(reader.complaints.refused).to.deep.equal([]);
    expect(reader.complaints.errors).to.deep.equal([]);
  });

  it('private records of others do not appear, until their owner lets a role read them in the form', async () => {
    const { page } = reader;
    await openView(reader, platform, 'connections');
    await page.getByRole('link', { name: 'Shared', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Private', exact: true }).count()).to.equal(0);
    await openView(reader, platform, 'connections?name=Private');
    await page.getByText('No MCP connection of this name').waitFor();

    const { page: owner } = admin;
    await openView(admin, platform, 'connections?name=Private');
    await owner.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = owner.getByRole('dialog', { name: 'Edit Private' });
    await form.locator('[data-place="acl.sharing"] button').click();
    await owner.getByRole('option', { name: 'The roles below', exact: true }).click();
    await form.getByRole('combobox', { name: 'Roles that may read' }).click();
    await owner.getByRole('option', { name: 'ml_user', exact: true }).click();
    await owner.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await owner.getByRole('dialog', { name: 'Private', exact: true }).getByText('ml_user').waitFor();
    await openView(reader, platform, 'connections');
    await page.getByRole('link', { name: 'Private', exact: true }).waitFor();
  });

  it('a capability that is taken away in between is told, the input stays, and the button is dimmed', async () => {
    await platform.createRole('connector', ['user'], ['edit_agent_connections']);
    await platform.createUser('connector', ['connector']);
    const visit = await site.visit('connector');
    const { page } = visit;
    await openView(visit, platform, 'connections?new=1');
    const form = page.getByRole('dialog', { name: 'New MCP connection' });
    await form.getByLabel('Name', { exact: true }).fill('Too late');
    await form.getByLabel('Address').fill('http://127.0.0.1:9/mcp');
    const taken = await platform.admin('POST', '/services/authorization/roles/connector', { capabilities: [''] });
    expect(taken.status, taken.text.slice(0, 200)).to.equal(200);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByRole('alert').getByText('missing_capability').waitFor();
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).to.equal('Too late');
    await form.getByRole('button', { name: 'Cancel', exact: true }).click();
    const button = page.getByRole('button', { name: 'New MCP connection' }).first();
    await eventually(() => isDimmed(button), 10_000, 'the button to be dimmed at once');
    expect(visit.complaints.errors).to.deep.equal([]);
    await visit.context.close();
  });
});

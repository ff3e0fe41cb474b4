import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { callAdmin, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { openSite, openView, type Site, untilQuiet, type Visit } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

/** Buttons that change nothing. */
const HARMLESS =
  /^(Refresh|Close|Copy .*|Name|Type|Title|.* [↑↓↕]|Go to .*|Clear.*|Logs|Switch to .*|Download|List tools|Retry)$/;
const READ_BY_ALL = { sharing: 'app', perms: { read: ['*'], write: [] } };

describe('the console: permissions', () => {
  let site: Site;
  let platform: TestPlatform;
  let admin: Visit;
  let reader: Visit;
  let experiment: string;

  before(async function () {
    site = await openSite(this);
    ({ platform, admin } = site);
    await platform.createUser('reader', ['ml_user']);
    const details = { url: 'http://127.0.0.1:9/mcp' };
    await callAdmin(platform, 'POST', '/mcp_connection', {
      name: 'Shared',
      type: 'PLATFORM',
      details,
      acl: READ_BY_ALL,
    });
    await callAdmin(platform, 'POST', '/mcp_connection', { name: 'Private', type: 'PLATFORM', details });
    await callAdmin(platform, 'POST', '/aicommander', {
      service: 'Local_Runtime',
      connection_name: 'shared',
      model: 'llama3.2',
    });
    await callAdmin(platform, 'POST', '/model_aliases', {
      name: 'Shared',
      targets: [{ service: 'Local_Runtime', connection_name: 'shared', model: 'llama3.2' }],
      acl: READ_BY_ALL,
    });
    const docker = { container_type: 'docker', connection_name: 'shared', docker_url: 'tcp://127.0.0.1:1' };
    await callAdmin(platform, 'POST', '/container_connection', { payload: docker });
    await callAdmin(platform, 'POST', '/search_tools', { name: 'shared', search: '| makeresults', acl: READ_BY_ALL });
    const store = { cloud_region: 'eu-central-1', kb_id: 'ABCDE12345' };
    await callAdmin(platform, 'POST', '/vector_stores', {
      name: 'Shared',
      type: 'CLOUD_KB',
      details: store,
      acl: READ_BY_ALL,
    });
    await callAdmin(
      platform,
      'POST',
      '/agents',
      { name: 'shared', system_prompt: 'Be careful.', acl: READ_BY_ALL },
      502,
    );
    const body = { title: 'Shared', type: 'forecast_time_series', acl: READ_BY_ALL };
    experiment = (await callAdmin(platform, 'POST', '/experiments', body)).experiment_id;
    reader = await site.visit('reader');
  });

  after(() => site?.dispose());

  const isDimmed = async (button: Locator) => (await button.getAttribute('aria-disabled')) === 'true';

  it('dims every action that ml_user may not take, with the reason', async () => {
    const { page } = reader;
    const views: Record<string, string> = {
      'connections?name=Shared': 'Shared',
      'connections?tab=llm&name=Local_Runtime/shared/llama3.2': 'llama3.2 (shared)',
      'connections?tab=aliases&name=Shared': 'Shared',
      'connections?tab=containers&name=docker/shared': 'shared',
      'connections?tab=searches&name=shared': 'shared',
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

  it('dims the buttons for new records with the missing capability', async () => {
    const { open, page } = walkOf(reader, platform);
    for (const [view, name, capability] of [
      ['connections', 'New MCP connection', 'edit_agent_connections'],
      ['connections?tab=aliases', 'New alias', 'edit_ai_commander_config'],
      ['connections?tab=searches', 'New search tool', 'edit_search_tools'],
      ['containers', 'Start', 'control_containers'],
      ['agents', 'New agent', 'edit_agents'],
      ['models', 'New ONNX model', 'upload_ml_models'],
    ] as const) {
      await open(view);
      const button = page.getByRole('button', { name, exact: true }).first();
      await eventually(() => isDimmed(button), 10_000, `${name} to be dimmed`);
      await button.focus();
      await page.getByText(`You need the capability ${capability}`).first().waitFor({ state: 'attached' });
    }
  });

  it('hides private records until their owner shares them with a role', async () => {
    const { page } = reader;
    await openView(reader, platform, 'connections');
    await page.getByRole('link', { name: 'Shared', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Private', exact: true }).count()).to.equal(0);
    await openView(reader, platform, 'connections?name=Private');
    await page.getByText('No MCP connection of this name').waitFor();

    const owner = walkOf(admin, platform);
    await owner.open('connections?name=Private');
    const form = await owner.edit('Private');
    await owner.choose(form, 'acl.sharing', 'The roles below');
    await form.getByRole('combobox', { name: 'Roles that may read' }).click();
    await owner.page.getByRole('option', { name: 'ml_user', exact: true }).click();
    await owner.page.keyboard.press('Escape');
    await owner.press('Save', form);
    await owner.see(owner.dialog('Private'), 'ml_user');
    await openView(reader, platform, 'connections');
    await page.getByRole('link', { name: 'Private', exact: true }).waitFor();
  });

  it('reports a capability that was taken away meanwhile, keeps the input, and dims the button', async () => {
    await platform.createRole('connector', ['user'], ['edit_agent_connections']);
    await platform.createUser('connector', ['connector']);
    const visit = await site.visit('connector');
    const { page, open, dialog, fill, press, see } = walkOf(visit, platform);
    await open('connections?new=1');
    const form = dialog('New MCP connection');
    await fill(form, { Name: 'Too late', Address: 'http://127.0.0.1:9/mcp' });
    const taken = await platform.admin('POST', '/services/authorization/roles/connector', { capabilities: [''] });
    expect(taken.status, taken.text.slice(0, 200)).to.equal(200);
    await press('Save', form);
    await see(form.getByRole('alert'), 'missing_capability');
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).to.equal('Too late');
    await press('Cancel', form);
    const button = page.getByRole('button', { name: 'New MCP connection' }).first();
    await eventually(() => isDimmed(button), 10_000, 'the button to be dimmed at once');
    expect(visit.complaints.errors).to.deep.equal([]);
    await visit.context.close();
  });

  it('does not read the features without end while they are refused', async () => {
    const visit = await site.visit('reader');
    let reads = 0;
    await visit.page.route(/ml_feature_flags/, (route) => {
      reads += 1;
      return route.fulfill({ status: 403, json: { error_code: 'missing_capability', message: 'You may not' } });
    });
    await openView(visit, platform, 'settings');
    await walkOf(visit, platform).see(visit.page.getByRole('alert').first(), 'missing_capability');
    await untilQuiet(visit.page);
    expect(reads, 'reads of the features').to.be.below(5);
    await visit.context.close();
  });
});

import { expect } from 'chai';
import { expectAccessible, openSite, openView, type Site, type Visit } from '../support/browser.ts';
import { connectCloud } from '../support/e2e/agentCloud.ts';
import type { TestPlatform } from '../support/e2e/platform.ts';
import { AgentCorePeer } from '../support/peers/agentCore.ts';
import { eventually } from '../support/time.ts';

const MODEL = { service: 'Local_Runtime', connection_name: 'desk', model: 'llama3.2' };

describe('the console: agents, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let cloud: AgentCorePeer;
  let admin: Visit;

  before(async function () {
    cloud = await AgentCorePeer.start();
    site = await openSite(this);
    ({ platform, admin } = site);
    await platform.createUser('reader', ['ml_user']);
    const make = async (path: string, body: object) =>
      expect((await platform.ml('admin', 'POST', path, body)).status).to.equal(200);
    await make('/aicommander', MODEL);
    await make('/mcp_connection', {
      ...{ name: 'Desk', type: 'PLATFORM', tools_allowed: ['search', 'delete'] },
      details: { url: 'http://127.0.0.1:9/mcp' },
    });
  });

  after(async () => {
    await site?.dispose();
    await cloud?.stop();
  });

  const stored = async (name: string) => (await platform.ml('admin', 'GET', `/agents/${name}`)).json.config;

  it('without a cloud an agent is kept as failed, says why, and is retried once there is one', async () => {
    const { page } = admin;
    await openView(admin, platform, 'agents?new=1');
    const dialog = page.getByRole('dialog', { name: 'New agent' });
    await dialog.getByLabel('Name', { exact: true }).fill('triage');
    await dialog.getByLabel('System prompt').fill('You are careful.');
    await dialog.getByLabel('Saved model').click();
    await page.getByRole('option', { name: /^llama3\.2/ }).click();
    await dialog.getByLabel('Add an MCP connection').click();
    await page.getByRole('option', { name: 'Desk' }).click();
    await dialog.getByRole('combobox', { name: 'Tools of Desk' }).click();
    await page.getByRole('option', { name: 'search' }).click();
    await page.keyboard.press('Escape');
    await expectAccessible(admin, 'the form of an agent');
    await dialog.getByRole('button', { name: 'Save' }).click();

    const panel = page.getByRole('dialog', { name: 'triage' });
    await panel.getByText('role_arn is not set').first().waitFor();
    await panel.getByText(/Correct the value named in the message\. Then retry it\./).waitFor();
    await panel.getByText('configuration_invalid').waitFor();
    const { llm, mcps, system_prompt } = await stored('triage');
    expect({ llm, mcps, system_prompt }).to.deep.equal({
      llm: MODEL,
      mcps: [{ name: 'Desk', tools: ['search'] }],
      system_prompt: 'You are careful.',
    });
    expect(new URL(page.url()).search).to.equal('?name=triage');
    await expectAccessible(admin, 'the panel of an agent');

    await connectCloud(platform, cloud.url);
    await panel.getByRole('button', { name: 'Retry' }).click();
    await panel.getByText('Available').first().waitFor();
    await page.getByRole('table', { name: 'agents' }).getByText('Available').waitFor();
    await panel.getByText('| agentstatus agent_name=triage action=create').waitFor();
  });

  it('an edit sends what was changed alone, and a model can be taken away', async () => {
    const { page } = admin;
    await openView(admin, platform, 'agents?name=triage');
    const before = await stored('triage');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit triage' });
    await dialog.getByLabel('Task prompt').fill('Explain <b>the alert</b>');
    await dialog.getByLabel('Saved model').click();
    await page.getByRole('option', { name: 'No model' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Explain <b>the alert</b>').waitFor();
    const { llm, task_prompt, mcps, system_prompt, version } = await stored('triage');
    expect({ llm, task_prompt }).to.deep.equal({ llm: undefined, task_prompt: 'Explain <b>the alert</b>' });
    expect({ mcps, system_prompt }).to.deep.equal({ mcps: before.mcps, system_prompt: before.system_prompt });
    expect(version).to.equal(before.version + 1);
  });

  it('a creation that takes long is seen from Creating to Failed, and from a retry to Available, without a reload', async () => {
    const { page } = admin;
    await openView(admin, platform, 'agents');
    await page.evaluate('globalThis.isSamePage = true');
    const { readsToReady } = cloud;
    cloud.readsToReady = 3;
    Object.assign(cloud, { becomes: 'CREATE_FAILED', failureReason: 'The image has no entry point' });
    await page.getByRole('button', { name: 'New agent' }).click();
    const dialog = page.getByRole('dialog', { name: 'New agent' });
    await dialog.getByLabel('Name', { exact: true }).fill('slow');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('table', { name: 'agents' }).getByRole('row').filter({ hasText: 'slow' });
    const panel = page.getByRole('dialog', { name: 'slow', exact: true });
    await row.getByText('Creating', { exact: true }).waitFor();
    await row.getByText('Failed', { exact: true }).waitFor();
    await row.getByText('The image has no entry point').waitFor();
    await panel.getByText(/Then retry it\./).waitFor();
    Object.assign(cloud, { readsToReady, becomes: 'READY', failureReason: undefined });
    await panel.getByRole('button', { name: 'Retry' }).click();
    await row.getByText('Available', { exact: true }).waitFor();
    await panel.getByText('Available').first().waitFor();
    expect(await panel.getByText('Remedy').count()).to.equal(0);
    const search = panel.getByRole('link', { name: /Open in Search/ });
    expect(await search.getAttribute('href')).to.equal(
      '/en-US/app/search/search?q=%7C%20agentstatus%20agent_name%3Dslow%20action%3Dcreate',
    );
    expect(await page.evaluate('globalThis.isSamePage')).to.equal(true);
    expect((await platform.ml('admin', 'DELETE', '/agents/slow')).status).to.equal(200);
    await page.getByRole('link', { name: 'slow', exact: true }).waitFor({ state: 'detached' });
  });

  it('an agent that is deleted is seen to go', async () => {
    const { page, complaints } = admin;
    cloud.readsToGone = 2;
    await openView(admin, platform, 'agents?name=triage');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Delete triage?' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click();
    await page.getByText('No agents yet').waitFor();
    expect(cloud.runtimes.size).to.equal(0);
    expect(complaints.errors).to.deep.equal([]);
    expect(complaints.strangers).to.deep.equal([]);
  });

  it('who may not change agents is told why', async () => {
    const reader = await site.visit('reader');
    await openView(reader, platform, 'agents');
    const button = reader.page.getByRole('button', { name: 'New agent' }).first();
    await eventually(async () => (await button.getAttribute('aria-disabled')) === 'true');
    await button.focus();
    await reader.page.getByText('You need the capability edit_agents').first().waitFor({ state: 'attached' });
    await reader.context.close();
  });
});

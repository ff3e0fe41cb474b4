import { expect } from 'chai';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import { connectCloud } from '../../support/e2e/agentCloud.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { AgentCorePeer } from '../../support/peers/aws/agentCore.ts';
import { expectAccessible, openSite, type Site, type Visit } from '../../support/programs/browser.ts';
import { containerDocument } from '../../support/records/container.ts';

const MODEL = { service: 'Local_Runtime', connection_name: 'desk', model: 'llama3.2' };

describe('the console: agents, in a browser', () => {
  let site: Site;
  let platform: TestPlatform;
  let cloud: AgentCorePeer;
  let admin: Visit;
  let walk: Walk;

  before(async function () {
    cloud = await AgentCorePeer.start();
    site = await openSite(this);
    ({ platform, admin } = site);
    walk = walkOf(admin, platform);
    await callAdmin(platform, 'POST', '/aicommander', MODEL);
    await callAdmin(platform, 'POST', '/mcp_connection', {
      ...{ name: 'Desk', type: 'PLATFORM', tools_allowed: ['search', 'delete'] },
      details: { url: 'http://127.0.0.1:9/mcp' },
    });
  });

  after(async () => {
    await site?.dispose();
    await cloud?.stop();
  });

  const stored = async (name: string) => (await callAdmin(platform, 'GET', `/agents/${name}`)).config;

  it('keeps an agent that has no cloud as failed with the reason, and retries it once there is one', async () => {
    const { page } = walk;
    const form = await walk.openForm('agents', 'agent');
    await walk.fill(form, { Name: 'triage', 'System prompt': 'You are careful.' });
    await form.getByLabel('Saved model').click();
    await page.getByRole('option', { name: /^llama3\.2/ }).click();
    await form.getByLabel('Add an MCP connection').click();
    await page.getByRole('option', { name: 'Desk' }).click();
    await form.getByRole('combobox', { name: 'Tools of Desk' }).click();
    await page.getByRole('option', { name: 'search' }).click();
    await page.keyboard.press('Escape');
    await expectAccessible(admin, 'the form of an agent');
    await walk.press('Save', form);

    const panel = walk.dialog('triage');
    const remedy = /Correct the value named in the message\. Then retry it\./;
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await walk.see(panel, 'role_arn is not set', remedy, 'configuration_invalid');
    const { llm, mcps, system_prompt } = await stored('triage');
    expect({ llm, mcps, system_prompt }).to.deep.equal({
      llm: MODEL,
      mcps: [{ name: 'Desk', tools: ['search'] }],
      system_prompt: 'You are careful.',
    });
    expect(new URL(page.url()).search).to.equal('?name=triage');
    await expectAccessible(admin, 'the panel of an agent');

    await walk.open('overview');
    const concern = page.getByRole('table', { name: 'Needs attention' }).getByRole('row').filter({ hasText: 'triage' });
    await walk.see(concern, 'role_arn is not set', remedy, 'configuration_invalid');
    expect(
      calls.filter((path) => path.endsWith('/status')),
      'the record has the remedy',
    ).to.deep.equal([]);
    await walk.open('agents?name=triage');

    await connectCloud(platform, cloud.url);
    await walk.press('Retry', panel);
    await walk.see(panel, 'Available', '| agentstatus agent_name=triage action=create');
    await walk.see(page.getByRole('table', { name: 'agents' }), 'Available');
  });

  it('takes the model away from an agent, and shows markup as text', async () => {
    await walk.open('agents?name=triage');
    const form = await walk.edit('triage');
    await walk.fill(form, { 'Task prompt': 'Explain <b>the alert</b>' });
    await form.getByLabel('Saved model').click();
    await walk.page.getByRole('option', { name: 'No model' }).click();
    await walk.press('Save', form);
    await form.waitFor({ state: 'detached' });
    await walk.see(walk.page, 'Explain <b>the alert</b>');
    const { llm, mcps } = await stored('triage');
    expect({ llm, mcps }).to.deep.equal({ llm: undefined, mcps: [{ name: 'Desk', tools: ['search'] }] });
  });

  it('shows a slow creation from Creating to Failed, and from a retry to Available, without a reload', async () => {
    const { page } = walk;
    await walk.open('agents');
    await page.evaluate('globalThis.isSamePage = true');
    const { readsToReady } = cloud;
    cloud.readsToReady = 3;
    Object.assign(cloud, { becomes: 'CREATE_FAILED', failureReason: 'The image has no entry point' });
    await walk.press('New agent');
    const form = walk.dialog('New agent');
    await walk.fill(form, { Name: 'slow' });
    await walk.press('Save', form);
    const row = page.getByRole('table', { name: 'agents' }).getByRole('row').filter({ hasText: 'slow' });
    const panel = walk.dialog('slow');
    await walk.see(row, /^Creating$/, /^Failed$/, 'The image has no entry point');
    await walk.see(panel, /Then retry it\./);
    Object.assign(cloud, { readsToReady, becomes: 'READY', failureReason: undefined });
    await walk.press('Retry', panel);
    await walk.see(row, /^Available$/);
    await walk.see(panel, 'Available');
    expect(await panel.getByText('Remedy').count()).to.equal(0);
    const search = panel.getByRole('link', { name: /Open in Search/ });
    expect(await search.getAttribute('href')).to.equal(
      '/en-US/app/search/search?q=%7C%20agentstatus%20agent_name%3Dslow%20action%3Dcreate',
    );
    expect(await page.evaluate('globalThis.isSamePage')).to.equal(true);
    await callAdmin(platform, 'DELETE', '/agents/slow');
    await page.getByRole('link', { name: 'slow', exact: true }).waitFor({ state: 'detached' });
  });

  it('creates agents without a cloud, with an alias, limits and tools or none, and deletes them at once', async () => {
    const { page } = walk;
    await callAdmin(platform, 'POST', '/model_aliases', { name: 'fast', targets: [MODEL] });
    await platform.putDocument('ml_containers', containerDocument('answers'));
    const calls = cloud.calls.length;
    const form = await walk.openForm('agents', 'agent');
    await walk.fill(form, { Name: 'local', 'Max requests to the model': '7' });
    const choose = async (label: string, option: RegExp | string) => {
      await form.getByLabel(label, { exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Runtime', 'Container');
    await walk.fill(form, { Container: 'answers' });
    await choose('Saved model', 'fast (alias)');
    await choose('Tool calls to approve', 'All');
    await choose('Add an MCP connection', 'Desk');
    await form.getByRole('checkbox', { name: 'No tools of Desk' }).check();
    await expectAccessible(admin, 'the form of an agent in a container');
    await walk.press('Save', form);
    const panel = walk.dialog('local');
    await walk.see(panel, 'Available', 'fast', 'answers', 'no tools', '7');
    expect(await panel.getByText('Last action').count()).to.equal(0);
    const { llm, mcps, runtime, max_steps, approve_tools } = await stored('local');
    expect({ llm, mcps, runtime, max_steps, approve_tools }).to.deep.equal({
      llm: { model: 'fast' },
      mcps: [{ name: 'Desk', tools: [] }],
      runtime: { container: 'answers' },
      max_steps: 7,
      approve_tools: 'always',
    });

    const edit = await walk.edit('local');
    await walk.fill(edit, { Container: 'other' });
    await edit.getByRole('checkbox', { name: 'No tools of Desk' }).uncheck();
    await edit.getByLabel('Saved model').click();
    await page.getByRole('option', { name: /^llama3\.2/ }).click();
    await walk.press('Save', edit);
    await walk.see(edit, /there is no container other: start it first/);
    await platform.putDocument('ml_containers', containerDocument('other'));
    await walk.press('Save', edit);
    await edit.waitFor({ state: 'detached' });
    const changed = await stored('local');
    expect([changed.llm, changed.mcps, changed.runtime]).to.deep.equal([
      MODEL,
      [{ name: 'Desk' }],
      { container: 'other' },
    ]);
    await walk.press('Delete');
    await walk.press('Delete', walk.dialog('Delete local?'));
    await page.getByRole('link', { name: 'local', exact: true }).waitFor({ state: 'detached' });
    expect(cloud.calls.length).to.equal(calls);
    await callAdmin(platform, 'DELETE', '/model_aliases/fast');
  });

  it('removes a deleted agent from the list once its runtime is gone', async () => {
    cloud.readsToGone = 2;
    await walk.open('agents?name=triage');
    await walk.press('Delete');
    await walk.press('Delete', walk.dialog('Delete triage?'));
    await walk.see(walk.page, 'No agents yet');
    expect(cloud.runtimes.size).to.equal(0);
    expectNoComplaints(admin);
  });
});

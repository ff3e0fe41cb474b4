import { expect } from 'chai';
import { callAdmin, expectNoComplaints } from '../../support/console/walk.ts';
import { type ModernPeer, startModern } from '../../support/peers/mcp/modern.ts';
import { expectAccessible, openSite, openView, type Site, untilQuiet } from '../../support/programs/browser.ts';

const READ = {
  name: 'read',
  description: 'Reads a page',
  inputSchema: { type: 'object', properties: { id: { $ref: '#/$defs/id' } }, $defs: { id: { type: 'string' } } },
};
const FIND = { name: 'find', description: 'Finds pages' };
const CHANGED = { ...READ, description: 'Reads any page', inputSchema: { ...READ.inputSchema, required: ['id'] } };
const WRITE = { name: 'write', description: 'Writes\u200b a page', annotations: { destructiveHint: true } };
const ACL = { sharing: 'app', perms: { read: ['*'], write: [] } };

describe('the console: acceptance of the tools of an MCP server, in a browser', () => {
  let site: Site;
  let peer: ModernPeer;

  before(async function () {
    site = await openSite(this);
    peer = await startModern({ tools: [READ, FIND] });
    const details = { url: peer.url };
    await callAdmin(site.platform, 'POST', '/mcp_connection', { name: 'Pages', type: 'PLATFORM', details, acl: ACL });
    await callAdmin(site.platform, 'POST', '/mcp_connection/tools', { name: 'Pages' });
    peer.setTools([CHANGED, FIND, WRITE]);
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  const toolsOf = (page: Site['admin']['page']) =>
    page.getByRole('dialog', { name: 'Pages', exact: true }).getByRole('region', { name: 'Tools', exact: true });
  const marks = async () => {
    const { data } = await callAdmin(site.platform, 'POST', '/mcp_connection/tools', { name: 'Pages' });
    return data.tools.map(({ name, accepted }: Record<string, unknown>) => [name, accepted]);
  };

  it('shows what has changed, line by line, and characters that hide text', async () => {
    const { admin, platform } = site;
    await openView(admin, platform, 'connections?name=Pages');
    const tools = toolsOf(admin.page);
    await tools.getByRole('button', { name: 'List tools', exact: true }).click();
    await tools.getByText('2 tools wait for acceptance.').waitFor();
    const lines = async (part: string) =>
      (await tools.getByRole('region', { name: part, exact: true }).locator(':scope > div').allTextContents()).sort();
    expect(await lines('Description of read')).to.deep.equal(['+ added: Reads any page', '- removed: Reads a page']);
    expect((await lines('Input schema of read')).filter((line) => /^[+-]/.test(line))).to.deep.equal(
      ['+ added:   "required": [', '+ added:   ],', '+ added:     "id"'].sort(),
    );
    await tools.getByText('Writes[U+200B] a page').first().waitFor();
    await tools.getByText('hidden characters', { exact: true }).waitFor();
    await tools.getByRole('button', { name: 'Definition of write' }).click();
    expect(await lines('Annotations of write')).to.include('+ added:   "destructiveHint": true');
    expect(await tools.getByRole('button', { name: 'Accept find' }).count(), 'an accepted tool').to.equal(0);
    await expectAccessible(admin, 'tools that wait for acceptance');
  });

  it('accepts one by keyboard, and keeps the focus in the panel', async () => {
    const { page } = site.admin;
    const tools = toolsOf(page);
    await tools.getByRole('button', { name: 'Accept read', exact: true }).focus();
    await page.keyboard.press('Enter');
    await tools.getByText('1 of 3 tools still need to be accepted.', { exact: true }).waitFor();
    await tools.getByText('1 tool waits for acceptance.').waitFor();
    expect(await tools.getByRole('button', { name: 'Accept read' }).count()).to.equal(0);
    expect(await tools.evaluate((element) => element.contains(document.activeElement)), 'focus').to.equal(true);
    expect(await marks()).to.deep.equal([
      ['read', true],
      ['find', true],
      ['write', false],
    ]);
  });

  it('does not accept what the server has changed since it was shown', async () => {
    const tools = toolsOf(site.admin.page);
    peer.setTools([CHANGED, FIND, { ...WRITE, description: 'Writes whatever it likes' }]);
    await tools.getByRole('button', { name: 'Accept all tools', exact: true }).click();
    await tools.getByText('write is not accepted: the server has changed it').waitFor();
    await tools.getByText('1 tool waits for acceptance.').waitFor();
    await tools.getByRole('button', { name: 'List tools again', exact: true }).click();
    await tools.getByText('Writes whatever it likes').first().waitFor();
    await tools.getByRole('button', { name: 'Accept all tools', exact: true }).click();
    await tools.getByText('All tools are accepted.', { exact: true }).waitFor();
    expect((await marks()).every(([, accepted]: [string, boolean]) => accepted)).to.equal(true);
    // The version that the acceptance raised is the one that the next save sends.
    await tools.getByRole('checkbox', { name: 'Allow write' }).click();
    await untilQuiet(site.admin.page);
    await tools.getByRole('button', { name: 'Save allowed tools' }).click();
    await untilQuiet(site.admin.page);
    const { config } = await callAdmin(site.platform, 'GET', '/mcp_connection/Pages');
    expect(config.tools_allowed).to.deep.equal(['read', 'find']);
    expectNoComplaints(site.admin);
  });

  it('is named on the overview, and refused to those who may only read', async () => {
    const { admin, platform } = site;
    peer.setTools([CHANGED, FIND, WRITE]);
    expect((await marks())[2]).to.deep.equal(['write', false]);
    await openView(admin, platform, 'overview');
    const row = admin.page
      .getByRole('table', { name: 'Needs attention' })
      .getByRole('row')
      .filter({ hasText: 'Pages' });
    await row.getByText('tools not accepted', { exact: true }).waitFor();
    await row.getByText('Tools that wait for acceptance: write.').waitFor();

    await platform.createUser('second', ['ml_admin']);
    const visit = await site.visit('second');
    await openView(visit, platform, 'connections?name=Pages');
    const tools = toolsOf(visit.page);
    await tools.getByRole('button', { name: 'List tools', exact: true }).click();
    const button = tools.getByRole('button', { name: 'Accept write', exact: true });
    expect(await button.getAttribute('aria-disabled')).to.equal('true');
    await visit.context.close();
  });
});

import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { completionOf, MOUNT, toolCallsOf } from '../../e2e/gateway/gatewayPlatform.ts';
import { callAdmin, expectNoComplaints, turnTab, type Walk, walkOf } from '../../support/console/walk.ts';
import { expectStatus, type TestPlatform } from '../../support/e2e/platform.ts';
import { type Asked, type ScriptedProvider, startProvider } from '../../support/peers/llm.ts';
import { rpcResult, type ScriptedPeer, startAnswering } from '../../support/peers/mcp/scripted.ts';
import { expectAccessible, openSite, type Site } from '../../support/programs/browser.ts';
import { eventually } from '../../support/time.ts';

const HOSTILE = '</pre><img src=x onerror="document.title=1"><b>bold</b> \u202eltr';
const DESCRIPTION = 'Restarts a host <script>alert(1)</script>';
const ACL = { sharing: 'app', perms: { read: ['*'], write: ['ml_admin'] } };
const schema = { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] };
const TOOLS = [
  { name: 'restart', description: DESCRIPTION, inputSchema: schema, annotations: { destructiveHint: true } },
  { name: 'look', description: 'Looks at a host', inputSchema: schema, annotations: { readOnlyHint: true } },
];
const AGENT = { name: 'helper', acl: ACL, runtime_type: 'BUILT_IN', llm: { model: 'up/m' }, mcps: [{ name: 'Desk' }] };

interface Message {
  role: string;
  content: string;
}

/** The model calls the tools that the question names, and then repeats their results. */
function answerTo({ messages }: { messages: Message[] }) {
  const last = messages.at(-1);
  const results = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  if (last?.role === 'tool') {
    return completionOf(
      `it said ${results
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content)
        .join()}`,
    );
  }
  const names = [...(last?.content ?? '').matchAll(/restart|look/g)].map(([name]) => `Desk__${name}`);
  if (names.length === 0) return completionOf(`answer to ${last?.content}`);
  const args = { host: last?.content.includes('hostile') ? HOSTILE : 'web1' };
  return toolCallsOf(names.map((name) => [name, args]));
}

describe('the console: runs of agents, in a browser', function () {
  this.timeout(180_000);
  let site: Site;
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let server: ScriptedPeer;
  let walk: Walk;
  let page: Page;
  /** Answers of the model that are held back. */
  let gate: Promise<void> | undefined;
  const called: unknown[] = [];

  before(async function () {
    provider = await startProvider(async ({ body }: Asked) => {
      await gate;
      return { status: 200, body: answerTo(body as never) };
    });
    server = await startAnswering(
      'tools/call',
      (response: ServerResponse, message) => {
        called.push(message.params?.arguments);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(rpcResult(message, { content: [{ type: 'text', text: `done ${HOSTILE}` }] })));
      },
      TOOLS,
    );
    site = await openSite(this);
    ({ platform } = site);
    await platform.createUser('bob', ['ml_admin']);
    await platform.createUser('guest', ['user']);
    const servicesettings = { endpoint: { value: `${provider.url}/v1` }, access_token: { value: 'sk-of-a-test' } };
    const model = { service: 'General_Chat', connection_name: 'up', model: 'm', servicesettings };
    await callAdmin(platform, 'POST', '/aicommander', model);
    const details = { url: server.url };
    await callAdmin(platform, 'POST', '/mcp_connection', { name: 'Desk', type: 'PLATFORM', details, acl: ACL });
    await callAdmin(platform, 'POST', '/agents', AGENT);
    walk = walkOf(site.admin, platform);
    page = walk.page;
  });

  after(async () => {
    await site?.dispose();
    await Promise.all([provider?.close(), server?.close()]);
  });

  beforeEach(() => {
    called.length = 0;
    gate = undefined;
  });

  /** Holds back the answers of the model. @returns lets them go */
  function holdModel(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  }

  const panel = () => walk.dialog('Run of helper');
  const runs = (method: string, path: string, body?: object, user = 'admin') =>
    platform.call(user, method, `${MOUNT}/runs${path}`, body);
  async function start(input: string | object, more: object = {}, user = 'admin'): Promise<string> {
    const reply = await runs('POST', '', { agent: 'helper', input, wait_s: 25, ...more }, user);
    expectStatus(reply, 200, 'a run');
    return reply.json.run_id;
  }
  const openRun = (id: string) => walk.open(`agents?tab=runs&name=${id}`);
  const openId = () => new URL(page.url()).searchParams.get('name') ?? '';
  const step = (index: number, where: Locator = panel()) =>
    where.getByRole('listitem', { name: `Step ${index}`, exact: true });

  it('start from the panel of an agent, are followed while they go on, and show where the time went', async () => {
    const release = holdModel();
    await walk.open('agents?name=helper');
    await walk.press('Run', walk.dialog('helper'));
    const form = walk.dialog('Run helper');
    await walk.press('Run', form);
    await walk.see(form, 'Input is required');
    await expectAccessible(site.admin, 'the form of a run');
    await page.reload();
    await walk.fill(form, { Input: 'look at web1', Session: 'desk 7' });
    await walk.press('Run', form);
    await walk.see(panel(), 'The run is under way. This page follows it.', 'desk 7');
    expect(new URL(page.url()).searchParams.get('tab')).to.equal('runs');
    await walk.see(step(0), 'running');
    await page.evaluate('globalThis.isSamePage = true');
    release();
    await walk.see(panel(), /^succeeded$/);
    expect(await page.evaluate('globalThis.isSamePage')).to.equal(true);
    await walk.see(step(0), 'Model up/m', 'done', /7 tokens in, 2 out/);
    await walk.see(step(1), 'Tool Desk__look', 'done', /^after .*, took /);
    await walk.see(panel().getByRole('figure', { name: 'Where the time went' }), /^\s*Model /, /^\s*Tool /);
    await walk.see(page.getByRole('table', { name: 'runs' }), 'succeeded');
    await expectAccessible(site.admin, 'the panel of a run');
    expect(await runs('GET', `/${openId()}`).then(({ json }) => json.config.session_id)).to.equal('desk 7');
  });

  it('unfold input and output of a step as text, which the address keeps', async () => {
    await openRun(await start('hostile look'));
    await walk.press('Input and output of step 1', step(1));
    const shown = async (name: string) => step(1).getByRole('region', { name }).textContent();
    expect(JSON.parse((await shown('Input of step 1')) ?? '').host).to.equal(HOSTILE.replace('\u202e', '[U+202E]'));
    expect(await shown('Output of step 1')).to.contain('<b>bold</b> [U+202E]ltr');
    expect(new URL(page.url()).searchParams.get('step')).to.equal('1');
    await page.reload();
    await step(1).getByRole('region', { name: 'Output of step 1' }).waitFor();
    expect(await page.title()).to.not.equal('1');
    expect(await page.locator('img, b').count()).to.equal(0);
    await walk.press('Close', panel());
    expect(new URL(page.url()).search).to.equal('?tab=runs');
  });

  it('are listed newest first, with filters in the address', async () => {
    await start('hello of bob', {}, 'bob');
    await walk.open('agents?tab=runs&user=bob');
    const table = page.getByRole('table', { name: 'runs' });
    await walk.see(table, 'hello of bob');
    const users = async () => table.locator('tbody tr td:nth-child(4)').allTextContents();
    expect(await users()).to.deep.equal(['bob']);
    await page.getByLabel('User', { exact: true }).fill('');
    await eventually(async () => (await users()).length > 1, 20_000, 'the runs of all');
    expect((await users())[0]).to.equal('bob');
    await page.getByLabel(/^State:/).click();
    await page.getByRole('option', { name: 'cancelled' }).click();
    await walk.see(page, 'No runs match');
    expect(new URL(page.url()).search).to.equal('?tab=runs&state=cancelled');
    await walk.open('agents?name=helper');
    await walk.dialog('helper').getByRole('link', { name: 'Runs of helper' }).click();
    await walk.see(page.getByRole('table', { name: 'runs' }), 'hello of bob');
  });

  it('show a call that waits on the Overview with what its server says, and approve it by keyboard', async () => {
    const id = await start('restart it');
    await walk.open('overview');
    const section = page.getByRole('region', { name: 'Waiting for approval' });
    await walk.see(section, 'Desk__restart', /Its server says: may destroy\. Its description:/);
    await walk.see(section, 'Restarts a host <script>alert(1)</script>');
    await walk.see(section.getByRole('region', { name: 'Arguments of Desk__restart' }), /"host": "web1"/);
    await expectAccessible(site.admin, 'a call that waits');
    await section.getByRole('button', { name: 'Approve Desk__restart' }).focus();
    await page.keyboard.press('Enter');
    await walk.see(section, 'You have approved the call of Desk__restart.', 'Nothing waits for you.');
    const focused = await page.evaluate('document.activeElement.textContent');
    expect(focused).to.match(/You have approved the call of Desk__restart\.$/);
    await eventually(
      async () => (await runs('GET', `/${id}`)).json.state === 'succeeded',
      30_000,
      'the end of the run',
    );
    expect(called).to.deep.equal([{ host: 'web1' }]);
  });

  it('approve with other arguments, give a result instead, and reject with a comment', async () => {
    const id = await start('restart and restart and restart');
    await openRun(id);
    await walk.see(step(3), 'waits for approval');
    await walk.press('Change the arguments, or give a result instead', step(1));
    const args = step(1).getByLabel('Arguments', { exact: true });
    await args.fill('["web2"]');
    await walk.press('Approve Desk__restart', step(1));
    await walk.see(step(1), 'The arguments must be a JSON object');
    await args.fill('{"place": "web2"}');
    await walk.press('Approve Desk__restart', step(1));
    await walk.see(step(1), 'validation_failed');
    await args.fill('{"host": "web2"}');
    await step(1).getByLabel('Result', { exact: true }).fill('no');
    await walk.press('Approve Desk__restart', step(1));
    await walk.see(step(1), /Give either other arguments or a result/);
    await step(1).getByLabel('Result', { exact: true }).fill('');
    await expectAccessible(site.admin, 'a decision');
    await walk.press('Approve Desk__restart', step(1));
    await walk.see(panel(), 'You have approved the call of Desk__restart.');

    await step(3).getByLabel('Comment', { exact: true }).fill('not on a Friday');
    await walk.press('Change the arguments, or give a result instead', step(2));
    await step(2).getByLabel('Result', { exact: true }).fill('restarted by hand');
    await walk.press('Approve Desk__restart', step(2));
    await step(2).getByRole('group').waitFor({ state: 'detached' });
    expect(await step(3).getByLabel('Comment', { exact: true }).inputValue(), 'input beside a decision').to.equal(
      'not on a Friday',
    );
    await walk.press('Reject Desk__restart', step(3));
    await walk.see(panel(), 'You have rejected the call of Desk__restart.', /^succeeded$/);
    await walk.see(step(3), 'rejected', /decided by admin/);
    expect(called).to.deep.equal([{ host: 'web2' }]);
    await walk.see(panel(), /it said .*restarted by hand,rejected: A person refused this call: not on a Friday/);
  });

  it('go on by Continue where no search takes the steps', async () => {
    const id = await start('restart by hand', { worker: 'caller', wait_s: 0 });
    await openRun(id);
    await walk.press('Continue', panel());
    await walk.see(step(1), 'waits for approval');
    await panel().getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' });
    await walk.press('Approve Desk__restart', step(1));
    await walk.see(panel(), /press Continue: no search takes its steps\.$/);
    await walk.press('Continue', panel());
    await walk.see(panel(), /^succeeded$/);
    expect(called).to.deep.equal([{ host: 'web1' }]);
  });

  it('say who has decided meanwhile, and show the run as it is', async () => {
    const [first, second] = [await start('restart first'), await start('restart second')];
    await openRun(first);
    await walk.see(step(1), 'waits for approval');
    await page.route('**/runs/*', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
    expectStatus(await runs('POST', `/${first}/approve`, { step: 1, decision: 'reject' }, 'bob'), 200, 'a decision');
    await eventually(async () => (await runs('GET', `/${first}`)).json.state === 'succeeded', 30_000, 'the end');
    await page.unroute('**/runs/*');
    await walk.press('Approve Desk__restart', step(1));
    await walk.see(panel(), /bob has decided about the call of Desk__restart already. It is rejected./, /^succeeded$/);
    expect(called).to.deep.equal([]);

    await walk.open('overview');
    const waits = page.getByRole('region', { name: 'Waiting for approval' });
    await waits.getByRole('button', { name: 'Reject Desk__restart' }).waitFor();
    await page.route('**/ai_gateway/runs?*', (route) => route.abort());
    expectStatus(await runs('POST', `/${second}/cancel`, {}, 'bob'), 200, 'a cancellation');
    await page.unroute('**/ai_gateway/runs?*');
    await walk.press('Reject Desk__restart', waits);
    await walk.see(waits, 'Your decision was not taken: the run is cancelled.', 'Nothing waits for you.');
  });

  it('are cancelled, and run again with the same input', async () => {
    const release = holdModel();
    const id = await start({ question: 'restart', hosts: ['a'] }, { wait_s: 0, session_id: 'again' });
    await openRun(id);
    await walk.see(step(0), 'running');
    await walk.press('Cancel', panel());
    await eventually(
      async () =>
        (await panel().getByText('It ends with the step that is under way.').count()) > 0 ||
        (await panel()
          .getByText(/^cancelled$/)
          .count()) > 0,
      20_000,
      'the cancellation',
    );
    release();
    gate = undefined;
    await walk.see(panel(), /^cancelled$/);
    expect(await panel().getByRole('button', { name: 'Cancel', exact: true }).count()).to.equal(0);
    await walk.press('Run again', panel());
    const form = walk.dialog('Run helper again');
    expect(JSON.parse(await form.getByLabel('Input', { exact: true }).inputValue())).to.deep.equal({
      question: 'restart',
      hosts: ['a'],
    });
    await form.getByLabel('Input', { exact: true }).fill('{"question": "hello"');
    await walk.press('Run', form);
    await walk.see(form, /The input is not a JSON object/);
    await form.getByLabel('Input', { exact: true }).fill('{"question": "hello"}');
    await walk.press('Run', form);
    await form.waitFor({ state: 'detached' });
    await walk.see(panel(), /^succeeded$/);
    expect(openId()).to.not.equal(id);
    const { input, session_id } = (await runs('GET', `/${openId()}`)).json.config;
    expect([input, session_id]).to.deep.equal([{ question: 'hello' }, 'again']);
  });

  it('stop asking when the tab is hidden or the panel is closed, and go on after a lost network', async () => {
    const release = holdModel();
    const id = await start('look twice', { wait_s: 0 });
    const asked: string[] = [];
    const note = (request: { url(): string }) => {
      if (request.url().includes(`/runs/${id}`)) asked.push(request.url());
    };
    await openRun(id);
    page.on('request', note);
    const more = async () => {
      const before = asked.length;
      await eventually(() => asked.length > before + 1, 20_000, 'reads of the run');
    };
    await more();
    expect(new URL(asked.at(-1) ?? '').searchParams.get('wait_s'), asked.at(-1)).to.equal('2');
    await page.context().setOffline(true);
    await walk.see(page, /The server could not be reached/);
    await walk.see(step(0), 'running');
    await page.context().setOffline(false);
    await walk.press('Retry now');
    await more();
    await turnTab(page, 'hidden');
    await expectSilence(asked);
    await turnTab(page, 'visible');
    await more();
    await walk.press('Close', panel());
    await expectSilence(asked);
    release();
    page.off('request', note);
    await openRun(id);
    await walk.see(panel(), /^succeeded$/);
  });

  it('are not started or listed by those who lack the right, who see why', async () => {
    const visit = await site.visit('guest');
    const own = walkOf(visit, platform);
    await own.open('agents?name=helper');
    const button = own.dialog('helper').getByRole('button', { name: 'Run', exact: true });
    await button.hover();
    await own.see(own.page, /You need the capabilit/);
    await own.open('agents?tab=runs');
    await own.see(own.page, /to run agents\.$/);
    await own.open('overview');
    await own.see(own.page, 'Counts');
    expect(visit.complaints.refused).to.deep.equal([]);
    await visit.context.close();
    expectNoComplaints({
      ...site.admin,
      complaints: {
        ...site.admin.complaints,
        errors: site.admin.complaints.errors.filter((error) => !/Failed to fetch|ERR_/.test(error)),
      },
    });
  });

  it('fit a narrow window in both themes', async () => {
    const id = await start('hostile restart and look');
    for (const theme of ['light', 'dark'] as const) {
      const visit = await site.visit('admin', { viewport: { width: 320, height: 640 } });
      const own = walkOf(visit, platform);
      const other = own.page.getByRole('button', { name: `Switch to ${theme} theme` });
      if (await other.isVisible()) await Promise.all([own.page.waitForEvent('load'), other.click()]);
      for (const view of ['overview', 'agents?tab=runs', `agents?tab=runs&name=${id}`]) {
        await own.open(view);
        await own.see(own.page, view === 'agents?tab=runs' ? 'hostile restart and look' : 'Desk__restart');
        await expectAccessible(visit, `${view}, ${theme}, narrow`);
        const beyond = 'document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth';
        expect(await own.page.evaluate(beyond), `pixels of ${view} beyond the window`).to.equal(0);
      }
      await visit.context.close();
    }
    expectStatus(await runs('POST', `/${id}/cancel`, {}), 200, 'a cancellation');
  });
});

/** Of a page that polls every three seconds at the latest. */
async function expectSilence(asked: readonly string[]): Promise<void> {
  let before = -1;
  let since = performance.now();
  const isSilent = () => {
    if (asked.length !== before) [before, since] = [asked.length, performance.now()];
    return performance.now() - since > 4000;
  };
  await eventually(isSilent, 20_000, 'no more reads of the run');
}

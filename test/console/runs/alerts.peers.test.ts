import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { completionOf, MOUNT } from '../../e2e/gateway/gatewayPlatform.ts';
import { callAdmin, expectNoComplaints, type Walk, walkOf } from '../../support/console/walk.ts';
import { expectStatus, type TestPlatform } from '../../support/e2e/platform.ts';
import { type ScriptedProvider, startProvider } from '../../support/peers/llm.ts';
import { expectAccessible, openSite, type Site } from '../../support/programs/browser.ts';

const CONFS = '/servicesNS/nobody/ml_extension/configs/conf-savedsearches';
const NAME = 'Full <b>disks</b>';
const SAVED_SEARCHES = '**/servicesNS/-/-/saved/searches?*';
const SID = 'scheduler__admin__search__RMD5aa_at_1790000000_7';
const ALERT = { kind: 'alert', search_name: NAME, sid: SID, result_id: '3', app: 'search' };
const PLACE = { index: 'summary', sourcetype: 'ml_extension:answer', written: true };

describe('the console: alerts that start agents, in a browser', function () {
  this.timeout(120_000);
  let site: Site;
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let walk: Walk;
  let page: Page;
  let run_id: string;

  before(async function () {
    provider = await startProvider(async () => ({ status: 200, body: completionOf('it is full') }));
    site = await openSite(this);
    ({ platform } = site);
    const servicesettings = { endpoint: { value: `${provider.url}/v1` }, access_token: { value: 'sk-of-a-test' } };
    const model = { service: 'General_Chat', connection_name: 'up', model: 'm', servicesettings };
    await callAdmin(platform, 'POST', '/aicommander', model);
    for (const name of ['helper', 'other'])
      await callAdmin(platform, 'POST', '/agents', { name, runtime_type: 'BUILT_IN', llm: { model: 'up/m' } });
    const action = { actions: 'email, ml_agent', 'action.ml_agent': '1', 'action.ml_agent.param.agent': 'helper' };
    const schedule = { enableSched: '1', cron_schedule: '0 3 * * *' };
    for (const settings of [
      { name: NAME, ...action, ...schedule },
      { name: 'Old disks', ...action, ...schedule, disabled: '1' },
      { name: 'Disks on demand', ...action },
      { name: 'Disks by mail', ...action, ...schedule, actions: 'email', 'action.ml_agent': '0' },
    ])
      expectStatus(await platform.admin('POST', CONFS, { search: 'index=main', ...settings }), 201, settings.name);
    const started = await platform.call('admin', 'POST', `${MOUNT}/runs`, { agent: 'helper', input: 'x', wait_s: 25 });
    expectStatus(started, 200, 'a run');
    ({ run_id } = started.json);
    walk = walkOf(site.admin, platform);
    ({ page } = walk);
  });

  after(async () => {
    await site?.dispose();
    await provider?.close();
  });

  const region = (panel: Locator, name: string) => panel.getByRole('region', { name, exact: true });
  /** Links say beside their text that they open another window. */
  const href = (where: Locator, text: string) => where.getByRole('link').filter({ hasText: text }).getAttribute('href');

  it('are listed in the panel of the agent, with schedule, state and the page where they are changed', async () => {
    await walk.open('agents?name=helper');
    const alerts = region(walk.dialog('helper'), 'Alerts');
    const table = alerts.getByRole('table', { name: 'Alerts of helper' });
    await table.waitFor();
    const rows = await table.locator('tbody tr').allInnerTexts();
    const cells = (row: string) => row.replace(/\u2060?\s*\(Opens new window\)/, '').split(/\s*[\t\n]\s*/);
    expect(rows.map(cells)).to.deep.equal([
      ['Disks on demand', 'ml_extension', 'not scheduled', 'enabled'],
      [NAME, 'ml_extension', '0 3 * * *', 'enabled'],
      ['Old disks', 'ml_extension', '0 3 * * *', 'disabled'],
    ]);
    expect(await href(table, 'Old disks')).to.match(
      /^\/en-US\/app\/ml_extension\/alert\?s=%2FservicesNS%2Fnobody%2Fml_extension%2Fsaved%2Fsearches%2FOld%2520disks/,
    );
    await expectAccessible(site.admin, 'the panel of an agent with alerts');
    await walk.open('agents?name=other');
    await walk.see(walk.dialog('other'), 'No alert that you may see starts this agent.');
    expectNoComplaints(site.admin);
  });

  it('leave the rest of the panel as it is where they cannot be read, until they can', async () => {
    await page.route(SAVED_SEARCHES, (route) => route.fulfill({ status: 403, json: { messages: [] } }));
    await walk.open('agents?name=helper');
    const panel = walk.dialog('helper');
    const alerts = region(panel, 'Alerts');
    await walk.see(alerts, 'The platform answered 403');
    await walk.see(panel, 'up/m', 'Runs of helper');
    expect(await panel.getByRole('button', { name: 'Run', exact: true }).isEnabled()).to.equal(true);
    await page.unroute(SAVED_SEARCHES);
    await walk.press('Retry', alerts);
    await walk.see(alerts, NAME);
  });

  /** Shows all runs as one that such an alert has started. */
  async function showAs(origin: object): Promise<void> {
    await page.unroute('**/ai_gateway/runs**');
    await page.route('**/ai_gateway/runs**', async (route) => {
      const reply = await route.fetch();
      const json = await reply.json();
      for (const run of [json.config, ...(json.result ?? [])]) if (run) Object.assign(run, origin);
      await route.fulfill({ response: reply, json });
    });
  }

  async function openRun(): Promise<Locator> {
    await walk.open(`agents?tab=runs&name=${run_id}`);
    const panel = walk.dialog('Run of helper');
    await region(panel, 'Started by an alert').waitFor();
    return panel;
  }

  it('are shown with the runs that they started, and lead to their results and to the answer', async () => {
    await showAs({ source: ALERT, result: PLACE });
    const panel = await openRun();
    const alert = region(panel, 'Started by an alert');
    await walk.see(alert, NAME, 'Result id', '3');
    expect(await href(alert, NAME)).to.match(/^\/en-US\/app\/search\/alert\?s=%2FservicesNS%2Fadmin%2Fsearch%2F/);
    expect(await href(alert, `Search job ${SID}`)).to.equal(`/en-US/app/search/search?sid=${SID}`);
    const answer = region(panel, 'Answer in an index');
    await walk.see(answer, 'summary', 'ml_extension:answer', 'yes');
    const search = new URL((await href(answer, 'Open the event in Search')) ?? '', platform.web).searchParams.get('q');
    expect(search).to.match(
      new RegExp(`^index="summary" sourcetype="ml_extension:answer" run_id="${run_id}" earliest=\\d+$`),
    );
    await walk.see(page.getByRole('table', { name: 'runs' }), `by the alert ${NAME}`);
    await expectAccessible(site.admin, 'the panel of a run that an alert started');
  });

  it('are told from ad hoc searches, and why an answer is in no index', async () => {
    const { result_id: _none, ...once } = ALERT;
    const notAllowed = { ...PLACE, written: false, error_code: 'index_not_allowed' };
    await showAs({ source: { ...once, search_name: '' }, result: notAllowed });
    const panel = await openRun();
    const alert = region(panel, 'Started by an alert');
    await walk.see(alert, 'an ad hoc search', `Search job ${SID}`);
    expect(await alert.getByRole('link').count()).to.equal(1);
    const answer = region(panel, 'Answer in an index');
    await walk.see(answer, /^no\. The setting result_indexes of \[agents\] does not list the index summary\./);
    await walk.see(answer, 'index_not_allowed');
    expect(await answer.getByRole('link').count()).to.equal(0);
    await walk.see(page.getByRole('table', { name: 'runs' }), 'by an ad hoc search');

    await showAs({ source: ALERT, result: { ...PLACE, written: false } });
    await walk.see(
      region(await openRun(), 'Answer in an index'),
      /^not yet\. It is tried again when the run is read\.$/,
    );
    expectNoComplaints(site.admin);
  });
});

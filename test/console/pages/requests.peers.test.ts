import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { CONSOLE_VIEWS } from '../../../src/contract/consoleViews.ts';
import { callAdmin, walkOf } from '../../support/console/walk.ts';
import type { TestPlatform } from '../../support/e2e/platform.ts';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { openSite, openView, type Site, untilQuiet } from '../../support/programs/browser.ts';
import { dayBefore, putUsage, usageRow } from '../../support/records/usageSums.ts';
import { eventually } from '../../support/time.ts';

const SECRET = 'secret-of-the-cloud-4731';
/** The calls of every page: the user and the feature flags. */
const RIGHTS = ['GET current-context', 'GET ml_feature_flags'];
const ENGINES = ['GET container_connection/docker', 'GET container_connection/kubernetes'];

/** A view or panel: its table, and its calls besides `RIGHTS`. */
interface Look {
  table?: string;
  asks: readonly string[];
}

const VIEWS: Readonly<Record<string, Look>> = {
  overview: {
    table: 'Needs attention',
    asks: [
      'GET health',
      'GET connection_health',
      // The last 24 hours, and runs: those that wait, the newest, and those that failed.
      'GET usage',
      'GET /servicesNS/nobody/ml_extension/ai_gateway/runs',
      'GET /servicesNS/nobody/ml_extension/ai_gateway/runs',
      'GET /servicesNS/nobody/ml_extension/ai_gateway/runs',
      // The counts of each kind. Agents and containers also show their failures.
      'GET aicommander',
      'GET mcp_connection',
      ...ENGINES,
      'GET vector_stores',
      'GET container_data',
      'GET agents',
      'GET experiments',
      'GET list_models',
    ],
  },
  connections: { table: 'MCP connections', asks: ['GET mcp_connection'] },
  'connections?tab=llm': { table: 'LLM configurations', asks: ['GET aicommander', 'GET aicommander_metadata'] },
  'connections?tab=containers': { table: 'container connections', asks: ENGINES },
  'connections?tab=searches': { table: 'search tools', asks: ['GET search_tools'] },
  'connections?tab=masking': { table: 'masking policies', asks: ['GET masking_policies'] },
  'connections?tab=vectors': { table: 'vector stores', asks: ['GET vector_stores'] },
  containers: { table: 'containers', asks: ['GET container_data'] },
  agents: { table: 'agents', asks: ['GET agents'] },
  // The models that may be asked, and what they may use.
  playground: {
    asks: [
      'GET /servicesNS/nobody/ml_extension/ai_gateway/v1/models',
      ...['GET mcp_connection', 'GET vector_stores', 'GET search_tools'],
    ],
  },
  'playground?tab=tool': { asks: ['GET mcp_connection'] },
  'playground?tab=tool&from=splunk': { asks: ['GET search_tools'] },
  'playground?tab=retrieve': { asks: ['GET vector_stores'] },
  'playground?tab=predict': { asks: ['GET list_models'] },
  experiments: { table: 'experiments', asks: ['GET experiments'] },
  models: { table: 'models', asks: ['GET list_models'] },
  // The index of the search is a setting of the site.
  audit: {
    table: 'entries',
    asks: ['GET audit', 'GET /servicesNS/nobody/ml_extension/configs/conf-ml_extension/audit'],
  },
  // The sums of each day, and those of each model.
  usage: {
    table: 'Requests by model',
    asks: ['GET usage', 'GET usage', 'GET /servicesNS/nobody/ml_extension/configs/conf-ml_extension/gateway'],
  },
  'usage?tab=limits': { table: 'limits', asks: ['GET usage_limits/status', 'GET usage_limits'] },
  settings: { table: 'Features', asks: ['GET ctsm_feature'] },
  'settings?tab=images': { table: 'Container images', asks: ['GET stop_container'] },
  'settings?tab=move': { asks: [] },
  'settings?tab=api': { asks: [] },
};

/** Panels beside their tables. */
const panels = (experiment: string): Readonly<Record<string, Look>> => ({
  'connections?name=Desk': { asks: ['GET mcp_connection', 'GET mcp_connection/Desk'] },
  // The other models of the connection.
  'connections?tab=llm&name=Local_Runtime/desk/llama3.2': {
    asks: [
      'GET aicommander',
      'GET aicommander_metadata',
      'GET aicommander/Local_Runtime/desk/llama3.2',
      'GET aicommander',
    ],
  },
  'connections?tab=containers&name=docker/desk': { asks: [...ENGINES, 'GET container_connection/docker/desk'] },
  'connections?tab=searches&name=desk': { asks: ['GET search_tools', 'GET search_tools/desk'] },
  'connections?tab=masking&name=usual': { asks: ['GET masking_policies', 'GET masking_policies/usual'] },
  'connections?tab=vectors&name=Desk': { asks: ['GET vector_stores', 'GET vector_stores/Desk'] },
  'usage?tab=limits&name=daily': {
    asks: ['GET usage_limits/status', 'GET usage_limits', 'GET usage_limits/daily'],
  },
  'containers?name=churn': { asks: ['GET container_data'] },
  'agents?name=desk': { asks: ['GET agents', 'GET agents/desk', 'GET /servicesNS/-/-/saved/searches'] },
  // A page of the history, and the numbers of all of it for the lines.
  [`experiments?name=${experiment}`]: {
    asks: [
      'GET experiments',
      `GET experiments/${experiment}`,
      `GET experiments/${experiment}/history`,
      `GET experiments/${experiment}/history`,
    ],
  },
  'models?name=churn/cloud': { asks: ['GET list_models', 'GET register_model'] },
});

/** Disables polling, so that only the calls of opening and saving are counted. */
const WITHOUT_REPEATS = `{
  const real = window.setInterval;
  window.setInterval = (act, ms, ...more) => (ms >= 3000 ? 0 : real(act, ms, ...more));
}`;

describe('the console: calls of its pages', () => {
  let site: Site;
  let platform: TestPlatform;
  let peer: KeyedPeer;
  let page: Page;
  let experiment: string;
  let calls: string[];

  before(async function () {
    peer = await KeyedPeer.start();
    peer.working.add(SECRET);
    peer.aws.add(SECRET);
    site = await openSite(this);
    ({ platform } = site);
    await platform.setConf('aws', { endpoint_url: peer.url });
    ({ page } = site.admin);
    await page.addInitScript(WITHOUT_REPEATS);
    experiment = await fill(platform);
    calls = [];
    page.on('request', (request) => {
      const [, path] = request.url().split('/splunkd/__raw/');
      if (path === undefined) return;
      const { pathname } = new URL(path, 'http://x');
      const name = decodeURIComponent(pathname).replace(/^.*\/ml\/|^\/services\/\w+\//, '');
      calls.push(`${request.method()} ${name}`);
    });
  });

  after(async () => {
    await site?.dispose();
    await peer?.close();
  });

  async function expectCalls(expected: readonly string[], what: string): Promise<void> {
    await eventually(() => calls.length >= expected.length, 20_000, `${what} to have asked`).catch(() => undefined);
    await untilQuiet(page);
    expect([...calls].sort(), what).to.deep.equal([...expected].sort());
  }

  it('reads in each view what the view shows, once', async () => {
    const { complaints } = site.admin;
    expect(new Set(Object.keys(VIEWS).map((view) => view.split('?')[0]))).to.deep.equal(
      new Set(Object.keys(CONSOLE_VIEWS)),
    );
    complaints.refused.length = 0;
    const links = page.getByRole('navigation').getByRole('link');
    for (const label of Object.values(CONSOLE_VIEWS)) {
      await links.filter({ hasText: label }).first().click();
      await page.getByRole('heading', { level: 1, name: label }).waitFor();
    }
    for (const [view, { table, asks }] of Object.entries(VIEWS)) {
      calls.length = 0;
      await openView(site.admin, platform, view);
      if (table !== undefined) await page.getByRole('table', { name: table, exact: true }).waitFor();
      await expectCalls([...RIGHTS, ...asks], view);
    }
    for (const [view, { asks }] of Object.entries(panels(experiment))) {
      calls.length = 0;
      await openView(site.admin, platform, view);
      await page.getByRole('dialog').waitFor();
      await expectCalls([...RIGHTS, ...asks], view);
    }
    expect(complaints.errors).to.deep.equal([]);
    expect(complaints.strangers).to.deep.equal([]);
    expect(complaints.refused).to.deep.equal([]);
  });

  it('reads nothing for a form, and the list and the panel once after a save', async () => {
    const { dialog, press, fill } = walkOf(site.admin, platform);
    await openView(site.admin, platform, 'connections');
    await expectCallsOf('connections', async () => {
      await press('New MCP connection');
      await fill(dialog('New MCP connection'), { Name: 'Other', Address: 'http://127.0.0.1:9/mcp' });
    }, []);
    await expectCallsOf('a new one', async () => {
      await press('Save', dialog('New MCP connection'));
      await dialog('Other').getByRole('button', { name: 'Edit', exact: true }).waitFor();
    }, ['POST mcp_connection', 'GET mcp_connection', 'GET mcp_connection/Other']);
    await expectCallsOf('an edit', async () => {
      await press('Edit', dialog('Other'));
      await dialog('Edit Other').getByLabel('Description').fill('changed');
      await press('Save', dialog('Edit Other'));
      await dialog('Other').getByText('changed', { exact: true }).waitFor();
    }, ['PUT mcp_connection', 'GET mcp_connection', 'GET mcp_connection/Other']);
    await expectCallsOf('a deletion', async () => {
      await press('Delete', dialog('Other'));
      await press('Delete', dialog('Delete Other?'));
      await dialog('Other').waitFor({ state: 'detached' });
    }, ['DELETE mcp_connection/Other', 'GET mcp_connection']);
    await openView(site.admin, platform, 'models?name=churn/cloud');
    await expectCallsOf('a registration', async () => {
      await press('Edit', dialog('churn'));
      await dialog('Edit churn').getByLabel('SageMaker endpoint').fill('other');
      await press('Save', dialog('Edit churn'));
      await dialog('churn').getByText('other', { exact: true }).first().waitFor();
    }, ['PUT register_model', 'GET list_models', 'GET register_model']);
  });

  async function expectCallsOf(what: string, act: () => Promise<void>, expected: readonly string[]): Promise<void> {
    await untilQuiet(page);
    calls.length = 0;
    await act();
    await expectCalls(expected, what);
  }
});

/** One record of each kind. @returns the id of the experiment */
async function fill(platform: TestPlatform): Promise<string> {
  const make = (path: string, body: object, status?: number) => callAdmin(platform, 'POST', path, body, status);
  const keys = { region: 'eu-central-1', access_key_id: 'AKIAEXAMPLE', secret_access_key: SECRET };
  await make('/mcp_connection', { name: 'Desk', type: 'PLATFORM', details: { url: 'http://127.0.0.1:9/mcp' } });
  await make('/aicommander', { service: 'Local_Runtime', connection_name: 'desk', model: 'llama3.2' });
  const docker = { container_type: 'docker', connection_name: 'desk', docker_url: 'tcp://127.0.0.1:1' };
  await make('/container_connection', { payload: docker });
  const details = { cloud_region: 'eu-central-1', kb_id: 'ABCDE12345' };
  await make('/vector_stores', { name: 'Desk', type: 'CLOUD_KB', details });
  await make('/search_tools', { name: 'desk', search: '| makeresults' });
  await make('/masking_policies', { name: 'usual', kinds: { key: 'mask' } });
  await make('/usage_limits', { name: 'daily', window: 'day', requests: 10 });
  await putUsage(platform, new Map([[dayBefore(1), [usageRow({ user: 'admin', model: 'llama3.2' })]]]));
  await make('/register_model', { model_name: 'churn', endpoint_name: 'ready', cloud_credentials: keys });
  // Without a cloud the agent is stored as failed.
  await make('/agents', { name: 'desk', system_prompt: 'Be careful.' }, 502);
  await platform.putDocument('ml_containers', {
    ...Object.fromEntries(TEXTS.map((name) => [name, ''])),
    ...{ _key: 'churn', model: 'churn', cluster: 'docker', connection_key: 'docker.desk', connection_name: 'desk' },
    ...{ status: 'Unreachable', status_since: '2026-01-01T00:00:00Z', started_at: 0, probe_failures: 0, urls: {} },
  });
  return (await make('/experiments', { title: 'Desk', type: 'smart_forecast' })).experiment_id;
}

/** Fields of a container's record. */
const TEXTS =
  'id container_name image image_reference mode runtime hpa_enabled min_cpu max_cpu min_memory max_memory min_replicas max_replicas cpu_threshold_percent mark step pull_owner reach status_reason status_message probe_error restarts fingerprint'.split(
    ' ',
  );

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { CONSOLE_VIEWS } from '../../src/contract/consoleViews.ts';
import { USAGE } from '../../src/metering/usage/sums.ts';
import { usageDay } from '../../tools/demo/usageDay.ts';
import { project } from '../support/e2e/build.ts';
import type { TestPlatform } from '../support/e2e/platform.ts';
import { putUsage, thirtyDays } from '../support/records/usageSums.ts';

/** Something to look at. */
export interface Scene {
  name: string;
  /** View with its query. */
  address: string;
  act?(page: Page): Promise<void>;
}

const TABS: Readonly<Record<string, readonly string[]>> = {
  agents: ['runs'],
  connections: ['llm', 'aliases', 'containers', 'searches', 'vectors', 'masking'],
  playground: ['tool', 'retrieve', 'predict'],
  usage: ['limits'],
  settings: ['images', 'move', 'api'],
};

/** Every view and each of its tabs. */
export const VIEWS: readonly Scene[] = Object.keys(CONSOLE_VIEWS).flatMap((view) => [
  { name: view, address: view },
  ...(TABS[view] ?? []).map((tab) => ({ name: `${view}-${tab}`, address: `${view}?tab=${tab}` })),
]);

export const press = (name: string) => async (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click();
const opened = (name: string) => async (page: Page) => {
  await press(name)(page);
  await page.getByRole('dialog').waitFor();
};
export const panel = (name: string, address: string): Scene => ({
  name: `${name}-panel`,
  address,
  async act(page) {
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('dialog').getByRole('region').first().waitFor();
  },
});

const pressInPanel = (name: string) => async (page: Page) => {
  await page.getByRole('table').getByRole('link').first().click();
  await press(name)(page);
};

/** Panels, forms and dialogs of a filled site. */
export const OPENED: readonly Scene[] = [
  panel('mcp', 'connections'),
  panel('llm', 'connections?tab=llm'),
  panel('container-connection', 'connections?tab=containers'),
  panel('vector-store', 'connections?tab=vectors'),
  panel('search-tool', 'connections?tab=searches'),
  panel('masking-policy', 'connections?tab=masking'),
  panel('agent', 'agents'),
  panel('experiment', 'experiments'),
  panel('model', 'models'),
  panel('usage-limit', 'usage?tab=limits'),
  panel('audit', 'audit'),
  { name: 'usage-by-user', address: 'usage?by=user&range=7d&show=failed' },
  { name: 'usage-cost', address: 'usage?by=model&range=1y&show=cost' },
  { name: 'usage-limit-form', address: 'usage?tab=limits&new=1' },
  { name: 'mcp-form', address: 'connections?new=1' },
  {
    name: 'mcp-form-tested',
    address: 'connections?new=1',
    async act(page) {
      await page.getByLabel('Name', { exact: true }).fill(LONG_NAME);
      await page.getByLabel('Address').fill('http://127.0.0.1:9/mcp');
      await page.getByRole('dialog').getByRole('button', { name: 'Test', exact: true }).click();
      await page.getByText('The test failed').waitFor();
    },
  },
  {
    name: 'llm-form',
    address: 'connections?tab=llm&new=1',
    async act(page) {
      await page.getByLabel('Service', { exact: true }).click();
      await page.getByRole('option', { name: /Groq/ }).click();
    },
  },
  { name: 'container-connection-form', address: 'connections?tab=containers&new=1' },
  { name: 'vector-store-form', address: 'connections?tab=vectors&new=1' },
  {
    name: 'vector-store-form-table',
    address: 'connections?tab=vectors&new=1',
    async act(page) {
      await page.locator('[data-place="type"] button').first().click();
      await page.getByRole('option', { name: 'PostgreSQL with pgvector' }).click();
    },
  },
  { name: 'documents', address: 'connections?tab=vectors&documents=Manuals' },
  { name: 'documents-upload', address: 'connections?tab=vectors&documents=Manuals&upload=1' },
  { name: 'documents-paste', address: 'connections?tab=vectors&documents=Manuals&paste=1' },
  { name: 'search-tool-form', address: 'connections?tab=searches&new=1' },
  { name: 'masking-policy-form', address: 'connections?tab=masking&new=1' },
  { name: 'agent-form', address: 'agents?new=1' },
  { name: 'experiment-form', address: 'experiments?new=1' },
  { name: 'experiment-edit', address: 'experiments', act: pressInPanel('Edit') },
  { name: 'experiment-models', address: 'experiments', act: pressInPanel('Clone models') },
  { name: 'container-form', address: 'containers', act: opened('Start') },
  { name: 'upload-form', address: 'models', act: opened('New ONNX model') },
  { name: 'cloud-model-form', address: 'models', act: opened('New cloud model') },
  {
    name: 'mcp-delete',
    address: 'connections?name=Desk',
    async act(page) {
      await press('Delete')(page);
      await page.getByRole('dialog', { name: 'Delete Desk?' }).waitFor();
    },
  },
  { name: 'mcp-none', address: 'connections?q=no-such-thing' },
  {
    name: 'settings-plan',
    address: 'settings?tab=move',
    async act(page) {
      await page.getByLabel('Document').fill('{ "not": "a document" }');
      await press('Plan')(page);
      await page.getByText('validation_failed').waitFor();
    },
  },
];

const LONG_NAME = `A connection whose name is as long as it may be ${'and longer '.repeat(7)}still`
  .slice(0, 128)
  .trim();
const LONG_TEXT = 'Everything that somebody had to say about it, in one sentence that has no end. '.repeat(4);
const NOBODY = 'http://127.0.0.1:9/mcp';

interface Operation {
  operationId: string;
  requestBody?: { content: { 'application/json': { example: object } } };
}

/** Something to see: the example requests of the OpenAPI document, and what is long, failing and strange. */
export async function fill(platform: TestPlatform): Promise<void> {
  const document = JSON.parse(readFileSync(join(project, 'docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const send = async (method: string, path: string, body?: object) => {
    const { status, text, json } = await platform.ml('admin', method, path, body);
    // Something of it may need a server that is not there.
    if (status !== 200) process.stderr.write(`${method} ${path}: ${status} ${text.slice(0, 200)}\n`);
    return json;
  };
  const examples = [
    ...['createMcpConnection', 'saveLlmConfiguration', 'createVectorStore', 'saveContainerConnection'],
    ...['createSearchTool', 'createExperiment', 'uploadModel'],
  ];
  for (const id of examples) {
    const call = calls.find(({ operation }) => operation.operationId === id);
    if (!call) throw new Error(`There is no operation ${id}`);
    const body = call.operation.requestBody?.content['application/json'].example;
    await send(call.method.toUpperCase(), call.path.replace(/^.*?\/ml\//, '/'), body);
  }
  const words = { service: 'Local_Runtime', connection_name: 'words', model: 'nomic-embed-text' };
  await send('POST', '/aicommander', words);
  const details = { embedding_model: 'words/nomic-embed-text' };
  await send('POST', '/vector_stores', { name: 'Manuals', type: 'BUILT_IN', details });
  await putUsage(platform, thirtyDays());
  await platform.putDocuments(
    USAGE,
    usageDay(Date.now() / 1000).map((hour) => ({ ...hour })),
  );
  const applies_to = { roles: ['user'], models: ['gpt-4o'] };
  await send('POST', '/masking_policies', { name: 'outside', kinds: { key: 'refuse', email: 'mask', user: 'mask' } });
  await send('POST', '/usage_limits', { name: 'daily', window: 'day', requests: 100, cost: 5, applies_to });
  const { result } = await send('GET', '/experiments');
  for (let day = 1; day <= 12; day++) {
    const statistics = { R2: 0.7 + day / 60, RMSE: 14 - day / 2 };
    await send('POST', `/experiments/${result[0].experiment_id}/history`, {
      ...{ action: 'train', status: 'success', statistics },
    });
  }
  const mcp = (name: string, description: string) =>
    send('POST', '/mcp_connection', { name, type: 'PLATFORM', description, details: { url: NOBODY } });
  await mcp('Desk', 'It fails');
  await mcp(LONG_NAME, LONG_TEXT);
  await mcp('a+b@c (2)', '<b>Right to left</b>: نص عربي');
  for (const name of ['Desk', LONG_NAME]) await send('POST', '/mcp_connection/test', { name });
  await send('POST', '/agents', {
    ...{ name: 'triage', description: LONG_TEXT, system_prompt: LONG_TEXT, task_prompt: 'Explain the alert' },
    mcps: [{ name: 'Desk', tools: ['search', 'a_tool_with_a_name_that_goes_on_and_on_and_on'] }],
  });
}

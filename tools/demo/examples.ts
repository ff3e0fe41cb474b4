import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { USAGE } from '../../src/metering/usage/sums.ts';
import { publishSearch, SEARCH_TOOL, sendLoad } from './hostLoad.ts';
import { makeOutage } from './outage.ts';
import { MODEL_KEY, MODELS } from './peers/model.ts';
import { PATHS } from './peers/peers.ts';
import type { DemoRecord } from './record.ts';
import { RUNBOOKS } from './runbooks.ts';
import { type Site, unlessThere } from './site.ts';
import { PRICES, usageDay } from './usageDay.ts';
import { useExamples } from './uses.ts';

/** Everybody who may use models and tools may use the examples. */
const SHARED = { sharing: 'app' as const, perms: { read: ['*'], write: [] } };
const AGENT = 'night_watch';
const STORE = 'Runbooks';
const ENGINE = 'Workshop';
const EXPIRED = 'an expired token';

const serviceSettings = (base: string) => ({
  endpoint: { value: `${base}${PATHS.model}` },
  access_token: { value: MODEL_KEY },
});

/**
 * Makes what the demo shows, except for what an earlier start has made.
 * @param port where the scripted servers listen now
 */
export async function makeExamples(site: Site, record: DemoRecord, port: number): Promise<void> {
  const base = `http://127.0.0.1:${port}`;
  if (record.port !== undefined && record.port !== port) await move(site, base);
  record.port = port;
  await record.once('prices', () => makePrices(site));
  await record.once('models', () => makeModels(site, base));
  await record.once('tools', () => makeTools(site, base));
  await record.once('knowledge', () => makeKnowledge(site));
  await record.once('events', () => sendLoad(site));
  await record.once('search tool', () => publishSearch(site, SHARED));
  await record.once('predictions', () => makePredictions(site));
  await record.once('container', () => makeContainer(site, base));
  await record.once('limits', () => makeLimits(site));
  await record.once('agent', () => makeAgent(site));
  await record.once('alert', () => makeOutage(site, AGENT));
  await record.once('past day', () => site.post(batchOf(USAGE), usageDay(Date.now() / 1000)));
  await record.once('uses', () => useExamples(site, AGENT));
}

const batchOf = (collection: string) => `/storage/collections/data/${collection}/batch_save`;

/** Changes the addresses of examples that are still there. */
async function move(site: Site, base: string): Promise<void> {
  for await (const { service, connection_name, model } of site.app.each('listLlmConfigurations')) {
    if (connection_name !== 'Demo') continue;
    await saveModel(site, base, model, { service, overwrite: true });
  }
  for await (const { connection_name } of site.app.each('listContainerConnections', {
    params: { container_type: 'docker' },
  })) {
    if (connection_name !== ENGINE) continue;
    await saveEngine(site, base, { is_edit: true }, { force: true });
    // Its containers have moved with it: this looks for their addresses.
    await site.app.call('getContainerData');
  }
  for await (const { name, details } of site.app.each('listMcpConnections')) {
    const { hostname, pathname } = new URL(details.url ?? base);
    if (hostname !== '127.0.0.1' || (pathname !== PATHS.desk && pathname !== PATHS.refusing)) continue;
    const token = pathname === PATHS.desk ? {} : { token: EXPIRED };
    await site.app.call('updateMcpConnection', { body: { name, details: { url: `${base}${pathname}`, ...token } } });
    // Another address ends the acceptance of the tools.
    if (pathname === PATHS.desk) await site.app.call('listMcpTools', { body: { name } });
  }
}

const saveEngine = (site: Site, base: string, more: object = {}, query: { force?: boolean } = {}) =>
  site.app.call('saveContainerConnection', {
    query,
    body: {
      payload: { container_type: 'docker', connection_name: ENGINE, docker_url: base, api_token: MODEL_KEY, ...more },
    },
  });

async function makeContainer(site: Site, base: string): Promise<void> {
  const names = { title: 'Scripted language model', image: 'scripted-model:1', protocol: 'openai' };
  await site.configure('ml_images', 'scripted-model', names);
  await site.configure('ml_prices', 'container/*', { input_per_million: '0.1', output_per_million: '0.1' });
  await unlessThere(saveEngine(site, base));
  const container = { image: 'scripted-model', model: 'llama', connection_name: ENGINE, mode: 'PROD' as const };
  await unlessThere(site.app.call('startContainer', { body: { payload: container } }));
}

async function makePrices(site: Site): Promise<void> {
  for (const [model, [input, output]] of Object.entries(PRICES)) {
    const prices = { input_per_million: String(input), output_per_million: String(output) };
    await site.configure('ml_prices', `General_Chat/${model}`, prices);
  }
}

const saveModel = (site: Site, base: string, model: string, more: object = {}) =>
  site.app.call('saveLlmConfiguration', {
    body: {
      ...{ service: 'General_Chat', connection_name: 'Demo', model, servicesettings: serviceSettings(base) },
      ...{ acl: SHARED, ...more },
    },
  });

async function makeModels(site: Site, base: string): Promise<void> {
  for (const model of Object.values(MODELS)) await unlessThere(saveModel(site, base, model));
  const target = (model: string) => ({ service: 'General_Chat' as const, connection_name: 'Demo', model });
  await unlessThere(
    site.app.call('createModelAlias', {
      body: {
        ...{ name: 'default', description: 'What searches ask unless they name a model', acl: SHARED },
        targets: [target(MODELS.small)],
      },
    }),
  );
  await unlessThere(
    site.app.call('createModelAlias', {
      body: {
        ...{ name: 'best', description: 'The large model; the small one while it has no quota', acl: SHARED },
        targets: [target(MODELS.large), target(MODELS.small)],
      },
    }),
  );
}

async function makeTools(site: Site, base: string): Promise<void> {
  await unlessThere(
    site.app.call('createMcpConnection', {
      body: {
        ...{ name: 'Desk', type: 'PLATFORM', description: 'Incidents, disks and services', acl: SHARED },
        details: { url: `${base}${PATHS.desk}` },
      },
    }),
  );
  // The first listing accepts the tools.
  await site.app.call('listMcpTools', { body: { name: 'Desk' } });
  await unlessThere(
    site.app.call('createMcpConnection', {
      body: {
        ...{ name: 'Tickets', type: 'PLATFORM', description: 'Refuses its token, to show a failure and its remedy' },
        details: { url: `${base}${PATHS.refusing}`, token: EXPIRED },
      },
    }),
  );
}

async function makeKnowledge(site: Site): Promise<void> {
  await unlessThere(
    site.app.call('createVectorStore', {
      body: {
        ...{ name: STORE, type: 'BUILT_IN', description: 'What to do when something breaks', acl: SHARED },
        details: { embedding_model: `Demo/${MODELS.embedding}` },
      },
    }),
  );
  const documents = Object.entries(RUNBOOKS).map(([id, text]) => ({ id, text, metadata: { team: 'operations' } }));
  const { failed } = await site.app.call('indexDocuments', { body: { store: STORE, documents } });
  const [failure] = failed;
  if (failure) throw new Error(`The runbook ${failure.id} was not indexed: ${failure.message}`);
}

async function makePredictions(site: Site): Promise<void> {
  const file = readFileSync(join(import.meta.dirname, 'outage_risk.onnx')).toString('base64');
  await unlessThere(
    site.app.call('uploadModel', {
      body: {
        ...{ model_name: 'outage_risk', features: ['cpu', 'memory', 'disk'], targets: ['outage'] },
        ...{ model_file: file, file_name: 'outage_risk.onnx', sharing: 'app' },
      },
    }),
  );
  const title = 'Outages by load';
  for await (const experiment of site.app.each('listExperiments')) if (experiment.title === title) return;
  const { experiment_id: id } = await site.app.call('createExperiment', {
    body: {
      ...{ title, type: 'predict_categorical_fields', tags: ['capacity'] },
      description: 'Does the load of a host say whether it fails within the hour?',
      data_source: {
        type: 'search',
        search: 'index=os | stats avg(cpu) avg(memory) max(disk) by host',
        earliest: '-30d',
      },
    },
  });
  const trainings = [
    { accuracy: 0.81, f1: 0.64 },
    { accuracy: 0.86, f1: 0.73 },
    { accuracy: 0.88, f1: 0.79 },
    { accuracy: 0.91, f1: 0.84 },
  ];
  for (const statistics of trainings) {
    await site.app.call('addExperimentHistory', {
      params: { experiment_id: id },
      body: { action: 'train', status: 'success', statistics, duration_ms: 5300 },
    });
  }
}

async function makeLimits(site: Site): Promise<void> {
  const limits = [
    { name: 'Five dollars a day', window: 'day', per: 'user', cost: 5, applies_to: { operations: ['chat'] } },
    { name: 'Tools', window: 'hour', per: 'all', requests: 500, applies_to: { operations: ['execute_tool'] } },
  ] as const;
  for (const body of limits) {
    const applies_to = { operations: [...body.applies_to.operations] };
    await unlessThere(site.app.call('createUsageLimit', { body: { ...body, applies_to } }));
  }
}

async function makeAgent(site: Site): Promise<void> {
  await unlessThere(
    site.app.call('createAgent', {
      body: {
        ...{
          name: AGENT,
          description: 'Looks after disks and services at night',
          runtime_type: 'BUILT_IN',
          acl: SHARED,
        },
        system_prompt: 'You look after the hosts of a web shop. Look before you act.',
        task_prompt: 'Answer with what you found and did.',
        ...{ llm: { model: 'default' }, mcps: [{ name: 'Desk' }], knowledge_bases: [STORE] },
        search_tools: [SEARCH_TOOL],
        approve_tools: 'destructive',
      },
    }),
  );
}

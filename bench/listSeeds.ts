import { timePart } from '../src/domain/values/keys.ts';
import { LookupFolders } from '../test/support/e2e/lookupFolders.ts';
import { expectStatus, type TestPlatform } from '../test/support/e2e/platform.ts';
import { entryId } from '../test/support/records/histories.ts';

/** The role with access to the seeds. */
export const READERS = 'bench_readers';

export type Document = Record<string, unknown>;

/** The app creates one record; its copies are written in batches, which is fast. */
export interface Seed {
  /** Makes the first. */
  make(site: TestPlatform): Promise<void>;
  collection: string;
  /** @param number index of the copy, from 1 */
  copy(name: string, number: number, doc: Document): Document;
}

/** @param count including the first record */
export async function fill(site: TestPlatform, seed: Seed, count: number): Promise<void> {
  await seed.make(site);
  const first = (await site.documents(seed.collection)).at(-1);
  if (!first) throw new Error(`${seed.collection} is empty`);
  const copies = Array.from({ length: count - 1 }, (_, index) => {
    // Shuffled, unlike the order of lists.
    const number = ((index * 7919) % count) + 1;
    return { ...first, ...seed.copy(`copy_${number}`, index + 1, first) };
  });
  await site.putDocuments(seed.collection, copies);
}

/** A seed whose key is the lower-case name. */
function named(collection: string, path: string, body: object, field = 'name', status = 200): Seed {
  return {
    make: async (site) => expectStatus(await site.ml('admin', 'POST', path, body), status, `the seed of ${collection}`),
    collection,
    copy: (name, _number, doc) => ({
      _key: String(doc._key).replace('copy', name),
      [field]: name,
    }),
  };
}

const acl = { sharing: 'app', perms: { read: [READERS], write: [] } };
const TOOLS = { url: 'http://127.0.0.1:9/mcp' };
const MCP = { name: 'Copy', type: 'PLATFORM', details: TOOLS, acl };
const STAGE = { role: 'fit', search: '| fit LinearRegression y from x into m1', model_name: 'm1' };
const HEX = 16;
const HOUR_S = 3600;
const id = (number: number) => number.toString(HEX).padStart(32, '0');

export const mcpConnections = named('ml_mcp_connections', '/mcp_connection', MCP);

export const vectorStores = named('ml_vector_stores', '/vector_stores', {
  name: 'Copy',
  type: 'CLOUD_KB',
  details: { cloud_region: 'eu-central-1', kb_id: 'ABCDEFGHIJ' },
  acl,
});

/** Without a cloud the creation fails, but the record exists. */
export const agents = named('ml_agents', '/agents', { name: 'copy', acl }, 'name', 502);

export const containerConnections = named(
  'ml_container_connections',
  '/container_connection',
  { payload: { container_type: 'docker', connection_name: 'Copy', docker_url: 'tcp://127.0.0.1:9' } },
  'connection_name',
);

export const llmConfigurations = named(
  'ml_llm_connections',
  '/aicommander',
  {
    ...{ service: 'General_Chat', connection_name: 'Copy', model: 'gpt-4.1-mini' },
    servicesettings: { endpoint: { value: 'https://llm.example/v1' }, access_token: { value: 'an API key' } },
    modelsettings: { max_tokens: { value: 1024 } },
  },
  'connection_name',
);

export const experiments: Seed = {
  ...named('ml_experiments', '/experiments', {
    title: 'Copy',
    type: 'smart_forecast',
    description: 'x'.repeat(200),
    search_stages: Array.from({ length: 5 }, () => ({ ...STAGE, parameters: { text: 'y'.repeat(500) } })),
    acl,
  }),
  copy: (title, number) => ({ _key: id(number), experiment_id: id(number), title, title_key: title }),
};

/** Entries of one experiment. */
export const history: Seed = {
  async make(site) {
    await experiments.make(site);
    const [experiment] = await site.documents('ml_experiments');
    const path = `/experiments/${experiment?.experiment_id}/history`;
    expectStatus(await site.ml('admin', 'POST', path, { action: 'train', message: 'copy' }), 200, 'a history');
    for (const { _key, action } of await site.documents('ml_experiment_history'))
      if (action !== 'train') await site.removeDocument('ml_experiment_history', String(_key));
  },
  collection: 'ml_experiment_history',
  copy: (_name, number, { experiment_id }) => {
    const history_id = entryId(String(experiment_id), number);
    return { _key: history_id, history_id };
  },
};

export const trail: Seed = {
  make: mcpConnections.make,
  collection: 'ml_audit',
  copy: (name, number, doc) => {
    // Ids begin with the time in ms. Recent times keep entries from being pruned.
    const time = Math.round(Number(doc.time) * 1000) - HOUR_S * 1000 - number;
    const audit_id = timePart(time) + 'a'.repeat(20);
    return { _key: audit_id, audit_id, time: time / 1000, name, name_key: name };
  },
};

/** Creation would call a cloud, so the first is written directly. */
export const registrations: Seed = {
  async make(site) {
    await mcpConnections.make(site);
    const [{ _key, name, type, details, auth_state, ...common } = {}] = await site.documents('ml_mcp_connections');
    await site.putDocument('ml_registered_models', {
      ...common,
      ...{ _key: 'copy', model_name: 'copy', endpoint_name: 'copy', cloud_credentials: { region: 'eu-central-1' } },
      ...{ input_feature_map: '{"cpu":"instances[*].cpu"}', output_prediction_map: '{"predictions[*]":"forecast"}' },
      batch_size: 100,
    });
  },
  collection: 'ml_registered_models',
  copy: (model_name) => ({ _key: model_name, model_name }),
};

/** Shared lookup files of the app. */
export function fillLookups(site: TestPlatform, count: number): void {
  const folders = new LookupFolders(site.home);
  for (let index = 0; index < count; index += 1)
    folders.put('nobody', `__mlspl_copy_${index}.mlmodel`, 'algo,model,options\nLinearRegression,{},{}\n');
}

import { expect } from 'chai';
import { CAPABILITIES, type Capability } from '../../../src/contract/capabilities.ts';
import { COLLECTIONS, furnish } from '../../suites/configuration/site.ts';
import { AgentCorePeer } from '../../support/peers/aws/agentCore.ts';
import { summarize } from '../../support/replies.ts';
import { inMemory } from '../../support/worlds/inMemory.ts';

type Json = Record<string, unknown> & { _key: string };
type Call = [method: string, path: string, body?: object];

interface Family {
  name: string;
  collection: string;
  /** Picks one of its documents. */
  is: (doc: Json) => boolean;
  read(key: string): string;
  update(key: string): Call;
  /** Removes a field that is optional at the top of the document. */
  unset?: { field: string; set: Call; clear: Call };
}

const named =
  (name: string, field = 'name') =>
  (doc: Json) =>
    doc[field] === name;
const model = { service: 'General_Chat', connection_name: 'Team', model: 'gpt-4.1' };
const lab = (more: object) => ({
  payload: { container_type: 'docker', connection_name: 'Lab', is_edit: 'true', ...more },
});
const tracker = (more: object): Call => ['PUT', '/mcp_connection', { name: 'Tracker', ...more }];
const forecast = (more: object): Call => ['PUT', '/register_model', { model_name: 'forecast', ...more }];
const spec = { openapi: '3.0.0', info: { title: 't', version: '1' }, paths: { '/invocations': { post: {} } } };

const FAMILIES: readonly Family[] = [
  {
    ...{ name: 'an MCP connection', collection: 'ml_mcp_connections', is: named('Tracker') },
    read: () => '/mcp_connection/Tracker',
    update: () => tracker({ description: 'changed' }),
    unset: {
      field: 'tools_allowed',
      set: tracker({ tools_allowed: ['close'] }),
      clear: tracker({ tools_allowed: null }),
    },
  },
  {
    ...{ name: 'an LLM connection', collection: 'ml_llm_connections', is: named('Team', 'connection_name') },
    read: () => '/aicommander/General_Chat/Team/gpt-4.1',
    update: () => ['POST', '/aicommander', { ...model, modelsettings: { max_tokens: { value: 65 } } }],
  },
  {
    ...{ name: 'a container connection', collection: 'ml_container_connections', is: named('Lab', 'connection_name') },
    read: () => '/container_connection/docker/Lab',
    update: () => ['POST', '/container_connection', lab({ docker_network: 'changed' })],
    unset: {
      field: 'obs_otel_service_name',
      set: ['POST', '/container_connection', lab({ obs_otel_service_name: 'ml' })],
      clear: ['POST', '/container_connection', lab({ obs_otel_service_name: '' })],
    },
  },
  {
    ...{ name: 'a vector store', collection: 'ml_vector_stores', is: named('Handbook') },
    read: () => '/vector_stores/Handbook',
    update: () => ['PUT', '/vector_stores', { name: 'Handbook', description: 'changed' }],
  },
  {
    ...{ name: 'a registered model', collection: 'ml_registered_models', is: named('forecast', 'model_name') },
    read: () => '/register_model?model_name=forecast',
    update: () => forecast({ batch_size: 9 }),
    unset: {
      field: 'openapi_spec',
      set: forecast({ openapi_spec: spec }),
      clear: forecast({ openapi_spec: null }),
    },
  },
  {
    ...{ name: 'an experiment', collection: 'ml_experiments', is: named('the first', 'description') },
    read: (key) => `/experiments/${key}`,
    update: (key) => ['POST', `/experiments/${key}`, { tags: ['changed'] }],
  },
  {
    ...{ name: 'an agent', collection: 'ml_agents', is: named('triage') },
    read: () => '/agents/triage',
    update: () => ['PUT', '/agents', { name: 'triage', description: 'changed' }],
  },
];

/** Fields of other versions: a future one, and those that 0.2.0 wrote. */
const UNKNOWN = { added_later: { deep: ['x'] }, form: 1, list_name: 'zz_old_list_name' };

describe('a field that only another version of the app knows', () => {
  let cloud: AgentCorePeer;
  before(async () => {
    cloud = await AgentCorePeer.start();
  });
  const world = inMemory({
    users: { keeper: ['keeper'] },
    roles: { keeper: Object.keys(CAPABILITIES) as Capability[] },
    imports: { power: ['user'] },
    collections: COLLECTIONS,
    agentCloud: () => cloud.url,
    modelEndpoints: true,
  });
  beforeEach(async () => {
    cloud.reset();
    await furnish((...call) => world.call('keeper', ...call), 'one.example');
  });
  after(() => cloud.stop());

  const ok = async (...[method, path, body]: Call) => {
    const reply = await world.call('keeper', method, path, body);
    expect(reply.status, `${method} ${path} ${summarize(reply)}`).to.equal(200);
    return reply;
  };

  for (const { name, collection, is, read, update, unset } of FAMILIES) {
    const stored = async () => (await world.records(collection)).find((doc) => is(doc as Json)) as Json;

    it(`survives an update of ${name}, and no reply shows it`, async () => {
      const doc = await stored();
      await world.store(collection, { ...doc, ...UNKNOWN });
      const replies = [await ok(...update(doc._key)), await ok('GET', read(doc._key))];
      const after = await stored();
      expect(after).to.deep.include({ added_later: UNKNOWN.added_later, version: Number(doc.version) + 1 });
      expect(JSON.stringify(replies.map(({ json }) => json))).not.to.match(/added_later|zz_old_list_name|"form"/);
    });

    if (!unset) continue;
    it(`does not keep ${unset.field} of ${name} from being removed`, async () => {
      await ok(...unset.set);
      expect(await stored()).to.have.property(unset.field);
      await ok(...unset.clear);
      expect(await stored()).not.to.have.property(unset.field);
    });
  }
});

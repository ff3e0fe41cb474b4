import { expect } from 'chai';
import { mcpKind } from '../../src/families/mcp-connections/kind.ts';
import { registrationKind } from '../../src/families/sagemaker-endpoints/records.ts';
import { storeKind } from '../../src/families/vector-stores/records.ts';
import { type Json, MemoryApp } from '../support/memory/app.ts';
import { FaultPlan } from '../support/memory/faults.ts';

/** One family: a record, and what is changed of it. */
interface Case {
  path: string;
  collection: string;
  made: Json;
  updates: Record<string, Json>;
  /** How it is changed. PUT unless told otherwise. */
  method?: string;
  /** What has to happen before it can be changed. */
  ready?: (app: MemoryApp) => Promise<unknown>;
}

const keys = (secret: string) => ({ cloud_access_key_id: 'AKIA0', cloud_access_key_token: secret });
const credentials = (secret: string) => ({ access_key_id: 'AKIA0', secret_access_key: secret });
const DOCKER = { container_type: 'docker', connection_name: 'x' };

const CASES: Record<string, Case> = {
  'MCP connection': {
    path: '/mcp_connection',
    collection: 'ml_mcp_connections',
    made: { name: 'x', type: 'PLATFORM', details: { url: 'https://a.example/mcp', token: 'one' } },
    updates: {
      'open value': { name: 'x', description: 'new' },
      secret: { name: 'x', details: { token: 'two' } },
    },
  },
  'vector store': {
    path: '/vector_stores',
    collection: 'ml_vector_stores',
    made: {
      name: 'x',
      type: 'CLOUD_KB',
      details: { cloud_region: 'eu-west-1', kb_id: 'ABCDEFGHIJ', ...keys('one') },
    },
    updates: {
      'open value': { name: 'x', description: 'new' },
      secret: { name: 'x', details: { cloud_access_key_token: 'two' } },
    },
  },
  'registered model': {
    path: '/register_model',
    collection: 'ml_registered_models',
    made: {
      model_name: 'x',
      endpoint_name: 'e',
      cloud_credentials: { region: 'eu-west-1', ...credentials('one') },
      input_feature_map: { a: 'instances[*].a' },
      output_prediction_map: { 'predictions[*]': 'p' },
    },
    updates: {
      'open value': { model_name: 'x', batch_size: 7 },
      endpoint: { model_name: 'x', endpoint_name: 'f' },
      secret: { model_name: 'x', cloud_credentials: { secret_access_key: 'two' } },
    },
  },
  'container connection': {
    path: '/container_connection',
    collection: 'ml_container_connections',
    made: { payload: { ...DOCKER, docker_url: '/run/docker.sock' } },
    method: 'POST',
    updates: {
      'open value': { payload: { ...DOCKER, is_edit: 'true', obs_otel_service_name: 'new' } },
      secret: { payload: { ...DOCKER, is_edit: 'true', api_token: 'two' } },
    },
  },
  agent: {
    path: '/agents',
    collection: 'ml_agents',
    made: { name: 'x' },
    updates: { 'open value': { name: 'x', description: 'new' } },
    async ready(app) {
      app.cloud.become('READY');
      await app.call('editor', 'POST', '/agents/x/status', { action: 'create' });
    },
  },
};

const CAPABILITIES = [
  'edit_agent_connections',
  'edit_container_connections',
  'register_ml_models',
  'edit_agents',
  'run_agents',
];

/** The kinds whose updates can be tested before they are saved. */
const KINDS: Record<string, object> = {
  'MCP connection': mcpKind,
  'vector store': storeKind,
  'registered model': registrationKind,
};

/** Counts the calls of a kind's methods until `restore`. */
function countCalls(kind: object, names: readonly string[]) {
  const methods = kind as Record<string, (...args: unknown[]) => unknown>;
  const originals = names.map((name) => [name, methods[name]] as const);
  const counts = Object.fromEntries(names.map((name) => [name, 0]));
  for (const [name, original] of originals) {
    methods[name] = (...args) => {
      counts[name] = (counts[name] ?? 0) + 1;
      return original?.apply(kind, args);
    };
  }
  return { counts, restore: () => Object.assign(methods, Object.fromEntries(originals)) };
}

describe('an update', () => {
  async function update({ path, made, ready, method = 'PUT' }: Case, body: Json, verify: boolean, kind: object = {}) {
    const app = new MemoryApp();
    app.user('editor', { capabilities: CAPABILITIES });
    const first = await app.call('editor', 'POST', path, made);
    expect(first.status, JSON.stringify(first.json)).to.equal(200);
    await ready?.(app);
    const faults = new FaultPlan();
    const { counts, restore } = countCalls(kind, ['merge', 'problems']);
    const query: [string, string][] = verify ? [['verify', 'true']] : [];
    const bytes = Buffer.from(JSON.stringify(body));
    const request = { method, path: `/ml${path}`, query, body: bytes, sessionToken: 'editor' };
    const reply = await app.request(request, faults).finally(restore);
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
    return { calls: faults.trace, counts };
  }
  const count = (calls: readonly string[], name: string) => calls.filter((call) => call === name).length;

  for (const [what, one] of Object.entries(CASES)) {
    const kind = KINDS[what];
    for (const [part, body] of Object.entries(one.updates)) {
      it(`reads its record before the lease and once more under it: ${what}, new ${part}`, async () => {
        const { calls, counts } = await update(one, body, false, kind);
        expect(count(calls, `get ${one.collection}`)).to.equal(2);
        if (kind) expect(counts, 'merged and checked once').to.deep.equal({ merge: 1, problems: 1 });
      });
      if (!kind) continue;
      it(`reads and merges no more if it is tested first: ${what}, new ${part}`, async () => {
        const { calls, counts } = await update(one, body, true, kind);
        expect(count(calls, `get ${one.collection}`)).to.equal(2);
        expect(count(calls, 'get secret')).to.be.at.most(1);
        expect(counts).to.deep.equal({ merge: 1, problems: 1 });
      });
    }
  }

  it('reads secrets once if it is tested first, keeps one and replaces another', async () => {
    const one = CASES['MCP connection'] as Case;
    const details = { ...(one.made.details as Json), headers: { 'X-Key': 'one' } };
    const body = { name: 'x', details: { token: 'two' } };
    const { calls, counts } = await update({ ...one, made: { ...one.made, details } }, body, true, mcpKind);
    expect(count(calls, 'get secret')).to.equal(1);
    expect(counts).to.deep.equal({ merge: 1, problems: 1 });
  });
});

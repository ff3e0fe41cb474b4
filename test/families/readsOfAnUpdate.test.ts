import { expect } from 'chai';
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

describe('an update reads its record before the lease, and once more under it', () => {
  for (const [what, { path, collection, made, updates, ready, method = 'PUT' }] of Object.entries(CASES)) {
    for (const [kind, body] of Object.entries(updates)) {
      it(`${what}: a new ${kind}`, async () => {
        const app = new MemoryApp();
        app.user('editor', { capabilities: CAPABILITIES });
        const first = await app.call('editor', 'POST', path, made);
        expect(first.status, JSON.stringify(first.json)).to.equal(200);
        await ready?.(app);
        const calls = new FaultPlan();
        const bytes = Buffer.from(JSON.stringify(body));
        const request = { method, path: `/ml${path}`, body: bytes, sessionToken: 'editor' };
        const reply = await app.request(request, calls);
        expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
        expect(calls.trace.filter((call) => call === `get ${collection}`)).to.have.length(2);
      });
    }
  }
});

import { expect } from 'chai';
import { type Json, MemoryApp } from '../support/memory/app.ts';
import { FaultPlan } from '../support/memory/faults.ts';

/** One family: a record, a change of its open part, and one that brings a new secret. */
interface Case {
  path: string;
  collection: string;
  made: Json;
  open: Json;
  secret: Json;
}

const keys = (secret: string) => ({ cloud_access_key_id: 'AKIA0', cloud_access_key_token: secret });
const credentials = (secret: string) => ({ access_key_id: 'AKIA0', secret_access_key: secret });

const CASES: Record<string, Case> = {
  'MCP connection': {
    path: '/mcp_connection',
    collection: 'ml_mcp_connections',
    made: { name: 'x', type: 'PLATFORM', details: { url: 'https://a.example/mcp', token: 'one' } },
    open: { name: 'x', description: 'new' },
    secret: { name: 'x', details: { token: 'two' } },
  },
  'vector store': {
    path: '/vector_stores',
    collection: 'ml_vector_stores',
    made: {
      name: 'x',
      type: 'CLOUD_KB',
      details: { cloud_region: 'eu-west-1', kb_id: 'ABCDEFGHIJ', ...keys('one') },
    },
    open: { name: 'x', description: 'new' },
    secret: { name: 'x', details: { cloud_access_key_token: 'two' } },
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
    open: { model_name: 'x', batch_size: 7 },
    secret: { model_name: 'x', cloud_credentials: { secret_access_key: 'two' } },
  },
};

describe('an update reads its record before the lease, and once more under it', () => {
  for (const [what, { path, collection, made, open, secret }] of Object.entries(CASES)) {
    for (const [kind, body] of Object.entries({ open, secret })) {
      it(`${what}: a new ${kind === 'open' ? 'open value' : 'secret'}`, async () => {
        const app = new MemoryApp();
        app.user('editor', { capabilities: ['edit_agent_connections', 'register_ml_models'] });
        expect((await app.call('editor', 'POST', path, made)).status).to.equal(200);
        const calls = new FaultPlan();
        const bytes = Buffer.from(JSON.stringify(body));
        const request = { method: 'PUT', path: `/ml${path}`, body: bytes, sessionToken: 'editor' };
        expect((await app.request(request, calls)).status).to.equal(200);
        expect(calls.trace.filter((call) => call === `get ${collection}`)).to.have.length(2);
      });
    }
  }
});

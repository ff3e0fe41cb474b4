import { expect } from 'chai';
import { MemoryApp } from '../support/memory/app.ts';

const fields = (json: { errors?: { field: string }[] }) => (json.errors ?? []).map((error) => error.field);

describe('a body with problems of the schema and of the rules beyond it', () => {
  it('LLM configuration', async () => {
    const app = new MemoryApp();
    app.user('llm', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    const { status, json } = await app.call('llm', 'POST', '/aicommander', {
      service: 'General_Chat',
      connection_name: 'a/b',
      model: 'm',
      servicesettings: { endpoint: { value: 'ftp://x' }, access_token: { value: 'two\nlines' } },
      modelsettings: { response_variability: { value: 7 } },
    });
    expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
    expect(fields(json)).to.have.members([
      'connection_name',
      'modelsettings.response_variability.value',
      'servicesettings.endpoint.value',
      'servicesettings.access_token.value',
    ]);
  });

  it('MCP connection', async () => {
    const { status, json } = await new MemoryApp().call('editor', 'POST', '/mcp_connection', {
      name: 'x',
      details: { url: 'ftp://x', headers: { host: 'x' } },
      tools_allowed: 5,
    });
    expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
    expect(fields(json)).to.have.members(['type', 'tools_allowed', 'details.url', 'details.headers.host']);
  });

  it('vector store', async () => {
    const { status, json } = await new MemoryApp().call('editor', 'POST', '/vector_stores', {
      name: '%',
      type: 'CLOUD_KB',
      details: { cloud_region: 'us-east-1', kb_id: 'short', cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE' },
    });
    expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
    expect(fields(json)).to.have.members(['name', 'details.kb_id', 'details.cloud_access_key_token']);
  });

  it('registered model', async () => {
    const app = new MemoryApp();
    app.user('editor', { capabilities: ['register_ml_models'] });
    const { status, json } = await app.call('editor', 'POST', '/register_model', {
      model_name: '1',
      cloud_credentials: { region: 'eu-central-1', access_key_id: 'AKIAIOSFODNN7EXAMPLE' },
      openapi_spec: { openapi: '2.0' },
      batch_size: 0,
    });
    expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
    expect(fields(json)).to.have.members([
      'model_name',
      'batch_size',
      'endpoint_name',
      'cloud_credentials.secret_access_key',
      'openapi_spec',
    ]);
  });
});

import { expect } from 'chai';
import { table } from '../../src/table.ts';

/**
 * Who may call which row, and the feature flag that switches it off: written down by hand from the contract (1.8, 1.11 and
 * the rows of each family). Everything else that is tested about capabilities compares a row with itself.
 */
const GATES: Readonly<Record<string, readonly [gate: string, flag: string | null]>> = {
  'GET /ml/mcp_connection': ['session', null],
  'GET /ml/mcp_connection/{name}': ['session', null],
  'POST /ml/mcp_connection': ['edit_agent_connections', 'mcp_connections'],
  'PUT /ml/mcp_connection': ['edit_agent_connections', 'mcp_connections'],
  'DELETE /ml/mcp_connection/{name}': ['edit_agent_connections', 'mcp_connections'],
  'POST /ml/mcp_connection/test': ['edit_agent_connections', 'mcp_connections'],
  'POST /ml/mcp_connection/accept_tools': ['edit_agent_connections', 'mcp_connections'],
  'POST /ml/mcp_connection/tools': ['edit_agent_connections', 'mcp_connections'],
  'GET /ml/aicommander': ['edit_ai_commander_config or list_ai_commander_config', null],
  'GET /ml/aicommander/{service}/{connection_name}/{model...}': [
    'edit_ai_commander_config or list_ai_commander_config',
    null,
  ],
  'POST /ml/aicommander': ['edit_ai_commander_config and list_ai_commander_config', 'llm_providers'],
  'DELETE /ml/aicommander/{service}/{connection_name}/{model...}': [
    'edit_ai_commander_config and list_ai_commander_config',
    'llm_providers',
  ],
  'GET /ml/aicommander_metadata': ['edit_ai_commander_config or list_ai_commander_config', null],
  'POST /ml/aicommander_metadata': ['edit_ai_commander_config and list_ai_commander_config', 'llm_providers'],
  'POST /ml/container_connection': ['edit_container_connections', 'containers'],
  'GET /ml/container_connection/{container_type}': ['list_container_connections or edit_container_connections', null],
  'GET /ml/container_connection/{container_type}/{connection_name}': [
    'list_container_connections or edit_container_connections',
    null,
  ],
  'DELETE /ml/container_connection/{container_type}/{connection_name}': ['edit_container_connections', 'containers'],
  'POST /ml/test_container_connection': ['edit_container_connections', 'containers'],
  'GET /ml/test_container_connection': ['list_container_connections or edit_container_connections', null],
  'GET /ml/container_data': ['list_containers or control_containers', null],
  'GET /ml/container_logs': ['list_containers or control_containers', null],
  'POST /ml/container_logs': ['list_containers or control_containers', null],
  'POST /ml/start_container': ['control_containers', 'containers'],
  'GET /ml/start_container': ['list_containers or control_containers', null],
  'DELETE /ml/start_container/{model_name}': ['control_containers', 'containers'],
  'POST /ml/stop_container': ['control_containers', 'containers'],
  'GET /ml/stop_container': ['list_containers or control_containers', null],
  'GET /ml/agents': ['session', null],
  'GET /ml/agents/{agent_name}': ['session', null],
  'POST /ml/agents': ['edit_agents and run_agents', 'agent_builder'],
  'PUT /ml/agents': ['edit_agents and run_agents', 'agent_builder'],
  'DELETE /ml/agents/{agent_name}': ['edit_agents and run_agents', 'agent_builder'],
  'POST /ml/agents/{agent_name}/retry': ['edit_agents and run_agents', 'agent_builder'],
  'POST /ml/agents/{agent_name}/status': ['session', null],
  'GET /ml/ml_feature_flags': ['session', null],
  'GET /ml/agent_feature_flag': ['session', null],
  'GET /ml/ctsm_feature': ['session', null],
  'POST /ml/ctsm_feature': ['session', 'ctsm'],
  'POST /ml/ctsm_acknowledge': ['session', 'ctsm'],
  'GET /ml/experiments': ['session', null],
  'POST /ml/experiments': ['session', 'experiments'],
  'GET /ml/experiments/{experiment_id}': ['session', null],
  'POST /ml/experiments/{experiment_id}': ['session', 'experiments'],
  'DELETE /ml/experiments/{experiment_id}': ['session', 'experiments'],
  'GET /ml/experiments/{experiment_id}/history': ['session', null],
  'POST /ml/experiments/{experiment_id}/history': ['session', 'experiments'],
  'POST /ml/experiments/{experiment_id}/clone_models': ['session', 'experiments'],
  'GET /ml/vector_stores': ['session', null],
  'GET /ml/vector_stores/{name}': ['session', null],
  'POST /ml/vector_stores': ['edit_agent_connections', 'vector_stores'],
  'PUT /ml/vector_stores': ['edit_agent_connections', 'vector_stores'],
  'DELETE /ml/vector_stores/{name}': ['edit_agent_connections', 'vector_stores'],
  'POST /ml/vector_stores/test': ['edit_agent_connections', 'vector_stores'],
  'GET /ml/usage_limits': ['edit_usage_limits', null],
  'GET /ml/usage_limits/status': ['session', null],
  'GET /ml/usage_limits/{name}': ['edit_usage_limits', null],
  'POST /ml/usage_limits': ['edit_usage_limits', null],
  'PUT /ml/usage_limits': ['edit_usage_limits', null],
  'DELETE /ml/usage_limits/{name}': ['edit_usage_limits', null],
  'GET /ml/search_tools': ['session', null],
  'GET /ml/search_tools/{name}': ['session', null],
  'POST /ml/search_tools': ['edit_search_tools', 'search_tools'],
  'PUT /ml/search_tools': ['edit_search_tools', 'search_tools'],
  'DELETE /ml/search_tools/{name}': ['edit_search_tools', 'search_tools'],
  'POST /ml/search_tools/test': ['edit_search_tools', 'search_tools'],
  'GET /ml/model_aliases': ['session', null],
  'GET /ml/model_aliases/{name}': ['session', null],
  'POST /ml/model_aliases': ['edit_ai_commander_config and list_ai_commander_config', 'llm_providers'],
  'PUT /ml/model_aliases': ['edit_ai_commander_config and list_ai_commander_config', 'llm_providers'],
  'DELETE /ml/model_aliases/{name}': ['edit_ai_commander_config and list_ai_commander_config', 'llm_providers'],
  'GET /ml/register_model': ['register_ml_models', null],
  'POST /ml/register_model': ['register_ml_models', 'model_registration'],
  'PUT /ml/register_model': ['register_ml_models', 'model_registration'],
  'DELETE /ml/register_model': ['register_ml_models', 'model_registration'],
  'GET /ml/list_connections': ['session', null],
  'POST /ai_gateway/v1/chat/completions': ['use_ai_gateway', 'llm_providers'],
  'POST /ai_gateway/v1/embeddings': ['use_ai_gateway', 'llm_providers'],
  'POST /ai_gateway/retrieve': ['use_ai_gateway', 'vector_stores'],
  'POST /ai_gateway/predict': ['use_ai_gateway', null],
  'POST /ai_gateway/predict/begin': ['use_ai_gateway', null],
  'POST /ai_gateway/predict/end': ['use_ai_gateway', null],
  'GET /ai_gateway/v1/models': ['use_ai_gateway', 'llm_providers'],
  'GET /ai_gateway/v1/models/{model...}': ['use_ai_gateway', 'llm_providers'],
  'POST /ai_gateway/mcp': ['use_ai_gateway', null],
  'POST /ai_gateway/mcp/{connection}': ['use_ai_gateway', 'mcp_connections'],
  'POST /ai_gateway/tools/call': ['use_ai_gateway', 'mcp_connections'],
  'POST /ai_gateway/search': ['use_ai_gateway', 'search_tools'],
  'POST /ai_gateway/batch': ['use_ai_gateway', null],
  'POST /ai_gateway/runs': ['use_ai_gateway and run_agents', 'agent_builder'],
  'GET /ai_gateway/runs': ['use_ai_gateway and run_agents', null],
  'GET /ai_gateway/runs/{run_id}': ['use_ai_gateway and run_agents', null],
  'POST /ai_gateway/runs/{run_id}/step': ['use_ai_gateway and run_agents', 'agent_builder'],
  'POST /ai_gateway/runs/{run_id}/approve': ['use_ai_gateway and run_agents', 'agent_builder'],
  'POST /ai_gateway/runs/{run_id}/cancel': ['use_ai_gateway and run_agents', null],
  'GET /ml/audit': ['list_ml_audit', null],
  'GET /ml/audit/{audit_id}': ['list_ml_audit', null],
  'GET /ml/usage': ['session', null],
  'GET /ml/connection_health': ['session', null],
  'POST /ml/connection_health/check': ['session', null],
  'GET /ml/list_models': ['session', null],
  'POST /ml/upload_model': ['upload_ml_models', 'model_upload'],
  'DELETE /ml/list_models/{model_name}': ['upload_ml_models', 'model_upload'],
  'GET /ml/export': ['session', null],
  'POST /ml/import': ['session', null],
  'GET /ml/health': ['session', null],
  'GET /ml/openapi': ['session', null],
};

describe('capabilities and flags of every row', () => {
  it('are those that the contract gives them', () => {
    const actual = table.map(({ method, path, gate, flag }) => {
      const names = gate === 'session' ? gate : 'all' in gate ? gate.all.join(' and ') : gate.any.join(' or ');
      return [`${method} ${path}`, [names, flag ?? null]] as const;
    });
    expect(Object.fromEntries(actual)).to.deep.equal(GATES);
  });

  it('close every write to those who may only look', () => {
    const open = Object.entries(GATES).filter(([row, [gate]]) => !row.startsWith('GET') && gate === 'session');
    // Acknowledgements are everybody's own, experiments and agents have access lists, logs are read by a POST too,
    // and a check asks in each family what its own test asks.
    expect(open.map(([row]) => row)).to.deep.equal([
      'POST /ml/agents/{agent_name}/status',
      'POST /ml/ctsm_feature',
      'POST /ml/ctsm_acknowledge',
      'POST /ml/experiments',
      'POST /ml/experiments/{experiment_id}',
      'DELETE /ml/experiments/{experiment_id}',
      'POST /ml/experiments/{experiment_id}/history',
      'POST /ml/experiments/{experiment_id}/clone_models',
      'POST /ml/connection_health/check',
      // Asks for each record what its own row asks for.
      'POST /ml/import',
    ]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Examples } from './exampleTypes.ts';
import { INVOCATIONS } from './invocations.ts';
import { RULE_EXAMPLES } from './ruleExamples.ts';
import { runExamples } from './runExamples.ts';
import { DOCUMENT_EXAMPLES, SEARCH_TOOL_EXAMPLES } from './searchExamples.ts';

const MCP = 'Incident tools';
const STORE = 'Runbooks';
const ALIAS = 'default';
const AGENT = 'triage';
const MODEL = 'disk_forecast';
const REGISTERED = 'capacity_forecast';
const EXPERIMENT = '0f8fad5bd9cb469fa16570867728950e';
const ENGINE = { container_type: 'docker', connection_name: 'Lab engine' } as const;
const LLM = { service: 'General_Chat', connection_name: 'Team account', model: 'gpt-4.1-mini' } as const;
const LLM_NAME = `${LLM.service}/${LLM.connection_name}/${LLM.model}`;
const MODEL_REFERENCE = `${LLM.connection_name}/${LLM.model}`;
const PAGE = { count: 30, offset: 0 };

/** A linear model of three inputs, exported to ONNX. */
const ONNX =
  'CAgSCGZpeHR1cmVzOnsKEgoBWAoBVxICWFciBk1hdE11bAoPCgJYVwoBQhIBWSIDQWRkEgZsaW5lYXIqFwgDCAEQAUIBV0oMAAAAAAAAgD8AAABAKg0IARABQgFCSgQAAAAAWhEKAVgSDAoKCAESBgoACgIIA2IRCgFZEgwKCggBEgYKAAoCCAFCBAoAEBE=';

/** An example request for each operation with input. A test sends all of them; the type requires one for each new row. */
const EXAMPLES: Examples = {
  listMcpConnections: { query: { ...PAGE, sort_key: 'name', sort_dir: 'asc', search: 'incident' } },
  getMcpConnection: { params: { name: MCP } },
  createMcpConnection: {
    body: {
      name: MCP,
      type: 'PLATFORM',
      description: 'Tools of the incident desk',
      details: { url: 'https://mcp.example.com/mcp', token: 'a-bearer-token', headers: { 'X-Team': 'service-desk' } },
      tools_allowed: ['search_incidents', 'close_incident'],
      acl: { sharing: 'app', perms: { read: ['*'], write: ['ml_admin'] } },
    },
  },
  updateMcpConnection: {
    query: { verify: true },
    body: { name: MCP, description: 'Tools of the incident desk, read only', version: 1 },
  },
  deleteMcpConnection: { params: { name: MCP }, query: { force: true } },
  testMcpConnection: {
    body: { type: 'PLATFORM', details: { url: 'https://mcp.example.com/mcp', token: 'a-bearer-token' } },
  },
  listMcpTools: { body: { name: MCP } },
  acceptMcpTools: { body: { name: MCP, tools: ['search_incidents'] } },

  listLlmConfigurations: { query: { ...PAGE, service: 'General_Chat', search: 'team' } },
  getLlmConfiguration: { params: LLM },
  saveLlmConfiguration: {
    body: {
      ...LLM,
      servicesettings: {
        endpoint: { value: 'https://llm.example.com' },
        access_token: { value: 'an-api-key-of-it' },
        request_timeout: { value: 30 },
      },
      modelsettings: { max_tokens: { value: 1024 }, response_variability: { value: 0.2 } },
    },
  },
  deleteLlmConfiguration: { params: LLM, query: { force: true } },
  actOnLlmProvider: { body: { action: 'test', probe: 'chat', ...LLM } },
  createChatCompletion: {
    body: { model: MODEL_REFERENCE, messages: [{ role: 'user', content: 'What is a saved search?' }], max_tokens: 200 },
  },
  createResponse: { body: { model: MODEL_REFERENCE, input: 'What is a saved search?', max_output_tokens: 200 } },
  createMessage: {
    body: { model: MODEL_REFERENCE, messages: [{ role: 'user', content: 'What is a saved search?' }], max_tokens: 200 },
  },
  countMessageTokens: {
    body: { model: MODEL_REFERENCE, messages: [{ role: 'user', content: 'What is a saved search?' }] },
  },
  createEmbedding: { body: { model: MODEL_REFERENCE, input: ['disk full', 'no space left on device'] } },
  getGatewayModel: { params: { model: MODEL_REFERENCE } },
  retrievePassages: {
    body: { store: STORE, query: 'disk full', filter: { equals: { key: 'team', value: 'storage' } } },
  },
  predict: { body: { model: REGISTERED, rows: [{ 'host.cpu': 0.75 }, { 'host.cpu': 0.25 }] } },
  beginPrediction: { body: { model: REGISTERED } },
  endPrediction: { body: { use_id: EXPERIMENT, rows: 100_000, failed: 0, duration_ms: 1800 } },
  ...runExamples(MODEL_REFERENCE, MCP),
  serveMcp: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  serveMcpConnection: {
    params: { connection: MCP },
    body: {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'search_incidents', arguments: { text: 'disk full' } },
    },
  },
  callTool: { body: { connection: MCP, tool: 'search_incidents', arguments: { text: 'disk full' }, timeout_s: 25 } },
  runBatch: {
    body: {
      operation: 'chat',
      common: { model: MODEL_REFERENCE },
      items: [
        { id: '1', messages: [{ role: 'user', content: 'Is "disk full" urgent? Answer yes or no.' }] },
        { id: '2', messages: [{ role: 'user', content: 'Is "job done" urgent? Answer yes or no.' }] },
      ],
    },
  },

  saveContainerConnection: {
    query: { is_edit: false },
    body: {
      ...ENGINE,
      docker_url: 'tcp://docker.example.com:2375',
      endpoint_hostname: 'docker.example.com',
      jupyter_passwd: 'a-hashed-password',
    },
  },
  listContainerConnections: { params: { container_type: 'docker' }, query: { ...PAGE, search: 'lab' } },
  getContainerConnection: { params: ENGINE },
  deleteContainerConnection: { params: ENGINE },
  testContainerConnection: { body: { ...ENGINE, is_edit: 'true' } },
  listTestedConnections: { query: PAGE },
  getContainerData: { query: { model: MODEL } },
  readContainerLogs: { query: { model: MODEL, tail: '100' } },
  getContainerLogs: { body: { model: MODEL, tail: '100' } },
  startContainer: { body: { image: 'golden-cpu', model: MODEL, cluster: 'docker', mode: 'DEV', max_memory: '4Gi' } },
  deleteContainer: { params: { model_name: MODEL } },
  stopContainer: { body: { model: MODEL } },

  listAgents: { query: { ...PAGE, sort_key: 'name' } },
  getAgent: { params: { agent_name: AGENT } },
  createAgent: {
    body: {
      name: AGENT,
      description: 'Sorts new incidents',
      system_prompt: 'You sort incidents of a data centre by their weight.',
      task_prompt: 'Give each incident of the last hour a weight from 1 to 5.',
      llm: { ...LLM, max_tokens: 1024, response_variability: 0.2 },
      mcps: [{ name: MCP, tools: ['search_incidents'] }],
      knowledge_bases: [STORE],
      agent_timeout: 450,
      max_steps: 20,
      max_tokens_per_run: 50_000,
      approve_tools: 'writes',
    },
  },
  updateAgent: { body: { name: AGENT, description: 'Sorts new incidents by weight' } },
  deleteAgent: { params: { agent_name: AGENT } },
  retryAgent: { params: { agent_name: AGENT } },
  followAgent: { params: { agent_name: AGENT }, body: { action: 'create', interval: 5 } },

  setCtsmFeature: { body: { ctsm_opt_out: true } },
  acknowledgeCtsm: { body: { acknowledge: true } },

  listExperiments: { query: { ...PAGE, status: 'draft', detail: false } },
  createExperiment: {
    body: {
      title: 'Disk use next month',
      type: 'smart_forecast',
      description: 'When do the disks of the data centre fill up?',
      data_source: {
        type: 'search',
        search: 'index=os sourcetype=df | timechart avg(used)',
        earliest: '-30d',
        latest: 'now',
      },
      search_stages: [
        {
          role: 'fit',
          search: 'fit StateSpaceForecast used holdback=24',
          algorithm: 'StateSpaceForecast',
          model_name: MODEL,
        },
      ],
      tags: ['capacity'],
    },
  },
  getExperiment: { params: { experiment_id: EXPERIMENT } },
  updateExperiment: { params: { experiment_id: EXPERIMENT }, body: { status: 'trained', version: 1 } },
  deleteExperiment: { params: { experiment_id: EXPERIMENT }, query: { keep_models: true } },
  listExperimentHistory: { params: { experiment_id: EXPERIMENT }, query: { ...PAGE, action: 'train' } },
  addExperimentHistory: {
    params: { experiment_id: EXPERIMENT },
    body: { action: 'train', duration_ms: 5300, statistics: { r_squared: 0.93 }, status: 'success' },
  },
  cloneExperimentModels: { params: { experiment_id: EXPERIMENT }, body: { sharing: 'app' } },

  listVectorStores: { query: { ...PAGE, search: 'run' } },
  getVectorStore: { params: { name: STORE } },
  createVectorStore: {
    body: {
      name: STORE,
      type: 'CLOUD_KB',
      description: 'What to do when something breaks',
      details: { cloud_region: 'eu-central-1', kb_id: 'ABCDEFGHIJ' },
      acl: { sharing: 'app', perms: { read: ['*'], write: [] } },
    },
  },
  updateVectorStore: { body: { name: STORE, description: 'Runbooks of the data centre', version: 1 } },
  deleteVectorStore: { params: { name: STORE }, query: { force: true } },
  testVectorStore: { body: { name: STORE, query: 'A disk is full' } },

  listModelAliases: { query: { ...PAGE, search: 'default' } },
  getModelAlias: { params: { name: ALIAS } },
  createModelAlias: { body: { name: ALIAS, targets: [LLM], defaults: { temperature: 0.2, max_tokens: 1000 } } },
  updateModelAlias: { body: { name: ALIAS, strategy: 'spread', version: 1 } },
  deleteModelAlias: { params: { name: ALIAS }, query: { force: true } },

  ...RULE_EXAMPLES,
  ...SEARCH_TOOL_EXAMPLES,
  ...DOCUMENT_EXAMPLES,

  getRegistration: { query: { model_name: REGISTERED } },
  registerModel: {
    body: {
      model_name: REGISTERED,
      endpoint_name: 'capacity-forecast',
      cloud_credentials: { region: 'eu-central-1', role_arn: 'arn:aws:iam::123456789012:role/ml-extension' },
      input_feature_map: { 'host.cpu': 'instances[*].cpu' },
      output_prediction_map: { 'predictions[*]': 'forecast' },
      openapi_spec: INVOCATIONS,
      batch_size: 100,
    },
  },
  updateRegistration: { body: { model_name: REGISTERED, batch_size: 200, version: 1 } },
  deleteRegistration: { query: { model_name: REGISTERED } },

  listConnections: { query: PAGE },
  listConnectionHealth: { query: { ...PAGE, sort_key: 'state' } },
  checkConnectionHealth: { body: { max_age_s: 3600 } },

  listModels: { query: { ...PAGE, search: 'disk' } },
  uploadModel: {
    body: {
      model_name: MODEL,
      features: ['cpu', 'memory', 'disk'],
      targets: ['forecast'],
      model_file: ONNX,
      file_name: 'disk_forecast.onnx',
      sharing: 'user',
    },
  },
  deleteModel: { params: { model_name: MODEL }, query: { sharing: 'user' } },

  getUsage: { query: { by: 'user,model', earliest: '2026-01-01', interval: 'month' } },
  listAudit: { query: { count: 2, family: 'mcp-connections', name: MCP, earliest: '2026-01-01' } },
  getAuditEntry: { params: { audit_id: EXPERIMENT } },
  exportConfiguration: { query: { family: 'mcp-connections,llm-providers', name: `${MCP},${LLM_NAME}` } },
  importConfiguration: {
    body: {
      document: {
        format: 'ml_extension',
        format_version: 1,
        records: [
          {
            family: 'mcp-connections',
            name: MCP,
            spec: {
              name: MCP,
              type: 'PLATFORM',
              description: 'Tools of the incident desk, in production',
              details: { url: 'https://mcp.example.com/mcp' },
              tools_allowed: ['search_incidents', 'close_incident'],
            },
            secrets: ['details.token'],
          },
          {
            family: 'vector-stores',
            name: 'Postmortems',
            spec: {
              name: 'Postmortems',
              type: 'CLOUD_KB',
              details: { cloud_region: 'eu-central-1', kb_id: 'KLMNOPQRST', cloud_access_key_id: 'AKIAEXAMPLE' },
            },
            secrets: ['details.cloud_access_key_token'],
            acl: { sharing: 'app', perms: { read: ['*'], write: [] } },
          },
        ],
      },
      mode: 'plan',
      secrets: { 'vector-stores/Postmortems': { 'details.cloud_access_key_token': 'a-secret-access-key' } },
    },
  },
};

export interface Example {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: object;
}

export const exampleOf = (id: string): Example | undefined => (EXAMPLES as Readonly<Record<string, Example>>)[id];

/** Recorded and compared by test/contract/examples.test.ts. */
export const REPLIES_FILE = join(import.meta.dirname, 'exampleReplies.json');
let replies: Readonly<Record<string, unknown>> | undefined;

export function replyOf(id: string): unknown {
  replies ??= JSON.parse(readFileSync(REPLIES_FILE, 'utf8')) as Record<string, unknown>;
  return replies[id];
}

import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { summarize } from '../../support/replies.ts';
import type { Answer } from '../../support/worlds/world.ts';

export type Json = Record<string, unknown>;
/** A record as a document has it. */
export interface Filed {
  family: string;
  name: string;
  spec: Json;
  secrets: string[];
  acl?: { owner: string; sharing: string; perms: { read: string[]; write: string[] } };
}
export interface Document {
  format: string;
  format_version: number;
  records: Filed[];
}

export const COLLECTIONS = [
  'ml_mcp_connections',
  'ml_llm_connections',
  'ml_container_connections',
  'ml_vector_stores',
  'ml_registered_models',
  'ml_model_aliases',
  'ml_usage_limits',
  'ml_search_tools',
  'ml_masking_policies',
  'ml_experiments',
  'ml_experiment_history',
  'ml_agents',
];

const secret = (what: string) => `canary-7c41d0-${what}`;

/** Of the records below, as an import takes them. */
export const SECRETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'mcp-connections/Tracker': {
    'details.token': secret('mcp-token'),
    'details.client_secret': secret('client'),
    'details.refresh_token': secret('refresh'),
    'details.headers.X\\.Api-Key': secret('header'),
  },
  'llm-providers/General_Chat/Team/gpt-4.1': {
    'servicesettings.access_token.value': secret('llm'),
    'servicesettings.headers.value.X\\.Team': secret('llm-header'),
    'gateway.list.0.api_key': secret('gateway'),
  },
  'container-connections/docker/Lab': { api_token: secret('api-token'), jupyter_passwd: secret('jupyter') },
  'vector-stores/Handbook': { 'details.cloud_access_key_token': secret('store') },
  'model-registrations/forecast': { 'cloud_credentials.secret_access_key': secret('sagemaker') },
};
export const CANARIES = Object.values(SECRETS).flatMap((each) => Object.values(each));

type Call = (method: string, path: string, body?: object) => Promise<Answer>;

const acl = { sharing: 'app', perms: { read: ['*'], write: ['power'] } };
const values = (name: string) => SECRETS[name] ?? {};

/** Records of all families, with every kind of secret. @param host where their servers are */
export async function furnish(call: Call, host: string): Promise<void> {
  const send = async (path: string, body: object) => {
    const reply = await call('POST', path, body);
    expect(reply.status, `${path} ${summarize(reply)}`).to.equal(200);
  };
  const mcp = values('mcp-connections/Tracker');
  await send('/mcp_connection', {
    name: 'Tracker',
    type: 'ISSUE_TRACKER',
    description: 'Issues of the desk',
    details: {
      url: `https://${host}/mcp`,
      token: mcp['details.token'],
      client_id: 'desk',
      client_secret: mcp['details.client_secret'],
      refresh_token: mcp['details.refresh_token'],
      is_auto_refresh_enabled: true,
      scope: 'read offline_access',
      unmask_kinds: ['host', 'user'],
      headers: { 'X.Api-Key': mcp['details.headers.X\\.Api-Key'] },
    },
    tools_allowed: ['search', 'close'],
    acl,
  });
  await send('/mcp_connection', { name: 'plain', type: 'PLATFORM', details: { url: `https://${host}/plain` } });
  const llm = values('llm-providers/General_Chat/Team/gpt-4.1');
  const servicesettings = {
    endpoint: { value: `https://${host}/v1`, label: 'Address' },
    access_token: { value: llm['servicesettings.access_token.value'] },
    headers: { value: { 'X.Team': llm['servicesettings.headers.value.X\\.Team'] } },
  };
  const gateway = { list: [{ api_key: llm['gateway.list.0.api_key'], region: 'north' }], 'with.dot': 1 };
  const team = { service: 'General_Chat', connection_name: 'Team' };
  await send('/aicommander', { ...team, model: 'gpt-4.1', servicesettings, gateway });
  await send('/aicommander', { ...team, model: 'org/gpt-4.1-mini', modelsettings: { max_tokens: { value: 64 } } });
  const container = values('container-connections/docker/Lab');
  await send('/container_connection', {
    payload: { container_type: 'docker', connection_name: 'Lab', docker_url: `https://${host}:2376`, ...container },
  });
  await send('/vector_stores', {
    name: 'Handbook',
    type: 'CLOUD_KB',
    details: {
      cloud_region: 'eu-central-1',
      kb_id: 'ABCDEFGHIJ',
      cloud_access_key_id: 'AKIAEXAMPLE',
      cloud_access_key_token: values('vector-stores/Handbook')['details.cloud_access_key_token'],
    },
    acl,
  });
  await send('/register_model', {
    model_name: 'forecast',
    endpoint_name: 'ready',
    cloud_credentials: {
      region: 'eu-central-1',
      access_key_id: 'AKIAEXAMPLE',
      secret_access_key: values('model-registrations/forecast')['cloud_credentials.secret_access_key'],
    },
    input_feature_map: { 'host.cpu': 'instances[*].cpu' },
    output_prediction_map: { 'predictions[*]': 'result' },
    batch_size: 7,
  });
  await send('/model_aliases', {
    name: 'default',
    targets: [
      { ...team, model: 'gpt-4.1' },
      { ...team, model: 'org/gpt-4.1-mini' },
    ],
    fallback_on: ['timeout'],
    defaults: { max_tokens: 200, system_prompt: 'Be brief.' },
    acl,
  });
  await send('/search_tools', {
    name: 'errors_of_host',
    search: 'search index=main host="$host$" | stats count by sourcetype',
    arguments: [{ name: 'host', type: 'string' }],
    earliest: '-4h',
    max_rows: 50,
    acl,
  });
  await send('/usage_limits', {
    name: 'Team',
    applies_to: { roles: ['user'], models: ['default'] },
    window: 'day',
    requests: 500,
    tokens: 1_000_000,
    is_enabled: false,
  });
  await send('/masking_policies', {
    name: 'Outside',
    applies_to: { services: ['General_Chat'], connections: ['team'], aliases: ['default'], roles: ['power'] },
    kinds: { key: 'mask', email: 'refuse' },
    fields: ['customer'],
    never: ['*.example.com'],
    regions: ['DE'],
    images: 'refuse',
  });
  for (const description of ['the first', 'the second']) {
    await send('/experiments', {
      title: 'Disk space',
      type: 'smart_forecast',
      description,
      data_source: { search: 'index=os', earliest: '-7d' },
      search_stages: [{ role: 'fit', search: '| fit X', model_name: 'disk', parameters: { b: 1, a: [{}] } }],
      statistics: { r2: 0.9, deep: { z: 1 } },
      schedule: { cron: '0 4 * * *' },
      tags: ['os'],
      acl,
    });
  }
  await send('/agents', {
    name: 'triage',
    description: 'Sorts what comes in',
    task_prompt: 'Sort it',
    llm: { ...team, model: 'gpt-4.1' },
    mcps: [{ name: 'Tracker', tools: ['search'] }],
    knowledge_bases: ['Handbook'],
    max_steps: 5,
    max_tokens_per_run: 20_000,
    approve_tools: 'always',
    approve_tools_named: ['Tracker__search'],
    on_unavailable: 'continue',
  });
  // Its runtime is ready: an agent on its way cannot be changed.
  await send('/agents/triage/status', { action: 'create' });
}

/** Text that holds none of the secrets, nor a mask: a document has neither. */
export function expectClean(what: unknown): void {
  const text = JSON.stringify(what);
  expect([...CANARIES, MASK].filter((one) => text.includes(one))).to.deep.equal([]);
}

/** `family/name action` of each record in a result. */
export const actionsOf = ({ json }: Answer): string[] =>
  json.result.map(({ family, name, action }: Json) => `${family}/${name} ${action}`);
export const resultOf = ({ json }: Answer, name: string) =>
  json.result.find((each: Json) => `${each.family}/${each.name}` === name);

/**
 * What a plan says of records, where the apply says it too. A plan does not look whether a secret that is sent is the stored one, so
 * that there the apply may change less: fewer secrets of an update, or nothing.
 */
export function asApplied(planned: Json[], applied: Json[]): Json[] {
  return planned.map((plan, index) => {
    const { action, changed } = applied[index] as { action: string; changed: string[] };
    const path = `${plan.family}/${plan.name}`;
    const paths = Object.keys(Object.entries(SECRETS).find(([name]) => name === path)?.[1] ?? {});
    const isSecret = (field: string) => paths.includes(field) || field.startsWith('servicesettings.');
    const left = (plan.changed as string[]).filter((field) => changed.includes(field) || !isSecret(field));
    if (plan.action !== 'update' || action !== 'unchanged' || left.length > 0) return { ...plan, changed: left };
    return { ...plan, action, changed: [] };
  });
}

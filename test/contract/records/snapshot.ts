import { openApi } from '../../../src/codegen/openapi/openapi.ts';
import { collections, families, table } from '../../../src/table.ts';
import { MemoryApp } from '../../support/memory/app.ts';

/** A family of records as callers write it. */
interface Sample {
  path: string;
  collection: string;
  nameField: string;
  /** A body without its name. */
  body: Record<string, unknown>;
}

const AWS = { cloud_region: 'eu-west-1', kb_id: 'ABCDEFGHIJ', role_arn: 'arn:aws:iam::123456789012:role/reader' };
const SECRET = 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY12';
const TARGET = { service: 'General_Chat', connection_name: 'main', model: 'gpt-4o' };

const SAMPLES: readonly Sample[] = [
  {
    path: '/vector_stores',
    collection: 'ml_vector_stores',
    nameField: 'name',
    body: {
      type: 'CLOUD_KB',
      description: 'docs',
      details: { ...AWS, cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_access_key_token: SECRET },
    },
  },
  {
    path: '/mcp_connection',
    collection: 'ml_mcp_connections',
    nameField: 'name',
    body: {
      type: 'ISSUE_TRACKER',
      description: 'tickets',
      tools_allowed: ['a', 'b', 'a'],
      details: {
        url: 'https://mcp.example/mcp',
        token: SECRET,
        client_id: 'client',
        client_secret: SECRET,
        refresh_token: SECRET,
        is_auto_refresh_enabled: true,
        token_url: 'https://mcp.example/token',
        scope: 'read write',
        verify_tls: true,
        headers: { 'X-Api-Key': SECRET },
      },
    },
  },
  {
    path: '/model_aliases',
    collection: 'ml_model_aliases',
    nameField: 'name',
    body: {
      description: 'chat',
      targets: [TARGET],
      strategy: 'spread',
      fallback_on: ['timeout', 'timeout', 'rate_limited'],
      defaults: { temperature: 1, max_tokens: 5, system_prompt: 'be brief' },
    },
  },
  {
    path: '/usage_limits',
    collection: 'ml_usage_limits',
    nameField: 'name',
    body: {
      description: 'few',
      window: 'day',
      applies_to: { users: ['a', 'a', 'b'], roles: [], operations: ['chat'], models: ['*'] },
      per: 'user',
      requests: 5,
      tokens: 6,
      cost: 7.5,
      action: 'warn',
      is_enabled: false,
    },
  },
  {
    path: '/masking_policies',
    collection: 'ml_masking_policies',
    nameField: 'name',
    body: {
      description: 'careful',
      applies_to: { services: ['General_Chat', 'General_Chat'], connections: [], roles: ['user'] },
      kinds: { key: 'mask', email: 'refuse' },
      fields: ['user', 'user'],
      never: ['*.example.com'],
      regions: ['DE', 'DE'],
      images: 'refuse',
      is_enabled: false,
    },
  },
  {
    path: '/register_model',
    collection: 'ml_registered_models',
    nameField: 'model_name',
    body: {
      endpoint_name: 'endpoint-1',
      cloud_credentials: {
        region: 'eu-west-1',
        access_key_id: 'AKIAIOSFODNN7EXAMPLE',
        secret_access_key: SECRET,
        role_arn: AWS.role_arn,
      },
      input_feature_map: { cpu: 'instances[*].cpu' },
      output_prediction_map: { 'predictions[*]': 'load' },
      batch_size: 10,
    },
  },
  {
    path: '/agents',
    collection: 'ml_agents',
    nameField: 'name',
    body: {
      description: 'helper',
      runtime_type: 'BUILT_IN',
      system_prompt: 'be brief',
      task_prompt: 'help',
      llm: { ...TARGET, max_tokens: 5, response_variability: 0.5 },
      mcps: [{ name: 'saved', tools: ['a', 'a'] }, { name: 'other' }],
      knowledge_bases: ['saved'],
      agent_timeout: 60,
      max_steps: 4,
      max_tokens_per_run: 1000,
      approve_tools: 'always',
      approve_tools_named: ['saved__a', 'saved__a'],
      output_schema: { type: 'object', properties: { weight: { type: 'integer' } } },
      on_unavailable: 'continue',
      check_evidence: true,
      on_unverified: 'fail',
      approval_timeout_s: 600,
      on_approval_timeout: 'cancel',
      is_enabled: false,
    },
  },
];

/** Each one takes the place of each field once. */
const VALUES: readonly unknown[] = [
  undefined,
  null,
  '',
  'x',
  '***MASKED***',
  5,
  -1,
  true,
  [],
  ['x', 'x'],
  {},
  { x: 1 },
];

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body with one field replaced, for each field and value; also for the fields of objects. */
function* variants(body: Json, path: readonly string[] = []): Generator<[title: string, body: Json]> {
  for (const [key, value] of Object.entries(body)) {
    const title = [...path, key].join('.');
    for (const other of VALUES) yield [`${title}=${JSON.stringify(other)}`, { ...body, [key]: other }];
    if (!isObject(value)) continue;
    for (const [inner, changed] of variants(value, [...path, key])) yield [inner, { ...body, [key]: changed }];
  }
}

/** The same data in one order of keys, and of lists whose order means nothing. */
function canonical(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item));
    const isSet = ['required', 'errors', 'x-error-codes', 'warnings'].includes(key);
    return isSet ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, canonical(member, name)]));
}

/** Ids and secrets are made anew by each run. */
const VOLATILE = new Set(['request_id', 'secret_ref', 'limit_id', 'order']);
const steady = (value: unknown): unknown =>
  canonical(JSON.parse(JSON.stringify(value, (key, member) => (VOLATILE.has(key) ? '' : member))));

async function writesOf({ path, collection, nameField, body }: Sample): Promise<Json> {
  const writes: Json = {};
  const app = new MemoryApp();
  app.user('root', { roles: ['admin'], capabilities: [...FULL] });
  const references: [string, object][] = [
    ['/mcp_connection', { name: 'saved', type: 'PLATFORM', details: { url: 'https://mcp.example' } }],
    ['/mcp_connection', { name: 'other', type: 'PLATFORM', details: { url: 'https://mcp.example' } }],
    ['/vector_stores', { name: 'saved', type: 'CLOUD_KB', details: AWS }],
    ['/aicommander', { ...TARGET, servicesettings: { access_token: { value: SECRET } } }],
  ];
  for (const [to, reference] of references) await app.call('root', 'POST', to, reference);
  const cases: [string, Json][] = [
    ['all', body],
    ...variants(body),
    ['acl', { ...body, acl: { sharing: 'app', perms: { read: ['*'] } } }],
    ['unknown', { ...body, other: 1 }],
  ];
  const stored = (): unknown => {
    const documents = app.site.records
      .all(collection)
      .filter((document) => String(document[nameField]).startsWith('r'));
    app.site.records.collection(collection).delete(documents[0]?._key ?? '');
    return documents;
  };
  for (const [title, changed] of cases) {
    const { status, json } = await app.call('root', 'POST', path, { [nameField]: 'r', ...changed });
    writes[`create ${title}`] = steady({ status, json, stored: stored() });
    await app.call('root', 'POST', path, { [nameField]: 'r', ...body });
    const updated = await app.call('root', 'PUT', path, { [nameField]: 'r', ...changed });
    writes[`update ${title}`] = steady({ status: updated.status, json: updated.json, stored: stored() });
  }
  const listed = await app.call('root', 'GET', path);
  writes.list = steady(listed.json);
  return writes;
}

const FULL = [
  ...new Set(table.flatMap(({ gate }) => (typeof gate === 'object' ? Object.values(gate).flat() : []))),
  'admin_all_objects',
] as string[];

/** The interface of all records: document, stored schemas, and what bodies are answered and leave. */
export async function snapshot(): Promise<Json> {
  const schemas = Object.entries(collections).map(([name, row]) => [
    name,
    canonical(JSON.parse(JSON.stringify(typeof row === 'object' ? (row.stored ?? null) : null))),
  ]);
  const records: Json = {};
  for (const sample of SAMPLES) records[sample.path] = await writesOf(sample);
  return {
    families: Object.keys(families),
    document: canonical(JSON.parse(JSON.stringify(openApi(table)))),
    schemas: Object.fromEntries(schemas),
    records,
  };
}

const isMembered = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Paths at which two values differ, with both. */
export function* differences(before: unknown, after: unknown, path = ''): Generator<string> {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (!isMembered(before) || !isMembered(after)) {
    yield `${path}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`;
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    yield* differences(before[key], after[key], `${path}/${key}`);
  }
}

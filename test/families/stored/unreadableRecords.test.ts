import { expect } from 'chai';
import { contract } from '#contract';
import { CAPABILITIES } from '../../../src/contract/capabilities.ts';
import { collections } from '../../../src/table.ts';
import { furnish } from '../../suites/configuration/site.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';

/** The collections whose documents are checked. */
const SHAPED = Object.keys(contract.stored);

const ALL = [...Object.keys(CAPABILITIES), 'admin_all_objects'];

/** Documents that the app cannot do without, or that it reads in a way of its own. */
const INTERNAL = [
  'ml_containers_installation',
  'ml_ctsm',
  'ml_doctor',
  'ml_masking_secret',
  'ml_platform_tokens',
  'ml_schema',
  'ml_leases',
  'ml_journal',
];

const LISTS = [
  ...['/mcp_connection', '/aicommander', '/container_connection/docker', '/test_container_connection'],
  ...['/container_data', '/container_logs', '/start_container', '/agents', '/experiments', '/experiments?detail=true'],
  ...['/vector_stores', '/register_model', '/list_models', '/list_connections', '/connection_health', '/audit'],
  ...[
    '/usage_limits',
    '/masking_policies',
    '/usage_limits/status',
    '/export',
    '/aicommander_metadata',
    '/ctsm_feature',
    '/stop_container',
    '/usage?by=user',
  ],
];
const SEARCHED = ['/mcp_connection', '/aicommander', '/experiments', '/vector_stores', '/agents', '/audit'];

/** How one record of a collection is addressed by the key that a test gives it. */
const ONE: Readonly<Record<string, (key: string) => { read: string; update?: [string, string, object] }>> = {
  ml_mcp_connections: (name) => ({
    read: `/mcp_connection/${name}`,
    update: ['PUT', '/mcp_connection', { name, description: 'x' }],
  }),
  ml_vector_stores: (name) => ({
    read: `/vector_stores/${name}`,
    update: ['PUT', '/vector_stores', { name, description: 'x' }],
  }),
  ml_registered_models: (name) => ({
    read: `/register_model?model_name=${name}`,
    update: ['PUT', '/register_model', { model_name: name, batch_size: 3 }],
  }),
  ml_agents: (name) => ({ read: `/agents/${name}`, update: ['PUT', '/agents', { name, description: 'x' }] }),
  ml_experiments: (id) => ({ read: `/experiments/${id}`, update: ['POST', `/experiments/${id}`, { tags: ['x'] }] }),
  ml_llm_connections: (key) => {
    const [, connection_name] = key.split('.');
    const model = { service: 'General_Chat', connection_name, model: 'm' };
    return {
      read: `/aicommander/General_Chat/${connection_name}/m`,
      update: ['POST', '/aicommander', { ...model, modelsettings: { max_tokens: { value: 65 } } }],
    };
  },
  ml_container_connections: (key) => {
    const [, connection_name] = key.split('.');
    const payload = { container_type: 'docker', connection_name, is_edit: 'true', docker_network: 'x' };
    return {
      read: `/container_connection/docker/${connection_name}`,
      update: ['POST', '/container_connection', { payload }],
    };
  },
  ml_audit: (id) => ({ read: `/audit/${id}` }),
};

/** The key of a document that the endpoints can address. */
function keyIn(collection: string, name: string): string {
  if (collection === 'ml_llm_connections') return `general_chat.${name}`;
  if (collection === 'ml_container_connections') return `docker.${name}`;
  const isId = collection === 'ml_experiments' || collection === 'ml_audit';
  return isId ? Buffer.from(name).toString('hex').padEnd(32, '0') : name;
}

/** Where another row deletes the record than the one that reads it. */
const DELETED_AT: Readonly<Record<string, (key: string) => string>> = {
  ml_containers: (key) => `/start_container/${key}`,
};

const part = { text: 'a', at: 0, spans: '[[0,1]]', vectors: 'AACAPwAAAAA=' };
const content = { features: ['a'], targets: ['b'], uploaded_at: 1, uploaded_by: 'root', sha256: 'x' };
const spec = ['image', 'image_reference', 'mode', 'runtime'].map((name) => [name, 'x']);
/** Documents that no call of this test makes. */
const MADE: Readonly<Record<string, Json>> = {
  ml_document_stores: {
    ...{ _key: 'kb', uid: 'u', record_created: 1, change: 2, floor: 0, passages: 1, dimensions: 2 },
    ...{ changed_at: 1, purged_at: 1 },
  },
  ml_documents: {
    ...{ _key: 'd', store: 'u', id: 'a', change: 1, state: 'stored', passages: 1, metadata: '{}', updated_at: 1 },
    ...{ bytes: 1, ...part },
  },
  ml_document_parts: { _key: 'd.1.1', store: 'u', document: 'd', change: 1, ...part },
  ml_uploaded_models: { _key: 'nobody.m', model_name: 'm', place: 'nobody', ...content },
  ml_mcp_listings: { _key: 'tracker', created_at: 1, tools: [], drift: { added: [], removed: [], changed: [] } },
  ml_mcp_accepted: { _key: 'b', connection: 'tracker', created_at: 1, written_at: 1, definitions: '[]' },
  ml_llm_models: { _key: 'general_chat', service: 'General_Chat', models: '[]', refreshed_at: 1 },
  ml_llm_cooldowns: { _key: 'c', connection: 'general_chat.a', model: 'm', reason: 'timeout', until: 1, pause_s: 10 },
  ml_usage: {
    ...{ _key: '0.p.0', kind: 'process', from: 0, to: 3600, member: 'one', sources: [], rows: '[]' },
  },
  ml_usage_counters: {
    ...{ _key: 'c.s1', kind: 'shard', counter: 'c', limit: 'l', ends: 1, process: 'p', member: 'one', at: 1 },
    ...{ requests: 1, tokens: 1, cost: 0, held: 0, open: [], returned: [] },
  },
  ml_runs: {
    ...{ _key: 'r', run_id: 'r', user: 'root', state: 'queued', input: 'x', history: [], worker: 'caller', waited: 0 },
    ...{ definition: { runtime_type: 'BUILT_IN', max_steps: 2, agent_timeout: 5, mcps: [] }, of_definition: true },
    ...{ started_at: 1, usage: { requests: 0, input_tokens: 0, output_tokens: 0 } },
  },
  ml_run_steps: { _key: 'r.0000', run_id: 'r', index: 0, kind: 'model', state: 'done', started_at: 1, calls: [] },
  ml_run_claims: {
    ...{ _key: 'r.0000.1', run_id: 'r', kind: 'call', index: 0, round: 1, claimed_at: 1 },
  },
  ml_alert_claims: {
    ...{ _key: 'row.1', kind: 'row', claim: 'row.1', run_id: 'r', holder: 'h', domain: 'd', until: 1, state: 'begun' },
    ends: 1,
  },
  ml_run_decisions: {
    ...{ _key: 'r.0000.1', run_id: 'r', index: 0, round: 1, decision: 'approve', decided_by: 'root', decided_at: 1 },
  },
  ml_containers: {
    ...{ _key: 'm', model: 'm', cluster: 'docker', connection_key: 'docker.lab', connection_name: 'Lab', id: 'c' },
    ...{ container_name: 'm', mark: 'k', step: '', started_at: 1, urls: {}, status: 'Active', pull_owner: '' },
    ...{ probe_failures: 0, reach: '', ...Object.fromEntries(spec) },
  },
};

function wrong(value: unknown): unknown {
  if (typeof value === 'string') return 5;
  return Array.isArray(value) ? { x: 5 } : 'wrong';
}

/** Documents of one field at most, and a sound one with each of its fields wrong. */
function damaged(collection: string, sound: Json): Json[] {
  const key = (name: string) => keyIn(collection, name);
  const fields = Object.keys(sound).filter((field) => field !== '_key');
  const docs: Json[] = [
    { _key: key('nothing') },
    { _key: key('named'), name: 'named', model_name: 'named', connection_name: 'named', model: 'named' },
    ...fields.map((field, at) => ({ ...sound, _key: key(`bad${at}`), [field]: wrong(sound[field]) })),
  ];
  for (const [at, field] of fields.entries()) {
    const value = sound[field];
    const isText = typeof value === 'string' && /^[[{]/.test(value);
    if (isText) docs.push({ ...sound, _key: key(`json${at}`), [field]: '7' });
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const [inner, part] of Object.keys(value).entries()) {
      const changed = { ...value, [part]: wrong((value as Json)[part]) };
      docs.push({ ...sound, _key: key(`deep${at}x${inner}`), [field]: changed });
    }
  }
  return docs;
}

describe('stored records that cannot be read', () => {
  let app: MemoryApp;

  beforeEach(async () => {
    app = new MemoryApp();
    app.user('root', { roles: ['admin'], capabilities: ALL });
    app.user('maker', { roles: ['ml_admin'], capabilities: Object.keys(CAPABILITIES) });
    app.user('guest', { roles: ['user'], capabilities: [] });
    app.user('lister', { roles: ['user'], capabilities: ['list_ai_commander_config'] });
    await furnish((method, path, body) => app.call('root', method, path, body), 'one.example');
  });

  const put = (collection: string, doc: Json) =>
    app.site.records.collection(collection).set(String(doc._key), JSON.stringify(doc));
  const soundOf = (collection: string): Json => {
    const [first] = app.site.records.all(collection);
    return (first as Json | undefined) ?? (MADE[collection] as Json);
  };
  /** The reply's code, where it is a 500 that no record explains. */
  const bugOf = ({ status, json }: { status: number; json: Json }) =>
    status >= 500 && !['unreadable_record', 'store_unavailable'].includes(String(json.error_code)) ? json : undefined;

  it('every collection of records has a shape', async () => {
    for (const collection of SHAPED) expect(await contract.stored[collection]?.shapes()).to.be.an('object');
    expect([...SHAPED].sort()).to.deep.equal(
      Object.keys(collections)
        .filter((name) => !INTERNAL.includes(name))
        .sort(),
    );
  });

  for (const collection of SHAPED) {
    it(`break no endpoint: ${collection}`, async () => {
      const docs = damaged(collection, soundOf(collection));
      for (const doc of docs) put(collection, doc);
      const paths = [
        ...LISTS,
        ...SEARCHED.map((path) => `${path}?search=a`),
        ...app.site.records.all('ml_experiments').map(({ _key }) => `/experiments/${_key}/history`),
      ];
      for (const path of paths) expect(bugOf(await app.call('root', 'GET', path)), path).to.equal(undefined);
      expect(bugOf(await app.call('root', 'POST', '/connection_health/check', {}))).to.equal(undefined);
      for (const { _key } of docs) {
        const key = String(_key);
        const one = ONE[collection]?.(key);
        const calls = [...(one ? [['GET', one.read] as const] : []), ...(one?.update ? [one.update] : [])];
        for (const [method, path, body] of calls as [string, string, object?][]) {
          expect(bugOf(await app.call('root', method, path, body)), `${method} ${path} ${key}`).to.equal(undefined);
        }
        const path = DELETED_AT[collection]?.(key) ?? (one && collection !== 'ml_audit' ? one.read : undefined);
        if (path) expect(bugOf(await app.call('root', 'DELETE', path)), `DELETE ${path}`).to.equal(undefined);
      }
    });
  }

  it('break no write where they are documents of the app itself', async () => {
    const doc = { family: 5, refs: 5, owner: 5, until: 'x', ttl: 'x', domain: 5, seen: 5, expires_at: 'x' };
    for (const collection of INTERNAL) {
      for (const [key, more] of [['a', {}] as const, ['b', { name: 'b' }] as const, ['c', doc] as const]) {
        put(collection, { _key: key, ...more });
        put(collection, { _key: `remote_clocks.${key}`, ...more });
      }
    }
    const name = 'fresh';
    const details = { url: 'https://one.example/mcp' };
    const calls: [string, string, object?][] = [
      ['POST', '/mcp_connection', { name, type: 'PLATFORM', details }],
      ['PUT', '/mcp_connection', { name, description: 'x' }],
      ['DELETE', `/mcp_connection/${name}`],
    ];
    for (const call of calls) expect((await app.call('root', ...call)).status, call.join(' ')).to.equal(200);
  });

  it('are left out of lists, and named to those who may write in their family', async () => {
    put('ml_mcp_connections', { _key: 'broken', name: 'broken' });
    for (const user of ['root', 'maker']) {
      const { status, json } = await app.call(user, 'GET', '/mcp_connection');
      expect(status).to.equal(200);
      expect(json.result.map(({ name }: Json) => name)).not.to.include('broken');
      expect(json.pagination.total).to.equal(json.result.length);
      expect(json.warnings.join()).to.include('broken').and.to.include('ml_mcp_connections');
    }
    expect((await app.call('guest', 'GET', '/mcp_connection')).json).not.to.have.property('warnings');
    expect(app.site.log.text()).to.include('"collection":"ml_mcp_connections","key":"broken"');
  });

  it('are left out of lists that the store pages', async () => {
    const before = (await app.call('root', 'GET', '/experiments')).json.pagination.total;
    put('ml_experiments', { _key: 'broken', title: 'broken', title_key: 'broken', experiment_id: 'broken' });
    const { json } = await app.call('root', 'GET', '/experiments');
    expect(json.pagination).to.include({ total: before, returned: before, has_more: false });
    expect(json.warnings.join()).to.include('broken');
    const seen: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Json = (await app.call('root', 'GET', `/experiments?count=1&offset=${offset}`)).json;
      seen.push(...(page.result as Json[]).map(({ experiment_id }) => String(experiment_id)));
      offset = (page.pagination as { next_offset: number | null }).next_offset;
    }
    expect(new Set(seen).size).to.equal(before);
    expect(seen).to.have.length(before);
  });

  it('are in GET /ml/health for administrators', async () => {
    put('ml_agents', { _key: 'broken' });
    const broken = { collection: 'ml_agents', key: 'broken' };
    expect((await app.call('root', 'GET', '/health')).json.unreadable).to.deep.equal([broken]);
    expect((await app.call('maker', 'GET', '/health')).json).not.to.have.property('unreadable');
  });

  for (const [collection, address] of Object.entries(ONE).filter(([name]) => name !== 'ml_audit')) {
    it(`cannot be read or changed, and only an administrator can delete them: ${collection}`, async () => {
      const key = keyIn(collection, 'broken');
      const { read, update } = address(key);
      const secret_ref = 'ref-of-broken';
      app.site.secrets.values.set(secret_ref, '{}');
      put(collection, { _key: key, name: 'broken', secret_ref });
      for (const call of [['GET', read] as const, update ?? (['GET', read] as const)]) {
        const { status, json } = await app.call('root', ...(call as [string, string, object?]));
        expect([status, json.error_code], call.join(' ')).to.deep.equal([500, 'unreadable_record']);
      }
      expect((await app.call('maker', 'DELETE', read)).json.error_code).to.equal('unreadable_record');
      expect((await app.call('root', 'DELETE', read)).status).to.equal(200);
      expect(app.site.records.collection(collection).has(key)).to.equal(false);
      expect(app.site.secrets.values.has(secret_ref)).to.equal(false);
      expect((await app.call('root', 'GET', read)).status).to.equal(404);
    });
  }

  it('leave the secret of another record alone when they are deleted', async () => {
    const [sound] = app.site.records.all('ml_mcp_connections').filter(({ secret_ref }) => secret_ref);
    put('ml_mcp_connections', { _key: 'broken', secret_ref: sound?.secret_ref });
    expect((await app.call('root', 'DELETE', '/mcp_connection/broken')).status).to.equal(200);
    expect(app.site.secrets.values.has(String(sound?.secret_ref))).to.equal(true);
  });
});

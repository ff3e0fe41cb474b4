import { expect } from 'chai';
import type { Capability } from '../../src/contract/capabilities.ts';
import { type MadeCertificate, makeCertificate } from '../support/peers/certificates.ts';
import { jwt } from '../support/records/jwt.ts';
import { KEY } from '../support/records/llmBlob.ts';
import { pageOf, summarize } from '../support/replies.ts';
import type { OpenWorld } from '../support/worlds/world.ts';

const DAY_S = 86_400;
const MCP = 'ml_mcp_connections';
const LLM = 'ml_llm_connections';
const ENGINES = 'ml_container_connections';
const STORES = 'ml_vector_stores';
const MODELS = 'ml_registered_models';
const ALIASES = 'ml_model_aliases';
const COLLECTIONS = [MCP, LLM, ENGINES, STORES, MODELS, ALIASES, 'ml_mcp_listings', 'ml_agents', 'ml_containers'];
const TOKEN = 'canary-token-5f0c9d55e2a8';
const KEYS = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_access_key_token: 'canary/key+9d55e2a8XXXXXXXXX' };

const ONLY: Capability[] = ['list_ai_commander_config', 'list_container_connections', 'register_ml_models'];
const EVERYONE = { sharing: 'app', perms: { read: ['*'], write: [] } };

/** Rows of connection_health (contract 13), in any world; connectionChecks.ts runs the checks. */
export function connectionHealthSuite(open: OpenWorld): void {
  const world = open({
    users: {
      ...{ anna: ['ml_admin'], modeller: ['ml_user'], root: ['admin'], carl: ['user'] },
      ...Object.fromEntries(ONLY.map((name) => [name, ['user', `only_${name}`]])),
    },
    roles: Object.fromEntries(ONLY.map((name) => [`only_${name}`, [name]])),
    collections: COLLECTIONS,
    servers: true,
  });

  const list = async (user = 'anna', query = '') => {
    const { status, json } = await world.call(user, 'GET', `/connection_health${query}`);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const rowsOf = async (user?: string, query?: string) => (await list(user, query)).result;
  const only = async (user?: string) => {
    const rows = await rowsOf(user);
    expect(rows).to.have.length(1);
    return rows[0];
  };
  const post = async (path: string, body: object, user = 'anna') => {
    const reply = await world.call(user, 'POST', path, body);
    expect(reply.status, summarize(reply)).to.equal(200);
  };
  const mcp = (name: string, details: object = {}, more: object = {}, user = 'anna') =>
    post(
      '/mcp_connection',
      { name, type: 'PLATFORM', details: { url: 'https://tools.example/mcp', token: TOKEN, ...details }, ...more },
      user,
    );
  const store = (name: string, more: object = {}, user = 'anna') =>
    post(
      '/vector_stores',
      { name, type: 'CLOUD_KB', details: { ...KEYS, cloud_region: 'eu-central-1', kb_id: 'KB12345678' }, ...more },
      user,
    );
  const engine = (connection_name: string, more: object = {}) =>
    post('/container_connection', {
      payload: { container_type: 'docker', connection_name, docker_url: 'tcp://engine.example:2375', ...more },
    });
  const cluster = (connection_name: string, more: object = {}) =>
    engine(connection_name, {
      container_type: 'kubernetes',
      docker_url: '',
      cluster_url: 'https://cluster.example:6443',
      auth_mode: 'user-token',
      user_token: TOKEN,
      ...more,
    });
  const llm = (connection_name: string, model = 'gpt-a', settings: object = {}, more: object = {}) =>
    post('/aicommander', {
      service: 'General_Chat',
      connection_name,
      model,
      servicesettings: {
        endpoint: { value: 'https://llm.example/v1' },
        access_token: { value: KEY },
        ...settings,
      },
      ...more,
    });
  const TEAM = { service: 'General_Chat', connection_name: 'team', model: 'gpt-a' };
  const SPARE = { service: 'General_Chat', connection_name: 'Spare', model: 'gpt-b' };
  const alias = (name: string, targets: object[] = [TEAM, SPARE], more: object = {}) =>
    post('/model_aliases', { name, targets, ...more });
  /** Stores tests of models as the app itself would: connection -> error code, null for one that passed. */
  const testModels = async (outcomes: Readonly<Record<string, string | null>>) => {
    for (const record of await world.records(LLM)) {
      const { _key, connection_name, models } = record as { _key: string; connection_name: string; models: string };
      const code = outcomes[connection_name];
      if (code === undefined) continue;
      const tested = JSON.parse(models).map((one: object) => ({ ...one, last_test: lastTest(code) }));
      await world.store(LLM, { ...record, _key, models: JSON.stringify(tested) });
    }
  };
  const META = { version: 1, created_at: 1, created_by: 'x', last_updated_at: 1, last_updated_by: 'x' };
  const model = (model_name: string, more: object = {}) =>
    world.store(MODELS, {
      _key: model_name,
      model_name,
      endpoint_name: 'forecast',
      cloud_credentials: { region: 'eu-central-1' },
      input_feature_map: '{}',
      output_prediction_map: '{}',
      batch_size: 100,
      acl: { owner: 'anna', ...EVERYONE },
      secret_ref: null,
      secret_fields: [],
      ...META,
      ...more,
    });
  /** Changes the only record of a collection as the app itself would after a test. */
  const learn = async (collection: string, change: object) => {
    const [record] = await world.records(collection);
    await world.store(collection, { ...(record as { _key: string }), ...change });
  };
  const lastTest = (error_code: string | null = null, secondsAgo = 60) => ({
    status: error_code === null ? 'success' : 'fail',
    error_code,
    tested_at: world.now() - secondsAgo,
    response_time_ms: 5,
  });
  const ending = (days: number, more: object = {}) =>
    makeCertificate({ notBefore: new Date(0), notAfter: new Date((world.now() + days * DAY_S) * 1000), ...more });
  const nearly = (days: number) => [world.now() + days * DAY_S - 120, world.now() + days * DAY_S + 120] as const;

  it('is empty where nothing is stored', async () => {
    expect(await list()).to.deep.include({ status: 'success', message: '0 connections', result: [] });
  });

  it('shows a connection of each family, untested, in the order of the families', async () => {
    await mcp('tools');
    await llm('Team');
    await engine('lab');
    await store('handbook');
    await model('forecast');
    await alias('default', [TEAM]);
    const untested = { state: 'untested', reason: 'Not tested yet', last_test: {}, used_by: [] };
    const json = await list();
    expect(json.result).to.deep.equal([
      { family: 'mcp-connections', name: 'tools', type: 'PLATFORM', ...untested },
      { family: 'llm-providers', name: 'General_Chat/Team', type: 'General_Chat', ...untested, used_by: ['default'] },
      { family: 'container-connections', name: 'lab', type: 'docker', ...untested },
      { family: 'vector-stores', name: 'handbook', type: 'CLOUD_KB', ...untested },
      { family: 'model-registrations', name: 'forecast', type: 'cloud', ...untested },
      { family: 'model_aliases', name: 'default', type: 'alias', ...untested, reason: 'No target was tested yet' },
    ]);
    expect(json.pagination.total).to.equal(6);
    expect(json.message).to.equal('6 connections');
  });

  describe('what the last test found', () => {
    const FAMILIES: Record<string, { make(): Promise<unknown>; learn(last_test: object): Promise<void> }> = {
      'MCP connections': { make: () => mcp('tools'), learn: (last_test) => learn(MCP, { last_test }) },
      'container connections': { make: () => engine('lab'), learn: (last_test) => learn(ENGINES, { last_test }) },
      'vector stores': { make: () => store('handbook'), learn: (last_test) => learn(STORES, { last_test }) },
      'registered models': { make: () => model('forecast'), learn: (last_test) => learn(MODELS, { last_test }) },
      'LLM connections': {
        make: () => llm('Team'),
        learn: async (last_test) => {
          const [record] = await world.records(LLM);
          const [entry] = JSON.parse(String(record?.models));
          await learn(LLM, { models: JSON.stringify([{ ...entry, last_test }]) });
        },
      },
    };
    for (const [what, family] of Object.entries(FAMILIES)) {
      it(`of ${what} is their state`, async () => {
        await family.make();
        const good = lastTest();
        await family.learn(good);
        expect(await only()).to.deep.include({ state: 'ok', last_test: good, reason: 'The last test passed' });
        expect(await only()).to.not.have.any.keys('error_code', 'remedy', 'expires_at');
        const bad = lastTest('connection_refused');
        await family.learn(bad);
        const row = await only();
        expect(row).to.deep.include({ state: 'failing', last_test: bad, error_code: 'connection_refused' });
        expect(row.reason).to.contain('No server listens');
        expect(row.remedy).to.contain('Check that the server runs');
      });
    }

    it('shows reasons of an engine unchanged', async () => {
      await engine('lab');
      await learn(ENGINES, { last_test: lastTest('network_missing') });
      const row = await only();
      expect(row).to.include({ state: 'failing', error_code: 'network_missing' });
      expect(row.reason).to.contain('network_missing');
      expect(row.remedy).to.contain('Create the network');
    });

    it('a refused token of an MCP connection takes precedence', async () => {
      await mcp('tools', { ca_certificate: ending(-1, { ca: true }).cert });
      await learn(MCP, { auth_state: 'reauth_required', last_test: lastTest('auth_failed') });
      const row = await only();
      expect(row).to.include({ state: 'reauth_required', error_code: 'auth_failed' });
      expect(row.remedy).to.contain('Sign in');
    });

    it('shows the failed model of an LLM connection by name', async () => {
      await llm('Team', 'gpt-a');
      await llm('Team', 'gpt-b');
      const [record] = await world.records(LLM);
      const tests = { 'gpt-a': lastTest('model_not_found', 100), 'gpt-b': lastTest(null, 50) };
      const models = JSON.parse(String(record?.models)).map((one: { model: 'gpt-a' | 'gpt-b' }) => ({
        ...one,
        last_test: tests[one.model],
      }));
      await learn(LLM, { models: JSON.stringify(models) });
      const row = await only();
      expect(row).to.deep.include({ state: 'failing', error_code: 'model_not_found', last_test: tests['gpt-a'] });
      expect(row.reason).to.match(/^The model gpt-a: /);
    });

    it('drafts of LLM configurations are no connections', async () => {
      await llm('Team', 'draft', {}, { is_model_saved: false });
      expect(await rowsOf()).to.deep.equal([]);
    });
  });

  describe('expiry', () => {
    const certificates = new Map<number, MadeCertificate>();
    const certificate = (days: number) => {
      const made = certificates.get(days) ?? ending(days);
      certificates.set(days, made);
      return made;
    };
    const docker = ({ cert, key }: MadeCertificate, more: object = {}) =>
      engine('lab', { docker_url: 'tcp://engine.example:2376', client_cert: cert, client_key: key, ...more });

    type Tested = { code?: string; secondsAgo?: number } | undefined;
    const CLIENT_CERTIFICATES: [what: string, days: number, tested: Tested, expected: object][] = [
      ['in 3 days, after a test that passed', 3, {}, { state: 'expiring' }],
      ['in 3 days, untested', 3, undefined, { state: 'expiring' }],
      ['in 20 days, after a test that passed', 20, {}, { state: 'ok' }],
      ['in 20 days, untested', 20, undefined, { state: 'untested' }],
      ['yesterday, untested', -1, undefined, { state: 'failing', error_code: 'tls_expired' }],
      ['yesterday, tested before', -1, { secondsAgo: 2 * DAY_S }, { state: 'failing' }],
      [
        'yesterday, after a test that failed',
        -1,
        { code: 'tls_protocol' },
        { state: 'failing', error_code: 'tls_protocol' },
      ],
      ['yesterday, after a test that passed all the same', -1, {}, { state: 'expiring' }],
    ];
    for (const [what, days, tested, expected] of CLIENT_CERTIFICATES) {
      it(`a client certificate that ends ${what}`, async () => {
        await docker(certificate(days));
        if (tested) await learn(ENGINES, { last_test: lastTest(tested.code ?? null, tested.secondsAgo) });
        const row = await only();
        expect(row).to.include(expected);
        expect(row.expires_at).to.be.within(...nearly(days));
        if (row.state !== 'expiring') return;
        expect(row.reason).to.match(
          days < 0 ? /The client certificate expired on / : /^The client certificate expires on \d{4}-\d\d-\d\d$/,
        );
        expect(row.remedy).to.contain('client_cert');
      });
    }

    it('the soonest of client certificate and CA counts, and of several in one text', async () => {
      await docker(certificate(20), { cluster_ca: `${certificate(40).cert}${certificate(3).cert}` });
      const row = await only();
      expect(row.state).to.equal('expiring');
      expect(row.expires_at).to.be.within(...nearly(3));
      expect(row.reason).to.contain('CA certificate of the engine');
    });

    it('over plain http no certificate means anything', async () => {
      const { cert, key } = certificate(-1);
      await engine('lab', { client_cert: cert, client_key: key });
      expect(await only())
        .to.include({ state: 'untested' })
        .and.not.have.property('expires_at');
    });

    it('a cluster: its CA, and the certificate of the user where that is the way to sign in', async () => {
      await cluster('prod', { cluster_ca: certificate(3).cert });
      expect((await only()).expires_at).to.be.within(...nearly(3));
      const { cert: client_cert, key: client_key } = certificate(-1);
      await cluster('prod', { is_edit: 'true', client_cert, client_key });
      expect(await only()).to.include({ state: 'expiring' });
      await cluster('prod', { is_edit: 'true', auth_mode: 'cert-key' });
      expect(await only()).to.include({ state: 'failing' });
    });

    it('a token of a cluster that says when it ends', async () => {
      await cluster('prod', { user_token: jwt(world.now() + 3 * DAY_S) });
      const row = await only();
      expect(row).to.include({ state: 'expiring' });
      expect(row.expires_at).to.be.within(...nearly(3));
      expect(row.reason).to.contain('token of the user');
      await cluster('prod', { is_edit: 'true', user_token: undefined, storage_class: 'fast' });
      expect((await only()).state, 'another change keeps it').to.equal('expiring');
      await cluster('prod', { is_edit: 'true', user_token: 'opaque' });
      expect(await only())
        .to.include({ state: 'untested' })
        .and.not.have.property('expires_at');
    });

    it('a CA certificate of MCP and LLM connections', async () => {
      const { cert } = certificate(3);
      await mcp('tools', { ca_certificate: cert });
      await llm('Team', 'gpt-a', { ca_certificate: { value: cert } });
      const rows = await rowsOf();
      expect(rows.map((row: { state: string }) => row.state)).to.deep.equal(['expiring', 'expiring']);
      for (const row of rows) expect(row.expires_at).to.be.within(...nearly(3));
      await mcp('unverified', { ca_certificate: cert, verify_tls: false });
      expect((await rowsOf('anna', '?search=unverified'))[0]).to.include({ state: 'untested' });
    });

    it('an access token of an MCP connection, unless the app renews it by itself', async () => {
      const token = jwt(world.now() + 3 * DAY_S);
      await mcp('tools', { token });
      const row = await only();
      expect(row.state).to.equal('expiring');
      expect(row.expires_at).to.be.within(...nearly(3));
      expect(row.reason).to.contain('access token');
      const renews = { client_id: 'me', refresh_token: 'canary-refresh', is_auto_refresh_enabled: true };
      await mcp('renewed', { token, ...renews }, { type: 'ISSUE_TRACKER' });
      const [renewed] = await rowsOf('anna', '?search=renewed');
      expect(renewed).to.include({ state: 'untested' }).and.not.have.property('expires_at');
      expect(await world.leaks(token, 'canary-refresh')).to.deep.equal([]);
    });
  });

  describe('aliases', () => {
    const aliasRow = async (user = 'anna') => (await rowsOf(user, '?family=model_aliases'))[0];
    beforeEach(async () => {
      await llm('Team');
      await llm('Spare', 'gpt-b');
      await alias('default');
    });

    it('are untested until a target was tested, and fail when all of them do', async () => {
      expect(await aliasRow()).to.deep.equal({
        ...{ family: 'model_aliases', name: 'default', type: 'alias', state: 'untested' },
        ...{ reason: 'No target was tested yet', last_test: {}, used_by: [] },
      });
      await testModels({ Team: 'auth_failed' });
      const some = await aliasRow();
      expect(some).to.include({ state: 'ok' }).and.not.have.property('error_code');
      expect(some.reason).to.match(/^1 target failing. team\/gpt-a: /);
      await testModels({ Spare: 'timeout' });
      const all = await aliasRow();
      expect(all).to.include({ state: 'failing', error_code: 'auth_failed' });
      expect(all.reason).to.contain('team/gpt-a').and.to.contain('Spare/gpt-b');
      expect(all.last_test).to.include({ status: 'fail', error_code: 'auth_failed' });
      await testModels({ Spare: null });
      expect(await aliasRow()).to.deep.include({ state: 'ok', reason: some.reason });
      await testModels({ Team: null });
      expect((await aliasRow()).reason).to.equal('The last tests of its targets passed');
    });

    it('fail when their configurations are gone', async () => {
      for (const path of ['Team/gpt-a', 'Spare/gpt-b'])
        await world.call('anna', 'DELETE', `/aicommander/General_Chat/${path}?force=true`);
      expect(await aliasRow()).to.include({ state: 'failing', error_code: 'unknown_reference' });
    });

    it('expire with the certificate of a target', async () => {
      await llm('Spare', 'gpt-b', { ca_certificate: { value: ending(3).cert } });
      const row = await aliasRow();
      expect(row).to.include({ state: 'expiring' });
      expect(row.reason).to.match(/^Spare\/gpt-b: A CA certificate expires on/);
      expect(row.expires_at).to.be.within(...nearly(3));
    });

    it('are shown to their readers, and stand beside the connections that they use', async () => {
      await alias('common', [TEAM], { acl: EVERYONE });
      await world.store('ml_agents', {
        ...{ _key: 'a', name: 'helper', mcps: [], knowledge_bases: [], llm: { model: 'COMMON' } },
        acl: { owner: 'anna', ...EVERYONE },
      });
      const used = async (user: string) =>
        Object.fromEntries(
          (await rowsOf(user)).map((row: { name: string; used_by: string[] }) => [row.name, row.used_by]),
        );
      expect(await used('carl')).to.deep.equal({ common: ['helper'] });
      expect(await used('anna')).to.deep.equal({
        ...{ common: ['helper'], default: [] },
        ...{ 'General_Chat/Spare': ['default'], 'General_Chat/Team': ['common', 'default'] },
      });
    });
  });

  describe('visibility', () => {
    it('shows a row to users who may read the record', async () => {
      await mcp('private');
      await mcp('shared', {}, { acl: EVERYONE });
      await store('secret');
      await store('common', { acl: EVERYONE });
      const names = async (user: string) => (await rowsOf(user)).map((row: { name: string }) => row.name);
      expect(await names('carl')).to.deep.equal(['shared', 'common']);
      expect((await list('carl')).pagination.total).to.equal(2);
      expect(await names('root')).to.deep.equal(['private', 'shared', 'common', 'secret']);
    });

    it('shows families with a gate only to users with the capability', async () => {
      await llm('Team');
      await engine('lab');
      await model('forecast');
      const families = async (user: string) => (await rowsOf(user)).map((row: { family: string }) => row.family);
      expect(await families('carl')).to.deep.equal([]);
      expect(await families('list_ai_commander_config')).to.deep.equal(['llm-providers']);
      expect(await families('list_container_connections')).to.deep.equal(['container-connections']);
      expect(await families('register_ml_models')).to.deep.equal(['model-registrations']);
      expect(await families('modeller')).to.deep.equal(['llm-providers', 'container-connections']);
    });

    it('names the agents that the caller may read, and the models that run through an engine', async () => {
      await mcp('Tools', {}, { acl: EVERYONE });
      await store('handbook', { acl: EVERYONE });
      await llm('Team');
      await engine('lab');
      const agent = (name: string, more: object) => ({
        ...{ _key: name, name, mcps: [{ name: 'tools', tools: [] }], knowledge_bases: ['Handbook'], ...META },
        llm: { service: 'General_Chat', connection_name: 'team', model: 'gpt-a' },
        ...{ acl: { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } }, ...more },
      });
      await world.store('ml_agents', agent('triage', {}));
      await world.store('ml_agents', agent('helper', { acl: { owner: 'anna', ...EVERYONE } }));
      await world.store('ml_agents', agent('teller', { mcps: [], knowledge_bases: [], llm: { model: 'TEAM/gpt-a' } }));
      await world.store(
        'ml_agents',
        agent('stranger', { mcps: [], knowledge_bases: [], llm: { model: 'team/gpt-z' } }),
      );
      await world.store('ml_containers', { _key: 'm', model: 'forecaster', connection_key: 'docker.lab' });
      const used = async (user: string) =>
        Object.fromEntries(
          (await rowsOf(user)).map((row: { name: string; used_by: string[] }) => [row.name, row.used_by]),
        );
      const both = ['helper', 'triage'];
      expect(await used('anna')).to.deep.equal({
        ...{ Tools: both, handbook: both, 'General_Chat/Team': ['helper', 'teller', 'triage'] },
        lab: ['forecaster'],
      });
      expect(await used('carl')).to.deep.equal({ Tools: ['helper'], handbook: ['helper'] });
      expect(
        await used('list_container_connections'),
        'who may not see containers sees no models',
      ).to.include.deep.keys('lab');
      expect((await used('list_container_connections')).lab).to.deep.equal([]);
    });
  });

  describe('lists', () => {
    beforeEach(async () => {
      await mcp('beta');
      await mcp('Alpha');
      await engine('same', { client_cert: undefined });
      await cluster('same');
      await store('gamma');
      const records = await world.records(MCP);
      for (const record of records) {
        const last_test = record.name === 'beta' ? lastTest('timeout') : lastTest();
        await world.store(MCP, { ...(record as { _key: string }), last_test });
      }
    });
    const names = async (query: string) => (await rowsOf('anna', query)).map((row: { name: string }) => row.name);

    it('a container connection whose name is that of two has its type before it', async () => {
      expect(await names('')).to.deep.equal(['Alpha', 'beta', 'docker/same', 'kubernetes/same', 'gamma']);
    });

    it('filter, search, sort and page', async () => {
      expect(await names('?family=mcp-connections')).to.deep.equal(['Alpha', 'beta']);
      expect(await names('?state=failing')).to.deep.equal(['beta']);
      expect(await names('?family=vector-stores&state=untested')).to.deep.equal(['gamma']);
      expect(await names('?search=KUBER')).to.deep.equal(['kubernetes/same']);
      expect(await names('?search=did%20not%20answer')).to.deep.equal(['beta']);
      expect(await names('?sort_key=name&sort_dir=desc')).to.deep.equal([
        ...['kubernetes/same', 'gamma', 'docker/same', 'beta', 'Alpha'],
      ]);
      expect(await names('?sort_key=state')).to.deep.equal([
        'beta',
        'docker/same',
        'kubernetes/same',
        'gamma',
        'Alpha',
      ]);
      const page = await list('anna', '?count=2&offset=1');
      expect(page.result.map((row: { name: string }) => row.name)).to.deep.equal(['beta', 'docker/same']);
      expect(page.pagination).to.deep.equal(pageOf(5, 2, 1));
    });

    it('refuse bad values by their field', async () => {
      for (const query of ['family=containers', 'family=x', 'state=bad', 'count=-1', 'sort_key=remedy']) {
        const reply = await world.call('anna', 'GET', `/connection_health?${query}`);
        expect(`${reply.status} ${reply.json.error_code}`, query).to.equal('400 validation_failed');
        expect(reply.json.errors[0].field).to.equal(query.split('=')[0]);
      }
    });
  });

  it('shows no secret and leaves none behind', async () => {
    await mcp('tools');
    await store('handbook');
    await llm('Team');
    await cluster('prod');
    const text = JSON.stringify(await list());
    const canaries = [TOKEN, KEY, KEYS.cloud_access_key_token];
    for (const canary of canaries) expect(text).to.not.contain(canary);
    expect(await world.leaks(...canaries)).to.deep.equal([]);
  });
}

import { expect } from 'chai';
import { CAPABILITIES } from '../../src/contract/capabilities.ts';
import { OutboundError } from '../../src/contract/codes/outbound.ts';
import { Retention } from '../../src/domain/audit/retention.ts';
import { AUDIT, type AuditStored } from '../../src/domain/audit/stored.ts';
import { table } from '../../src/table.ts';
import { type Json, MemoryApp } from '../support/memory/app.ts';
import { type FaultMode, FaultPlan } from '../support/memory/faults.ts';

const CANARY = 'canary-5d1c0f88ab';
const MCP = {
  name: 'Desk',
  type: 'PLATFORM',
  description: 'first',
  details: { url: 'https://mcp.example.com/mcp', token: CANARY },
};

describe('the audit trail', () => {
  let app: MemoryApp;

  beforeEach(() => {
    app = new MemoryApp();
    app.user('anna', { roles: ['ml_admin'], capabilities: Object.keys(CAPABILITIES) });
    app.user('ben', { roles: ['user'] });
    app.roles.define(['ml_admin', 'user'], {});
  });

  const { random } = Math;
  afterEach(() => {
    Math.random = random;
  });

  const call = (method: string, path: string, body?: unknown, user = 'anna') => {
    app.site.clock.advance(10);
    return app.call(user, method, path, body);
  };
  const entries = async (query = ''): Promise<Json[]> => (await app.call('anna', 'GET', `/audit?${query}`)).json.result;
  const newest = async (): Promise<Json> => (await entries('count=1'))[0] ?? {};

  it('has an action for every row that is no GET, and knows those that have none', () => {
    const unaudited = table.filter(({ method, audit }) => method !== 'GET' && !audit);
    expect(unaudited.every(({ unaudited: why }) => why !== undefined)).to.equal(true);
    const ofGateway = [
      'createChatCompletion',
      'createResponse',
      'createMessage',
      'countMessageTokens',
      'createEmbedding',
      'retrievePassages',
      'indexDocuments',
      'deleteDocuments',
      'predict',
      'beginPrediction',
      'endPrediction',
      'serveMcp',
      'serveMcpConnection',
      'callTool',
      'callSearchTool',
      'runBatch',
      'stepRun',
    ];
    expect(unaudited.map(({ id }) => id)).to.have.members(['followAgent', 'previewMaskingPolicy', ...ofGateway]);
    const reads = table.filter(({ method, audit }) => method === 'GET' && audit);
    expect(reads.map(({ id }) => id)).to.deep.equal(['readContainerLogs', 'exportConfiguration']);
  });

  it('says of a creation who made what, with every field and no secret', async () => {
    const made = await call('POST', '/mcp_connection', MCP);
    expect(made.status).to.equal(200);
    const entry = await newest();
    expect(entry).to.include({ user: 'anna', action: 'create', family: 'mcp-connections', name: 'Desk' });
    expect(entry).to.include({ outcome: 'success', version_after: 1, via: 'rest', request_id: 'request-1' });
    expect(entry).to.not.have.any.keys('version_before', 'error_code');
    expect(entry.audit_id).to.match(/^[0-9a-f]{32}$/);
    expect(entry.time).to.equal(app.site.clock.seconds());
    expect(entry.duration_ms).to.be.a('number');
    const changed = entry.changed as Json[];
    expect(changed).to.deep.include({ field: 'details.token', secret: 'set' });
    expect(changed).to.deep.include({ field: 'details.url', after: 'https://mcp.example.com/mcp' });
    expect(changed).to.deep.include({ field: 'acl.owner', after: 'anna' });
    expect(changed.map(({ field }) => field)).to.not.include.members(['version', 'created_at', 'secret_ref']);
    expect(app.leaks(CANARY)).to.deep.equal([]);
    expect((await app.call('anna', 'GET', `/audit/${entry.audit_id}`)).json.config).to.deep.equal(entry);
  });

  it('says of a change what it was and what it is, cut where it is long', async () => {
    await call('POST', '/mcp_connection', MCP);
    const long = 'x'.repeat(300);
    await call('PUT', '/mcp_connection', { name: 'desk', description: long, details: { token: `${CANARY}-2` } });
    const entry = await newest();
    expect(entry).to.include({ action: 'update', name: 'desk', version_before: 1, version_after: 2 });
    expect(entry.changed).to.deep.equal([
      { field: 'description', before: 'first', after: `${'x'.repeat(255)}…` },
      { field: 'details.token', secret: 'replaced' },
    ]);
    await call('PUT', '/mcp_connection', { name: 'Desk', details: { token: '' }, acl: { sharing: 'app' } });
    expect((await newest()).changed).to.deep.equal([
      { field: 'acl.sharing', before: 'user', after: 'app' },
      { field: 'details.token', secret: 'removed' },
    ]);
    await call('PUT', '/mcp_connection', { name: 'Desk', details: { token: CANARY } });
    await call('DELETE', '/mcp_connection/Desk');
    const last = await newest();
    expect(last).to.include({ action: 'delete', outcome: 'success', version_before: 4 });
    expect(last).to.not.have.property('version_after');
    expect(last.changed).to.deep.include({ field: 'details.token', secret: 'removed' });
    expect(last.changed).to.deep.include({ field: 'type', before: 'PLATFORM' });
    expect(app.leaks(CANARY)).to.deep.equal([]);
  });

  it('distinguishes create and update for each model of a connection', async () => {
    const llm = { service: 'General_Chat', connection_name: 'main', model: 'gpt-x' };
    const settings = { access_token: { value: CANARY }, endpoint: { value: 'https://llm.example.com/v1' } };
    const saved = await call('POST', '/aicommander', { ...llm, servicesettings: settings });
    expect(saved.status, JSON.stringify(saved.json)).to.equal(200);
    expect(await newest()).to.include({ action: 'create', name: 'General_Chat/main/gpt-x', version_after: 1 });
    await call('POST', '/aicommander', { ...llm, modelsettings: { temperature: { value: 0.5 } } });
    const entry = await newest();
    expect(entry).to.include({ action: 'update', version_before: 1, version_after: 2 });
    expect((entry.changed as Json[]).map(({ field }) => String(field))).to.satisfy((fields: string[]) =>
      fields.some((field) => field.startsWith('models.gpt-x.modelsettings.temperature')),
    );
    await call('POST', '/aicommander', { ...llm, model: 'gpt-y' });
    expect(await newest()).to.include({ action: 'create', name: 'General_Chat/main/gpt-y', version_after: 1 });
    expect(app.leaks(CANARY)).to.deep.equal([]);
  });

  it('keeps refusals, failures and tests that failed, each with its code', async () => {
    await call('POST', '/mcp_connection', MCP, 'ben');
    expect(await newest()).to.include({ user: 'ben', action: 'create', name: 'Desk', outcome: 'fail' });
    expect(await newest()).to.include({ error_code: 'missing_capability' });
    await call('POST', '/mcp_connection', { ...MCP, details: { url: 'nowhere' } });
    expect(await newest()).to.include({ name: 'Desk', outcome: 'fail', error_code: 'validation_failed' });
    // What would not have passed for a name may be anything, such as a key that was pasted into the wrong field.
    await call('POST', '/mcp_connection', { ...MCP, name: `${CANARY}/name` });
    expect(await newest()).to.include({ name: '', error_code: 'validation_failed' });
    await call('POST', '/mcp_connection', { ...MCP, name: `${CANARY}/name` }, 'ben');
    await call('DELETE', `/mcp_connection/${CANARY}%25`, undefined, 'ben');
    expect(await newest()).to.include({ name: '', error_code: 'missing_capability' });
    app.settings.stanzas = { feature_flags: { mcp_connections: '0' } };
    await call('DELETE', '/mcp_connection/Desk');
    expect(await newest()).to.include({ action: 'delete', outcome: 'fail', error_code: 'feature_disabled' });
    app.settings.stanzas = {};
    await call('DELETE', '/mcp_connection/Desk');
    expect(await newest()).to.include({ action: 'delete', outcome: 'fail', error_code: 'not_found' });
    await call('POST', '/mcp_connection', MCP);
    await call('POST', '/mcp_connection', { ...MCP, name: 'desk' });
    expect(await newest()).to.include({ name: 'desk', outcome: 'fail', error_code: 'duplicate_name' });
    // Nothing has the id that it would have had. That somebody else owns it is told by the handler, once the entry has begun.
    const body = { title: 'x', type: 'smart_forecast', acl: { owner: 'ben' } };
    app.user('cid', { roles: ['user'], capabilities: ['edit_experiments', 'list_experiments'] });
    expect((await call('POST', '/experiments', body, 'cid')).json.error_code).to.equal('acl_denied');
    expect(await newest()).to.include({ action: 'create', family: 'experiments', name: '', error_code: 'acl_denied' });
    app.peers.failure = new OutboundError('timeout', 'no answer');
    await call('POST', '/mcp_connection/test', { name: 'Desk' });
    expect(await newest()).to.include({ action: 'test', name: 'Desk', outcome: 'fail', error_code: 'timeout' });
    for (const entry of await entries()) {
      if (entry.outcome === 'fail') expect(entry.changed).to.deep.equal([]);
    }
    expect(app.leaks(CANARY)).to.deep.equal([]);
  });

  it('keeps the refresh of a token as work of the app itself', async () => {
    const details = {
      ...{ url: 'https://mcp.example/mcp', token: CANARY, client_id: 'client', client_secret: `${CANARY}-2` },
      ...{ refresh_token: `${CANARY}-3`, is_auto_refresh_enabled: true },
    };
    await call('POST', '/mcp_connection', { name: 'Desk', type: 'ISSUE_TRACKER', details });
    app.site.clock.advance(20 * 60_000);
    await call('POST', '/mcp_connection/test', { name: 'desk' });
    const [refresh] = await entries('action=token_refresh');
    expect(refresh).to.include({ user: 'splunk-system-user', name: 'Desk', via: 'worker', outcome: 'success' });
    expect(refresh?.changed).to.deep.equal([
      { field: 'details.token', secret: 'replaced' },
      { field: 'details.refresh_token', secret: 'replaced' },
    ]);
    app.peers.answer = () => ({ kind: 'invalid_grant', message: 'no' });
    app.site.clock.advance(60 * 60_000);
    await call('POST', '/mcp_connection/test', { name: 'desk' });
    expect((await entries('action=token_refresh'))[0]).to.include({ outcome: 'fail', error_code: 'reauth_required' });
    expect(app.leaks(CANARY)).to.deep.equal([]);
  });

  it('has one entry for a check of many connections', async () => {
    for (const name of ['One', 'Two']) await call('POST', '/mcp_connection', { ...MCP, name });
    app.peers.failure = new OutboundError('connection_refused', 'nobody there');
    expect((await call('POST', '/connection_health/check', { max_age_s: 0 })).status).to.equal(200);
    const tests = (await entries('action=test')).map(({ family, name, user, outcome }) => [
      family,
      name,
      user,
      outcome,
    ]);
    expect(tests).to.deep.equal([['connection-health', '', 'anna', 'success']]);
  });

  it('counts refusals of one user, action, family and code within a minute in one entry', async () => {
    const remove = (name: string, user = 'ben') => call('DELETE', `/mcp_connection/${name}`, undefined, user);
    await Promise.all(Array.from({ length: 20 }, (_, index) => remove(`n${index}`)));
    const [entry, ...others] = await entries('user=ben');
    expect(others).to.deep.equal([]);
    expect(entry).to.include({ action: 'delete', outcome: 'fail', error_code: 'missing_capability', count: 20 });
    expect(app.completed.filter(({ user }) => user === 'ben')).to.have.length(1);
    await call('POST', '/mcp_connection', MCP, 'ben');
    app.user('cid', { roles: ['user'] });
    await remove('n0', 'cid');
    app.settings.stanzas = { feature_flags: { mcp_connections: '0' } };
    await remove('n0', 'anna');
    app.settings.stanzas = {};
    app.site.clock.advance(60_000);
    await remove('n0');
    const all = (await entries()).map(({ user, action, error_code, count }) => [user, action, error_code, count]);
    expect(all).to.deep.equal([
      ['ben', 'delete', 'missing_capability', undefined],
      ['anna', 'delete', 'feature_disabled', undefined],
      ['cid', 'delete', 'missing_capability', undefined],
      ['ben', 'create', 'missing_capability', undefined],
      ['ben', 'delete', 'missing_capability', 20],
    ]);
    expect((await app.call('anna', 'GET', `/audit/${entry?.audit_id}`)).json.config).to.deep.equal(entry);
  });

  it('counts refusals by the access list of a record, whose entry had begun', async () => {
    const acl = { sharing: 'app', perms: { read: ['*'], write: ['ml_admin'] } };
    await call('POST', '/mcp_connection', { ...MCP, acl });
    app.user('cid', { roles: ['user'], capabilities: ['edit_agent_connections'] });
    for (let time = 0; time < 3; time++)
      expect((await call('PUT', '/mcp_connection', { name: 'Desk' }, 'cid')).status).to.equal(403);
    expect(await entries('user=cid')).to.have.length(1);
    expect((await entries('user=cid'))[0]).to.include({ error_code: 'acl_denied', outcome: 'fail', count: 3 });
  });

  it('has a separate entry when an earlier one cannot be read', async () => {
    const remove = (plan?: FaultPlan) =>
      app.request({ method: 'DELETE', path: '/ml/mcp_connection/Desk', sessionToken: 'ben' }, plan);
    await remove();
    const trace = new FaultPlan();
    await remove(trace);
    const at = trace.trace.indexOf(`find ${AUDIT}`) + 1;
    expect(at).to.be.greaterThan(0);
    expect((await remove(new FaultPlan(at, 'refused'))).status).to.equal(403);
    expect((await entries('user=ben')).map(({ count }) => count)).to.deep.equal([undefined, 2]);
  });

  it('counts reads of one log by one user within an hour in one entry', async () => {
    const read = (model: string, user = 'anna') => call('GET', `/container_logs?model=${model}`, undefined, user);
    app.user('cid', { roles: ['ml_admin'], capabilities: Object.keys(CAPABILITIES) });
    for (let time = 0; time < 3; time++) await read('churn');
    await read('other');
    await read('churn', 'cid');
    app.site.clock.advance(3_600_000);
    await read('churn');
    const all = (await entries('action=log_read')).map(({ user, name, count }) => [user, name, count]);
    expect(all).to.deep.equal([
      ['anna', 'churn', undefined],
      ['cid', 'churn', undefined],
      ['anna', 'other', undefined],
      ['anna', 'churn', 3],
    ]);
  });

  it('keeps what was done, however many refusals follow', async () => {
    app.settings.stanzas = { audit: { max_entries: '60' } };
    await call('POST', '/mcp_connection', MCP);
    for (let time = 0; time < 30; time++) {
      app.site.clock.advance(60_000);
      await call('DELETE', '/mcp_connection/Desk', undefined, 'ben');
    }
    expect((await entries('count=0')).map(({ user }) => user)).to.deep.equal(['ben', 'ben', 'anna']);
    for (let time = 0; time < 65; time++) await call('PUT', '/mcp_connection', { name: 'Desk' });
    const users = (await entries('count=0')).map(({ user }) => user);
    expect(users).to.have.length(62);
    expect(users.filter((user) => user === 'ben')).to.have.length(2);
    const [oldest] = app.site.records.all(AUDIT).filter(({ user }) => user === 'ben');
    expect((await app.call('anna', 'GET', `/audit/${oldest?._key}`)).status).to.equal(404);
  });

  it('keeps a share of the entries of a user who may edit nothing, and all that others have done', async () => {
    app.settings.stanzas = { audit: { max_entries: '60' } };
    app.user('cid', { roles: ['user'], capabilities: ['edit_agents'] });
    await call('POST', '/mcp_connection', MCP);
    const changes = async (user: string, count: number) => {
      for (let time = 0; time < count; time++) {
        const made = await call('POST', '/experiments', { title: `${user} ${time}`, type: 'smart_forecast' }, user);
        expect(made.status, JSON.stringify(made.json)).to.equal(200);
      }
    };
    await changes('ben', 80);
    const names = async () => (await entries('count=0')).map(({ user }) => user);
    expect(await names()).to.deep.equal([...Array(6).fill('ben'), 'anna']);
    // Whoever has a capability to edit has no share of their own, and takes the places of all.
    await changes('cid', 50);
    expect((await names()).filter((user) => user === 'anna')).to.have.length(1);
    await new Retention().clear(app.site.process(), { days: 90, entries: 60 });
    expect(app.site.records.all(AUDIT)).to.have.length(57);
    await changes('cid', 20);
    expect(await names()).to.deep.equal(Array(60).fill('cid'));
  });

  it('keeps an export, an import and each record that an import writes, and no plan without secrets', async () => {
    await call('POST', '/mcp_connection', MCP);
    await call('GET', '/export?family=mcp-connections');
    expect(await newest()).to.include({ action: 'export', family: 'configuration', name: 'mcp-connections' });
    const record = (name: string) => ({
      ...{ family: 'mcp-connections', name, secrets: ['details.token'] },
      spec: { name, type: 'PLATFORM', details: { url: 'https://mcp.example.com/mcp' } },
    });
    const document = { format: 'ml_extension', format_version: 1, records: [record('Desk'), record('New')] };
    const secrets = { 'mcp-connections/New': { 'details.token': `${CANARY}-new` } };
    const known = (await entries('count=0')).length;
    expect((await call('POST', '/import', { document })).status).to.equal(200);
    expect(await entries('count=0')).to.have.length(known);
    const applied = await call('POST', '/import', { document, secrets, mode: 'apply' });
    expect(applied.json.summary).to.include({ done: 2 });
    const made = (await entries('count=0')).slice(0, -known).map(({ action, family, name }) => [action, family, name]);
    expect(made.sort()).to.deep.equal([
      ['create', 'mcp-connections', 'New'],
      ['import', 'configuration', ''],
      ['update', 'mcp-connections', 'Desk'],
    ]);
    const ids = (await entries('count=3')).map(({ request_id }) => request_id);
    expect(new Set(ids).size).to.equal(1);
    await call('POST', '/import', { document, mode: 'apply' }, 'ben');
    expect((await entries('user=ben')).map(({ action, error_code }) => [action, error_code])).to.deep.equal([
      ['import', 'missing_capability'],
      ['import', undefined],
    ]);
    expect((await entries('user=ben'))[0]).to.include({ family: 'configuration', outcome: 'fail', count: 2 });
    expect(app.leaks(CANARY)).to.deep.equal([]);
  });

  it('does not keep reads and lists, nor calls of nobody', async () => {
    await call('GET', '/mcp_connection');
    await call('GET', '/container_logs');
    await call('GET', '/audit');
    await app.call('nobody', 'POST', '/mcp_connection', MCP);
    expect(app.site.records.all(AUDIT)).to.deep.equal([]);
    await call('GET', '/container_logs?model=churn');
    expect(await newest()).to.include({ action: 'log_read', family: 'containers', name: 'churn', outcome: 'fail' });
  });

  it('is read by those who may, and by nobody else', async () => {
    await call('POST', '/mcp_connection', MCP);
    const refused = await app.call('ben', 'GET', '/audit');
    expect([refused.status, refused.json.required]).to.deep.equal([403, ['list_ml_audit']]);
    const { audit_id } = await newest();
    expect((await app.call('ben', 'GET', `/audit/${audit_id}`)).status).to.equal(403);
    expect((await app.call('anna', 'GET', `/audit/${'0'.repeat(32)}`)).status).to.equal(404);
    expect((await app.call('anna', 'GET', '/audit/Desk')).status).to.equal(404);
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await app.call('anna', method, `/audit/${audit_id}`)).status).to.equal(405);
  });

  it('is filtered, searched and paged, newest first', async () => {
    for (const name of ['One', 'Two', 'Three']) await call('POST', '/mcp_connection', { ...MCP, name });
    await call('POST', '/mcp_connection', MCP, 'ben');
    const middle = app.site.clock.seconds();
    await call('DELETE', '/mcp_connection/Two');
    const names = async (query: string) => (await entries(query)).map(({ action, name }) => `${action} ${name}`);
    expect(await names('')).to.deep.equal(['delete Two', 'create Desk', 'create Three', 'create Two', 'create One']);
    expect(await names('sort_dir=asc&count=2')).to.deep.equal(['create One', 'create Two']);
    expect(await names('name=tWO')).to.deep.equal(['delete Two', 'create Two']);
    expect(await names('action=delete')).to.deep.equal(['delete Two']);
    expect(await names('user=ben')).to.deep.equal(['create Desk']);
    expect(await names('outcome=fail&family=mcp-connections')).to.deep.equal(['create Desk']);
    expect(await names('error_code=missing_capability')).to.deep.equal(['create Desk']);
    expect(await names('request_id=request-2')).to.deep.equal(['create Two']);
    expect(await names('search=thr')).to.deep.equal(['create Three']);
    expect(await names(`earliest=${middle + 0.001}`)).to.deep.equal(['delete Two']);
    expect(await names(`latest=${middle}`)).to.have.length(3);
    const { pagination } = (await app.call('anna', 'GET', '/audit?count=2&offset=1')).json;
    expect(pagination).to.include({ total: 5, returned: 2, has_more: true, next_offset: 3 });
    for (const query of ['action=stolen', 'family=x', 'outcome=', 'count=-1', 'earliest=yesterday', 'sort_key=user'])
      expect((await app.call('anna', 'GET', `/audit?${query}`)).status, query).to.equal(400);
  });

  it('is kept for so many days and in so many entries', async () => {
    await call('POST', '/mcp_connection', { ...MCP, name: 'Old' });
    app.site.clock.advance(3 * 86_400_000);
    for (const name of ['One', 'Two', 'Three']) await call('POST', '/mcp_connection', { ...MCP, name });
    expect(await entries()).to.have.length(4);
    app.settings.stanzas = { audit: { retention_days: '2' } };
    expect((await entries()).map(({ name }) => name)).to.deep.equal(['Three', 'Two', 'One']);
    app.settings.stanzas = { audit: { retention_days: '2', max_entries: '2' } };
    const { result, pagination } = (await app.call('anna', 'GET', '/audit')).json;
    expect(result.map(({ name }: Json) => name)).to.deep.equal(['Three', 'Two']);
    expect(pagination.total).to.equal(2);
    app.settings.stanzas = { audit: { retention_days: 'forever', max_entries: '-1' } };
    expect(await entries()).to.have.length(4);
    expect(app.site.log.text()).to.contain('setting_unreadable');
  });

  /** One request of each kind, on a site that has what they need. */
  const REQUESTS: readonly [string, string, object?][] = [
    ['POST', '/mcp_connection', { ...MCP, name: 'New' }],
    ['PUT', '/mcp_connection', { name: 'Desk', details: { token: 'another' } }],
    ['DELETE', '/mcp_connection/Desk'],
    ['POST', '/mcp_connection/test', { name: 'Desk' }],
    ['POST', '/mcp_connection/tools', { name: 'Desk' }],
    ['POST', '/experiments', { title: 'x', type: 'smart_forecast' }],
    ['POST', '/ctsm_feature', { ctsm_opt_out: true }],
    [
      'POST',
      '/vector_stores',
      { name: 'kb', type: 'CLOUD_KB', details: { kb_id: 'KB12345678', cloud_region: 'us-east-1' } },
    ],
    ['POST', '/agents', { name: 'triage' }],
  ];

  const written = (trace: readonly string[]) =>
    trace.filter((one) => /^(insert|replace|remove|removeWhere|put|create|write|delete) /.test(one));

  it('is written to before anything else is', async () => {
    for (const [method, path, body] of REQUESTS) {
      await call('POST', '/mcp_connection', MCP);
      const plan = new FaultPlan();
      await app.request(requestOf(method, path, body), plan);
      expect(written(plan.trace)[0], `${method} ${path}: ${plan.trace.join(', ')}`).to.equal(`insert ${AUDIT}`);
      expect(
        written(plan.trace).filter((one) => one.endsWith(AUDIT)),
        path,
      ).to.have.length(2);
    }
  });

  it('has an entry for all that was acknowledged, and for all that was done, whichever store call fails', async () => {
    let isOver = false;
    unrecordedEnds = 0;
    // Now and then a history is trimmed: the same calls have to come in the same order.
    Math.random = () => 0.99;
    for (const mode of ['refused', 'lost', 'crash'] as const satisfies readonly FaultMode[]) {
      for (const request of REQUESTS) {
        isOver = false;
        for (let at = 1; !isOver; at += 1) isOver = await failing(request, at, mode);
      }
    }
    // Each entry is looked for before it is replaced: either call can fail.
    expect(unrecordedEnds, 'requests that were done, and said that their end could not be taken down').to.equal(
      2 * REQUESTS.length,
    );
  });

  let unrecordedEnds = 0;
  /** @returns true when there is no such call any more */
  async function failing(
    [method, path, body]: (typeof REQUESTS)[number],
    at: number,
    mode: FaultMode,
  ): Promise<boolean> {
    app = new MemoryApp();
    app.user('anna', { roles: ['ml_admin'], capabilities: Object.keys(CAPABILITIES) });
    app.roles.define(['ml_admin'], {});
    await app.call('anna', 'POST', '/mcp_connection', MCP);
    const state = () =>
      JSON.stringify(
        [...app.site.records.collections.entries()]
          .filter(([name]) => ![AUDIT, 'ml_leases', 'ml_journal'].includes(name))
          .map(([name, docs]) => [name, [...docs.values()].sort()]),
      ) + app.cloud.calls.length;
    const [before, known] = [state(), app.site.records.all(AUDIT).length];
    const plan = new FaultPlan(at, mode);
    const reply = await app.request(requestOf(method, path, body), plan).catch(() => undefined);
    const what = `${method} ${path}, ${mode} at ${at} (${plan.trace[at - 1]})`;
    const left = app.site.records.all(AUDIT).slice(known) as unknown as AuditStored[];
    if (state() !== before) {
      expect(left, what).to.have.length(1);
      // Also of what the server names, and also when nobody could write down how it ended.
      const made = app.site.records.all('ml_experiments').map(({ _key }) => _key);
      if (made.length > 0) expect([left[0]?.name], what).to.deep.equal(made);
      else expect(left[0]?.name, what).to.not.equal('');
    }
    if (reply?.status === 200 && mode !== 'crash') {
      expect(left, what).to.have.length(1);
      const [entry] = left;
      const isTold = JSON.stringify(reply.json.warnings ?? []).includes('audit entry');
      if (isTold && mode === 'refused') unrecordedEnds += 1;
      expect(entry?.outcome, what).to.be.oneOf(isTold ? ['unknown', 'success'] : ['success']);
    }
    if (reply && mode === 'refused' && plan.trace[at - 1] === `insert ${AUDIT}`) {
      expect([reply.status, reply.json.error_code], what).to.deep.equal([503, 'store_unavailable']);
      expect(state(), what).to.equal(before);
      expect(left, what).to.deep.equal([]);
      // A store that hangs would be waited for at each further try.
      expect(plan.trace.slice(at), what).to.deep.equal([]);
    }
    return plan.calls < at;
  }

  function requestOf(method: string, path: string, body: object | undefined) {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return { method, path: `/ml${path}`, body: bytes, sessionToken: 'anna' };
  }
});

import { expect } from 'chai';
import { type Peer, sendJson, startHttp } from '../support/peers/listen.ts';
import { type Asked, MODEL, type ScriptedProvider, startProvider, WELL } from '../support/peers/llm.ts';
import { type ModernPeer, startModern } from '../support/peers/mcp/modern.ts';
import { startRefusing } from '../support/peers/mcp/scripted.ts';
import { KEY } from '../support/records/llmBlob.ts';
import { summarize } from '../support/replies.ts';
import type { OpenWorld } from '../support/worlds/world.ts';

const TOKEN = 'canary-token-9d55e2a8b0c1';
const COLLECTIONS = [
  'ml_mcp_connections',
  'ml_mcp_listings',
  'ml_mcp_accepted',
  'ml_llm_connections',
  'ml_container_connections',
  'ml_vector_stores',
  'ml_model_aliases',
];
const NOWHERE = 'http://127.0.0.1:1/mcp';
const OPEN_TO_ALL = { sharing: 'app', perms: { read: ['*'], write: [] } };

interface Row {
  family: string;
  name: string;
  state: string;
  checked: boolean;
  error_code?: string;
  last_test: Record<string, unknown>;
  drift?: object;
  unaccepted?: string[];
}

/** Checks of connections (contract 13) against servers that are there, in any world. */
export function connectionCheckSuite(open: OpenWorld): void {
  const world = open({
    users: { anna: ['ml_admin'], modeller: ['ml_user'], tester: ['user', 'testers'] },
    roles: { testers: ['edit_agent_connections'] },
    collections: COLLECTIONS,
    servers: true,
  });
  let server: ModernPeer;
  let refusing: Peer;
  let provider: ScriptedProvider;
  let docker: Peer;
  let script: (asked: Asked) => ReturnType<(typeof WELL)['General_Chat']>;
  beforeEach(async () => {
    server = await startModern();
    refusing = await startRefusing(401, '');
    script = WELL.General_Chat;
    provider = await startProvider((asked) => script(asked));
    docker = await startHttp((request, response) =>
      request.url?.endsWith('/_ping')
        ? response.writeHead(200, { 'Api-Version': '1.47' }).end('OK')
        : sendJson(response, 200, { ApiVersion: '1.47', MinAPIVersion: '1.24', Version: '27.0' }),
    );
  });
  afterEach(() => Promise.all([server, refusing, provider, docker].map((peer) => peer.close())));

  const call = async (user: string, method: string, path: string, body?: object) => {
    const reply = await world.call(user, method, path, body);
    expect(reply.status, summarize(reply)).to.equal(200);
    return reply.json;
  };
  const post = (path: string, body: object) => call('anna', 'POST', path, body);
  const check = (body: object = {}, user = 'anna'): Promise<{ result: Row[]; warnings?: string[]; message: string }> =>
    call(user, 'POST', '/connection_health/check', body);
  const mcp = (name: string, url: string, more: object = {}) =>
    post('/mcp_connection', { name, type: 'PLATFORM', details: { url, token: TOKEN }, acl: OPEN_TO_ALL, ...more });
  const llm = (connection_name: string, url: string, model = MODEL.General_Chat, more: object = {}) =>
    post('/aicommander', {
      service: 'General_Chat',
      connection_name,
      model,
      servicesettings: { endpoint: { value: `${url}/v1` }, access_token: { value: KEY } },
      ...more,
    });
  const engine = (connection_name: string, docker_url: string) =>
    post('/container_connection', { payload: { container_type: 'docker', connection_name, docker_url } });
  const statesOf = ({ result }: { result: Row[] }) =>
    Object.fromEntries(result.map(({ name, state, checked }) => [name, `${state} ${checked}`]));
  const config = async (path: string) => (await call('anna', 'GET', path)).config;
  const llmTest = async (connection: string, model = MODEL.General_Chat) =>
    (await config(`/aicommander/General_Chat/${connection}/${model}`)).last_test;

  it('tests all connections and stores the outcomes like the tests of each family', async () => {
    await mcp('good', server.url);
    await mcp('gone', NOWHERE);
    await mcp('refused', refusing.url);
    await llm('Team', provider.url);
    await llm('Nowhere', 'http://127.0.0.1:1');
    await engine('lab', docker.url);
    await engine('away', 'tcp://127.0.0.1:1');
    const before = await config('/mcp_connection/good');
    const json = await check();
    expect(json.message).to.equal('7 connections tested');
    expect(json).to.not.have.property('warnings');
    expect(statesOf(json)).to.deep.equal({
      good: 'ok true',
      gone: 'failing true',
      refused: 'reauth_required true',
      'General_Chat/Team': 'ok true',
      'General_Chat/Nowhere': 'failing true',
      lab: 'ok true',
      away: 'failing true',
    });
    const rows = Object.fromEntries(json.result.map((row) => [row.name, row]));
    expect(rows.gone?.error_code).to.equal('connection_refused');
    expect(rows.refused?.error_code).to.equal('auth_failed');
    const after = await config('/mcp_connection/good');
    expect(after.last_test).to.deep.equal(rows.good?.last_test);
    expect(after).to.include({ version: before.version, last_updated_at: before.last_updated_at, auth_state: 'ok' });
    expect((await config('/mcp_connection/gone')).last_test).to.deep.equal(rows.gone?.last_test);
    expect(await llmTest('Team')).to.deep.equal(rows['General_Chat/Team']?.last_test);
    expect((await config('/container_connection/docker/away')).last_test).to.deep.equal(rows.away?.last_test);
    const list = (await call('anna', 'GET', '/connection_health')).result;
    expect(list).to.deep.equal(json.result.map(({ checked: _, ...row }) => row));
  });

  it('tests an alias by its targets, each once', async () => {
    await llm('Team', provider.url, 'gpt-4o-mini');
    await llm('Nowhere', 'http://127.0.0.1:1');
    const target = (connection_name: string, model: string) => ({ service: 'General_Chat', connection_name, model });
    const targets = [target('Team', 'gpt-4o-mini'), target('Nowhere', MODEL.General_Chat)];
    await post('/model_aliases', { name: 'default', targets });
    const json = await check();
    expect(statesOf(json)).to.deep.equal({
      ...{ 'General_Chat/Nowhere': 'failing true', 'General_Chat/Team': 'ok true', default: 'ok true' },
    });
    expect(provider.asked).to.have.length(1);
    const again = await check({ family: 'model_aliases', max_age_s: 0 });
    expect(statesOf(again)).to.deep.equal({ default: 'ok true' });
    expect(provider.asked).to.have.length(2);
    expect(statesOf(await check({ family: 'model_aliases' }))).to.deep.equal({ default: 'ok false' });
  });

  it('lists the models of a provider instead of chatting, and updates all models of the connection', async () => {
    await llm('Team', provider.url, 'gpt-4o-mini');
    await llm('Team', provider.url, 'o4-mini');
    await llm('Team', provider.url, 'a draft', { is_saved: false });
    await check();
    expect(provider.asked.map(({ method, path }) => `${method} ${path}`)).to.deep.equal(['GET /v1/models']);
    for (const model of ['gpt-4o-mini', 'o4-mini'])
      expect(await llmTest('Team', model)).to.include({ status: 'success', error_code: null });
    expect(await llmTest('Team', 'a%20draft')).to.equal(undefined);
  });

  it('keeps a failure that a list of models cannot refute', async () => {
    await llm('Team', provider.url, 'gpt-4o-mini');
    await llm('Team', provider.url, 'o4-mini');
    script = (asked) =>
      asked.method === 'POST'
        ? { status: 404, body: { error: { message: 'The model does not exist', code: 'model_not_found' } } }
        : WELL.General_Chat(asked);
    await post('/aicommander_metadata', { service: 'General_Chat', connection_name: 'Team', model: 'o4-mini' });
    const json = await check({ max_age_s: 0 });
    expect(json.result[0]).to.include({ state: 'failing', error_code: 'model_not_found', checked: true });
    expect(await llmTest('Team', 'o4-mini')).to.include({ error_code: 'model_not_found' });
    expect(await llmTest('Team', 'gpt-4o-mini')).to.include({ status: 'success' });
  });

  it('asks a model where the server has no list', async () => {
    script = (asked) => (asked.method === 'GET' ? { status: 404, body: {} } : WELL.General_Chat(asked));
    await llm('Team', provider.url);
    expect((await check()).result[0]).to.include({ state: 'ok', checked: true });
    expect(provider.asked.map(({ method }) => method)).to.deep.equal(['GET', 'POST']);
  });

  it('skips connections tested recently', async () => {
    await mcp('good', server.url);
    await check();
    const asked = server.seen.length;
    const again = await check();
    expect(statesOf(again)).to.deep.equal({ good: 'ok false' });
    expect(again.message).to.equal('0 connections tested');
    expect(server.seen.length).to.equal(asked);
    await world.later();
    expect(statesOf(await check({ max_age_s: 0 }))).to.deep.equal({ good: 'ok true' });
    expect(server.seen.length).to.be.above(asked);
  });

  it('checks one family or named connections; reports unknown names', async () => {
    await mcp('good', server.url);
    await mcp('gone', NOWHERE);
    await engine('lab', docker.url);
    expect(statesOf(await check({ family: 'container-connections' }))).to.deep.equal({ lab: 'ok true' });
    const json = await check({ names: ['GOOD', 'docker/lab', 'nobody'], max_age_s: 0 });
    expect(statesOf(json)).to.deep.equal({ good: 'ok true', lab: 'ok true' });
    expect(json.warnings).to.deep.equal(['The connection nobody does not exist, or you may not read it']);
    expect((await config('/mcp_connection/gone')).last_test).to.equal(undefined);
  });

  it('refuses bad values by their field', async () => {
    const bad: [object, string][] = [
      [{ family: 'containers' }, 'family'],
      [{ names: 'good' }, 'names'],
      [{ names: [] }, 'names'],
      [{ names: [5] }, 'names.0'],
      [{ max_age_s: -1 }, 'max_age_s'],
      [{ max_age_s: 'x' }, 'max_age_s'],
    ];
    for (const [body, field] of bad) {
      const reply = await world.call('anna', 'POST', '/connection_health/check', body);
      expect(reply.status, summarize(reply)).to.equal(400);
      expect(reply.json.errors.map((one: { field: string }) => one.field)).to.deep.equal([field]);
    }
  });

  it('tests only connections that the caller may test', async () => {
    await mcp('good', server.url);
    await mcp('private', server.url, { acl: { sharing: 'user' } });
    await llm('Team', provider.url);
    const reader = await check({}, 'modeller');
    expect(statesOf(reader)).to.deep.equal({ good: 'untested false', 'General_Chat/Team': 'untested false' });
    expect(reader.warnings).to.have.length(2);
    expect(reader.warnings?.[0]).to.equal('mcp-connections: not tested: requires edit_agent_connections');
    expect([server.seen.length, provider.asked.length]).to.deep.equal([0, 0]);
    expect(statesOf(await check({}, 'tester'))).to.deep.equal({ good: 'ok true' });
    expect((await config('/mcp_connection/private')).last_test).to.equal(undefined);
  });

  it('shows changes of tools until the next listing, which also returns them', async () => {
    const later = () => check({ max_age_s: 0 }).then(({ result }) => result[0]?.drift);
    const listed = async () => (await call('anna', 'GET', '/connection_health')).result[0].drift;
    await mcp('good', server.url);
    await check();
    expect(await listed(), 'never listed').to.equal(undefined);
    await post('/mcp_connection/tools', { name: 'good' });
    const none = { added: [], removed: [], changed: [] };
    expect(await listed()).to.deep.equal(none);
    server.setTools([{ name: 'echo', description: 'Says something else' }, { name: 'extra' }]);
    const drift = { added: ['extra'], removed: [], changed: ['echo'] };
    expect(await later()).to.deep.equal(drift);
    expect(await later(), 'the base stays').to.deep.equal(drift);
    expect((await post('/mcp_connection/tools', { name: 'good' })).data.drift).to.deep.equal(drift);
    expect(await listed()).to.deep.equal(drift);
    expect(await later()).to.deep.equal(none);
    expect(await listed()).to.deep.equal(none);
  });

  it('names tools that wait for acceptance, until they are accepted', async () => {
    const later = () => check({ max_age_s: 0 }).then(({ result }) => result[0]?.unaccepted);
    const listed = async () => (await call('anna', 'GET', '/connection_health')).result[0].unaccepted;
    await mcp('good', server.url);
    expect(await later(), 'never listed').to.equal(undefined);
    await post('/mcp_connection/tools', { name: 'good' });
    expect(await listed()).to.deep.equal([]);
    server.setTools([{ name: 'echo', description: 'Says something else' }, { name: 'extra' }]);
    expect(await later()).to.deep.equal(['echo', 'extra']);
    await post('/mcp_connection/tools', { name: 'good' });
    await post('/mcp_connection/tools', { name: 'good' });
    expect(await listed(), 'when drift is over').to.deep.equal(['echo', 'extra']);
    await post('/mcp_connection/accept_tools', { name: 'good', tools: ['extra'] });
    expect(await listed()).to.deep.equal(['echo']);
    await post('/mcp_connection/accept_tools', { name: 'good' });
    expect(await listed()).to.deep.equal([]);
    expect(await later()).to.deep.equal([]);
  });

  it('shows no secret and leaves none behind', async () => {
    await mcp('good', server.url);
    await mcp('refused', refusing.url);
    await llm('Team', provider.url);
    const text = JSON.stringify(await check());
    for (const canary of [TOKEN, KEY]) expect(text).to.not.contain(canary);
    expect(await world.leaks(TOKEN, KEY)).to.deep.equal([]);
  });
}

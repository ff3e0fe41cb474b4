import { expect } from 'chai';
import { SlimRows } from '../../src/domain/slimRows.ts';
import { container, llm, model } from '../support/connectionDocuments.ts';
import { MemoryApp } from '../support/memory/app.ts';
import { FaultPlan } from '../support/memory/faults.ts';
import { Random } from '../support/random.ts';

const MCP = 'ml_mcp_connections';
const STORES = 'ml_vector_stores';
const MODELS = 'ml_registered_models';
const LLM = 'ml_llm_connections';
const CONTAINERS = 'ml_container_connections';
const FAMILIES = ['mcp-connections', 'llm-providers', 'container-connections', 'vector-stores', 'model-registrations'];
const STATES = ['ok', 'failing', 'untested', 'expiring', 'reauth_required'];
const SEARCHES = ['team 1', ' PASSED', 'timeout', 'docker', 'not been tested', 'expires on', 'none'];
const DAY_S = 86_400;
const READERS = ['list_ai_commander_config', 'list_container_connections', 'register_ml_models'] as const;

describe('pages of connection health by what a process keeps', () => {
  let app: MemoryApp;
  let random: Random;
  let rows: SlimRows;
  let isKept: boolean;
  beforeEach(() => {
    app = new MemoryApp();
    random = new Random(18);
    rows = new SlimRows();
    isKept = true;
    app.user('ann', { capabilities: [...READERS] });
    app.user('dan', { roles: ['power'], capabilities: ['list_container_connections'] });
    app.user('eve', { roles: [] });
    const { site } = app;
    const process = site.process.bind(site);
    site.process = (...given) => ({ ...process(...given), ...(isKept ? { rows } : {}) });
  });

  const docs = (collection: string) => app.site.records.collection(collection);
  const put = (collection: string, doc: { _key: string }, behindMs = 0) => {
    const { version } = JSON.parse(docs(collection).get(doc._key) ?? '{"version":0}') as { version: number };
    const last_updated_at = (app.site.clock.now() - behindMs) / 1000;
    const written = { version: version + 1, last_updated_at, list_changed_at: last_updated_at };
    docs(collection).set(doc._key, JSON.stringify({ ...doc, ...written }));
  };
  const acl = () => ({
    owner: random.pick(['ann', 'ben']),
    sharing: random.pick(['app', 'user']),
    perms: { read: random.pick([['user'], ['power'], ['*'], []]), write: [] },
  });
  const last_test = () =>
    random.pick([
      {},
      { last_test: { status: 'success', error_code: null, tested_at: random.below(1000), response_time_ms: 1 } },
      { last_test: { status: 'fail', error_code: 'timeout', tested_at: random.below(1000), response_time_ms: 1 } },
    ]);
  /** Epoch seconds: over, within the days that it is told before, or later; some of them soon. */
  const endOfSome = () => app.site.clock.now() / 1000 + random.pick([-9, 9, 20, 20.5, 40]) * DAY_S + random.below(200);
  const token = () =>
    random.pick([{}, {}, { secret_fields: ['details/token'], secret_ref: 'x', token_expires_at: endOfSome() }]);
  const open = (read: string[]) => ({ owner: 'ben', sharing: 'app', perms: { read, write: [] } });
  const nameOf = (index: number) => `${index % 3 ? 'Team' : 'team'} ${index % 131}`;
  const meta = { created_at: 1, created_by: 'x', last_updated_by: 'x', secret_ref: null, secret_fields: [] };
  const change = (index: number, more: () => object = () => ({}), behindMs = 0) => {
    const name = nameOf(index);
    // Keys do not sort as names do.
    const _key = `k${((index % 131) * 37) % 131}`;
    const common = { _key, name, acl: acl(), ...meta, ...last_test(), ...more() };
    const details = { url: 'https://mcp.example.com', verify_tls: true };
    const learned = { auth_state: random.pick(['ok', 'ok', 'reauth_required']), ...token() };
    put(MCP, { ...common, type: random.pick(['PLATFORM', 'CUSTOM']), details, ...learned } as never, behindMs);
    put(STORES, { ...common, type: 'CLOUD_KB', details: {} } as never, behindMs);
    put(MODELS, { ...common, model_name: name } as never, behindMs);
    const one = () => model(`m${random.below(3)}`, { is_saved: random.chance(0.8), ...last_test() });
    put(LLM, { ...llm(random.pick(['General_Chat', 'Local_Runtime']), name, one(), one()), _key }, behindMs);
    const type = random.pick(['docker', 'kubernetes']);
    const ends = { auth_mode: 'user-token', token_ends: { user_token: endOfSome() } };
    const engine = { docker_url: 'tcp://docker:2376', ...(random.chance(0.3) ? ends : {}), ...last_test() };
    put(CONTAINERS, container(type, name, engine), behindMs);
  };
  /** As a test does, whose outcome leaves the version alone. */
  const test = (collection: string) => {
    const key = random.pick([...docs(collection).keys()]);
    const record = { ...JSON.parse(docs(collection).get(key) ?? ''), ...last_test() };
    const learned = collection === MCP ? { auth_state: random.pick(['ok', 'reauth_required']), ...token() } : {};
    const written = { ...record, ...learned, list_changed_at: app.site.clock.now() / 1000 };
    docs(collection).set(key, JSON.stringify(written));
  };
  const fill = (more?: () => object) => {
    for (let index = 0; index < 260; index += 1) change(index, more);
    for (let index = 0; index < 120; index += 1) put(STORES, storeOf(`more ${index}`) as never);
    for (let index = 0; index < 500; index += 1) put(MCP, mcpOf(`more ${index}`) as never);
  };
  const storeOf = (name: string) => ({ _key: name, name, acl: acl(), ...meta, type: 'CLOUD_KB', details: {} });
  const mcpOf = (name: string) => ({
    ...storeOf(name),
    type: 'PLATFORM',
    details: { url: 'https://mcp.example.com', verify_tls: true },
    auth_state: 'ok',
  });
  const list = async (user: string, query: Record<string, string | number>, faults?: FaultPlan) => {
    const asked = Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]);
    const reply = await app.request({ path: '/ml/connection_health', query: asked, sessionToken: user }, faults);
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
    return reply.json;
  };
  const both = async (user: string, query: Record<string, string | number>) => {
    isKept = true;
    // Whoever sees few connections has all of them read the next time.
    await list('root', { count: 1, ...(query.family ? { family: query.family } : {}) });
    const kept = await list(user, query);
    isKept = false;
    const whole = await list(user, query);
    isKept = true;
    return { kept, whole };
  };

  it('are those that reading all gives, whatever they are sorted by, and whoever asks', async () => {
    fill();
    for (let round = 0; round < 200; round += 1) {
      app.site.clock.advance(random.pick([0, 1000, 30_000, 30_000, 40_000_000]));
      for (let count = random.below(3); count > 0; count -= 1) change(random.below(270));
      for (let count = random.below(5); count > 0; count -= 1) test(random.pick([MCP, STORES, MODELS, CONTAINERS]));
      if (random.chance(0.3)) {
        const collection = random.pick([MCP, STORES, MODELS, LLM, CONTAINERS]);
        docs(collection).delete(random.pick([...docs(collection).keys()]));
      }
      const query = {
        ...(random.chance(0.6) ? { sort_key: random.pick(['family', 'name', 'type', 'state', 'expires_at']) } : {}),
        ...(random.chance(0.7) ? { sort_dir: random.pick(['asc', 'desc']) } : {}),
        ...(random.chance(0.3) ? { family: random.pick(FAMILIES) } : {}),
        ...(random.chance(0.4) ? { state: random.pick(STATES) } : {}),
        ...(random.chance(0.3) ? { search: random.pick(SEARCHES) } : {}),
        count: random.pick([1, 30, 30, 100, 0]),
        ...(random.chance(0.5) ? { offset: random.pick([0, 20, 250, 500]) } : {}),
      };
      const user = random.pick(['root', 'ann', 'dan', 'eve']);
      const { kept, whole } = await both(user, query);
      expect(kept, `${round}: ${user} ${JSON.stringify(query)}`).to.deep.equal(whole);
    }
  });

  it('show nothing that the caller may not read now', async () => {
    const shared = (read: string[]) => () => ({ acl: open(read) });
    fill(shared(['user']));
    for (const [key, text] of docs(MCP))
      docs(MCP).set(key, JSON.stringify({ ...JSON.parse(text), ...shared(['user'])() }));
    await list('ann', {});
    const before = await list('ann', {});
    expect(before.result).to.have.length(30);
    // The clock of these writers is further behind than anybody looks back.
    for (const [, text] of docs(MCP)) put(MCP, { ...JSON.parse(text), ...shared(['power'])() }, 400_000);
    const after = await list('ann', {});
    expect(after.result).to.deep.equal([]);
    app.user('ann', { roles: ['power'] });
    expect((await list('ann', { family: 'mcp-connections' })).result).to.have.length(30);
  });

  it('read of the connections of a large site those that they show', async () => {
    fill();
    await list('root', {});
    await list('root', {});
    app.site.clock.advance(1000);
    const faults = new FaultPlan();
    const { result, pagination } = await list('root', { sort_key: 'name' }, faults);
    expect(result).to.have.length(30);
    expect(pagination.total).to.be.greaterThan(500);
    const named = new Set(result.map(({ family }: { family: string }) => family));
    const kept = [MCP, STORES].flatMap((name) => [`count ${name}`, `find ${name}`]);
    expect(faults.trace).to.include.members(kept);
    expect(faults.trace.filter((one) => one === `find ${MCP}`)).to.have.length(named.has('mcp-connections') ? 3 : 2);
  });

  it('read of the connections of a large site those that they show, also by how connections are', async () => {
    fill();
    await list('root', {});
    await list('root', { state: 'untested' });
    app.site.clock.advance(1000);
    for (const query of [{ state: 'untested' }, { search: 'not been tested' }, { sort_key: 'expires_at' }]) {
      const faults = new FaultPlan();
      const { result, pagination } = await list('root', query, faults);
      expect(result).to.have.length(30);
      expect(pagination.total).to.be.greaterThan(500);
      expect(faults.trace.length, faults.trace.join(', ')).to.be.below(30);
    }
  });

  it('judge a connection anew when time makes another of it', async () => {
    fill(() => ({ last_test: undefined }));
    const now = app.site.clock.now() / 1000;
    const token = { secret_fields: ['details/token'], secret_ref: 'x', auth_state: 'ok' };
    put(MCP, { ...mcpOf('soon'), ...token, token_expires_at: now + 14 * DAY_S + 20 } as never);
    put(MCP, { ...mcpOf('over'), ...token, token_expires_at: now + 20 } as never);
    await list('root', {});
    const stateOf = async (search: string) => (await list('root', { search })).result[0].state;
    const found = async (state: string, search: string) => (await list('root', { state, search })).result.length;
    await list('root', { search: 'soon' });
    app.site.clock.advance(19_000);
    expect([await stateOf('soon'), await stateOf('over')]).to.deep.equal(['untested', 'expiring']);
    expect([await found('expiring', 'soon'), await found('failing', 'over')]).to.deep.equal([0, 0]);
    app.site.clock.advance(1000);
    expect([await stateOf('soon'), await stateOf('over')]).to.deep.equal(['expiring', 'failing']);
    expect([await found('expiring', 'soon'), await found('failing', 'over')]).to.deep.equal([1, 1]);
  });

  it('say at once what a test has found, whoever made it', async () => {
    fill(() => ({ last_test: undefined }));
    app.callServers();
    await list('root', {});
    const url = 'http://127.0.0.1:1/mcp';
    put(MCP, { ...mcpOf('nowhere'), details: { url, verify_tls: true } } as never);
    const failing = { state: 'failing', search: 'nowhere' };
    expect((await list('root', failing)).result).to.deep.equal([]);
    app.site.clock.advance(10);
    // A process of another member: it keeps rows of its own.
    isKept = false;
    const reply = await app.call('root', 'POST', '/connection_health/check', { names: ['nowhere'] });
    expect(reply.json.result[0].state, JSON.stringify(reply.json)).to.equal('failing');
    isKept = true;
    expect((await list('root', failing)).result.map(({ name }: { name: string }) => name)).to.deep.equal(['nowhere']);
  });

  it('follow at once what an older app has saved, and who may read it', async () => {
    fill();
    for (const [, text] of docs(MCP)) put(MCP, { ...JSON.parse(text), acl: open(['*']) });
    app.site.clock.advance(600_000);
    const query = { search: 'more', family: 'mcp-connections', count: 100 };
    await list('ann', { family: 'mcp-connections' });
    const { pagination } = await list('ann', query);
    const [first] = [...docs(MCP)].filter(([name]) => name.startsWith('more'));
    const before = JSON.parse(first?.[1] ?? '');
    // It carries along when this app has written it last.
    const now = { acl: open([]), version: before.version + 1, last_updated_at: app.site.clock.now() / 1000 };
    docs(MCP).set(before._key, JSON.stringify({ ...before, ...now }));
    const { kept, whole } = await both('ann', query);
    expect(kept).to.deep.equal(whole);
    expect(kept.pagination.total).to.equal(pagination.total - 1);
  });

  it('are those of whoever may not read what no app has written', async () => {
    fill();
    for (const [, text] of docs(MCP)) put(MCP, { ...JSON.parse(text), acl: open(['user']) });
    for (const broken of [{ name: undefined }, { details: undefined }, { secret_fields: undefined }]) {
      put(MCP, { ...mcpOf('broken'), acl: { ...open([]), sharing: 'user' }, ...broken } as never);
      for (const query of [
        {},
        { state: 'untested', family: 'mcp-connections' },
        { search: 'more', family: 'mcp-connections' },
      ]) {
        isKept = false;
        const whole = await list('ann', query);
        isKept = true;
        for (const _ of [1, 2]) expect(await list('ann', query), JSON.stringify([broken, query])).to.deep.equal(whole);
      }
    }
  });

  it('say what an older app has found within a minute, and never that a connection is what it is not', async () => {
    fill(() => ({ last_test: undefined }));
    app.site.clock.advance(600_000);
    await list('root', {});
    const untested = { state: 'untested', family: 'mcp-connections', sort_key: 'name', count: 100 };
    await list('root', { family: 'mcp-connections' });
    const { result } = await list('root', untested);
    const key = result[3].name.toLowerCase();
    const found = { status: 'fail', error_code: 'timeout', tested_at: 5, response_time_ms: 1 };
    // It carries the fields along that it does not know.
    docs(MCP).set(key, JSON.stringify({ ...JSON.parse(docs(MCP).get(key) ?? ''), last_test: found }));
    const namesOf = async (query: Record<string, string | number>) =>
      (await list('root', query)).result.map(({ name }: { name: string }) => name.toLowerCase());
    isKept = false;
    const truth = await list('root', untested);
    isKept = true;
    // It meets one that the list is not about, so it reads all.
    expect(await list('root', untested)).to.deep.equal(truth);
    app.site.clock.advance(61_000);
    expect(await namesOf({ ...untested, state: 'failing' })).to.include(key);
  });
});

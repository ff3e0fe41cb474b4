import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { MemoryApp } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';

describe('a check of connections', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
  });
  const call = (user: string, method: string, path: string, body?: unknown) => app.call(user, method, path, body);
  const check = async (body: object = {}, user = 'root') => {
    const { status, json } = await call(user, 'POST', '/connection_health/check', body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const mcp = (name: string, details: object = {}, type = 'PLATFORM') =>
    call('root', 'POST', '/mcp_connection', {
      name,
      type,
      details: { url: `https://${name}.example/mcp`, token: `token of ${name}`, ...details },
    });

  it('a switched-off feature tests nothing, and says so', async () => {
    await mcp('one');
    app.settings.stanzas = { feature_flags: { mcp_connections: '0' } };
    const json = await check();
    expect(json.result[0]).to.include({ state: 'untested', checked: false });
    expect(json.warnings).to.deep.equal(['mcp-connections: not tested: the feature flag mcp_connections is off']);
    expect(app.peers.targets).to.deep.equal([]);
  });

  it('one whose secrets are lost does not stop the others, and is named', async () => {
    for (const name of ['one', 'two', 'three']) await mcp(name);
    const lost = app.site.records.all('ml_mcp_connections').find(({ name }) => name === 'two');
    app.site.secrets.values.delete(String(lost?.secret_ref));
    const json = await check();
    expect(json.result.map((row: { name: string; checked: boolean }) => [row.name, row.checked])).to.deep.equal([
      ['one', true],
      ['three', true],
      ['two', false],
    ]);
    expect(json.warnings).to.have.length(1);
    expect(json.warnings[0]).to.match(/^two: .*save them again$/);
  });

  it('a bug in one test does not stop the others, and shows nothing of itself', async () => {
    for (const name of ['one', 'two']) await mcp(name);
    const { probe } = app.peers.client;
    app.peers.client.probe = async (target) => {
      if (target.url.includes('one')) throw new TypeError('canary of a bug');
      return probe(target);
    };
    const json = await check();
    expect(json.result.map(({ checked }: { checked: boolean }) => checked)).to.deep.equal([false, true]);
    expect(JSON.stringify(json)).to.not.contain('canary');
    expect(json.warnings[0]).to.contain('one: the test failed unexpectedly');
    expect(app.site.log.text()).to.contain('health_test_failed').and.not.contain('canary');
  });

  it('renews a token that is due, as the test of the connection does', async () => {
    const renews = { client_id: 'me', refresh_token: 'refresh', is_auto_refresh_enabled: true };
    await mcp('tracker', renews, 'ISSUE_TRACKER');
    app.site.clock.advance(60 * 60_000);
    app.peers.accepted = new Set(['access-1']);
    expect((await check()).result[0]).to.include({ state: 'ok', checked: true });
    expect(app.peers.refreshes).to.have.length(1);
  });

  it('a refresh token that is refused asks for a person', async () => {
    const renews = { client_id: 'me', refresh_token: 'refresh', is_auto_refresh_enabled: true };
    await mcp('tracker', renews, 'ISSUE_TRACKER');
    app.site.clock.advance(60 * 60_000);
    app.peers.accepted = new Set();
    app.peers.answer = () => ({ kind: 'invalid_grant', message: 'it has expired' });
    const [row] = (await check()).result;
    expect(row).to.include({ state: 'reauth_required', error_code: 'auth_failed', checked: true });
  });

  it('gives a test five seconds, but one that may spend a refresh token its usual time', async () => {
    const given = new Map<string, number>();
    const { probe } = app.peers.client;
    app.peers.client.probe = async (target, deadline) => {
      given.set(new URL(target.url).hostname, deadline?.remaining() ?? 0);
      return probe(target, deadline);
    };
    await mcp('plain');
    await mcp('tracker', { client_id: 'me', refresh_token: 'refresh', is_auto_refresh_enabled: true }, 'ISSUE_TRACKER');
    await check();
    expect(given.get('plain.example')).to.be.within(1, 5000);
    expect(given.get('tracker.example')).to.be.within(5001, 15_000);
  });

  it('ends a test that gets no answer after five seconds, and stores that it timed out', async () => {
    await mcp('silent');
    await mcp('good');
    const { probe } = app.peers.client;
    app.peers.client.probe = async (target, deadline) => {
      if (!target.url.includes('silent')) return probe(target, deadline);
      const { promise, reject } = Promise.withResolvers<never>();
      deadline?.signal.addEventListener('abort', () => reject(deadline.signal.reason), { once: true });
      return promise;
    };
    // Deadlines hold no process alive.
    const alive = setInterval(() => {}, 1000);
    const json = await check().finally(() => clearInterval(alive));
    const rows = json.result.map(({ name, state, error_code, checked }: Record<string, unknown>) => {
      return [name, state, error_code, checked];
    });
    expect(rows).to.deep.equal([
      ['good', 'ok', undefined, true],
      ['silent', 'failing', 'timeout', true],
    ]);
  });

  it('begins with those that nobody has tested for the longest time', async () => {
    for (const name of ['one', 'two', 'three']) await mcp(name);
    await check({ names: ['two'] });
    app.site.clock.advance(10_000);
    await check({ names: ['one'] });
    app.site.clock.advance(10_000);
    app.peers.targets.length = 0;
    app.peers.failure = new OutboundError('dns_failed', 'no such host');
    await check({ max_age_s: 0 });
    expect(app.peers.targets.map(({ url }) => new URL(url).hostname.split('.')[0])).to.deep.equal([
      'three',
      'two',
      'one',
    ]);
  });

  it('takes owners in turns, and tests a server that was silent last', async () => {
    app.user('anna', { capabilities: ['edit_agent_connections'] });
    const add = (name: string, user: string) =>
      call(user, 'POST', '/mcp_connection', {
        ...{ name, type: 'PLATFORM', details: { url: `https://${name}.example/mcp` } },
        acl: { sharing: 'app', perms: { read: ['*'], write: ['*'] } },
      });
    for (const name of ['a1', 'a2', 'a3', 'a4']) await add(name, 'anna');
    await add('silent', 'root');
    await add('b1', 'root');
    await add('b2', 'root');
    const hosts = () => app.peers.targets.map(({ url }) => new URL(url).hostname.split('.')[0]);
    app.peers.failure = new OutboundError('timeout', 'no answer');
    await check({ names: ['silent'] });
    app.site.clock.advance(10_000);
    app.peers.targets.length = 0;
    app.peers.failure = new OutboundError('dns_failed', 'no such host');
    await check({ max_age_s: 0 });
    expect(hosts()).to.deep.equal(['a1', 'b1', 'a2', 'b2', 'a3', 'a4', 'silent']);
    app.site.clock.advance(10_000);
    app.peers.targets.length = 0;
    await check({ max_age_s: 0 });
    expect(hosts().slice(0, 4)).to.deep.equal(['a1', 'b1', 'a2', 'b2']);
  });

  it('the number of calls to the stores does not grow with that of the connections, and no secret is opened', async () => {
    const callsOf = async () => {
      const plan = new FaultPlan();
      const { json } = await app.request({ path: '/ml/connection_health', sessionToken: 'root' }, plan);
      expect(json.status).to.equal('success');
      return plan.trace.sort();
    };
    await mcp('first');
    const few = await callsOf();
    for (let n = 0; n < 20; n += 1) await mcp(`c${n}`);
    expect(await callsOf()).to.deep.equal(few);
    expect(few.filter((call) => /secret|get/i.test(call))).to.deep.equal([]);
  });
});

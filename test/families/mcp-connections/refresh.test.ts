import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import type { RefreshOutcome } from '../../../src/ports/oauth/oauthTokenClient.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';

const PATH = '/mcp_connection';
const MINUTE = 60_000;

describe('MCP connections: token refresh', () => {
  let app: MemoryApp;
  const details = {
    url: 'https://mcp.example/mcp',
    token: 'access-0',
    client_id: 'client',
    client_secret: 'canary-secret',
    refresh_token: 'refresh-0',
    is_auto_refresh_enabled: true,
  };
  const create = (more: Json = {}) =>
    app.call('editor', 'POST', PATH, { name: 'alpha', type: 'ISSUE_TRACKER', details: { ...details, ...more } });
  const test = async () => (await app.call('editor', 'POST', `${PATH}/test`, { name: 'alpha' })).json;
  const read = async () => (await app.call('editor', 'GET', `${PATH}/alpha`)).json.config;
  const update = (more: Json) => app.call('editor', 'PUT', PATH, { name: 'alpha', details: more });
  const secrets = () => JSON.parse([...app.site.secrets.values.values()][0] ?? '{}');
  const tokens = () => app.peers.targets.map((target) => target.token);
  const lost: RefreshOutcome = { kind: 'invalid_grant', message: 'the refresh token is not good' };
  beforeEach(() => {
    app = new MemoryApp();
  });

  it('waits while the token is new, and happens after 20 minutes if its lifetime is unknown', async () => {
    await create();
    app.site.clock.advance(20 * MINUTE - 1);
    await test();
    expect(app.peers.refreshes).to.deep.equal([]);
    app.site.clock.advance(1);
    expect((await read()).auth_state).to.equal('refresh_due');
    const before = await read();
    const json = await test();
    expect(json.success).to.equal(true);
    expect(app.peers.refreshes).to.have.length(1);
    expect(tokens()).to.deep.equal(['access-0', 'access-1']);
    const after = await read();
    expect([after.auth_state, after.version]).to.deep.equal(['ok', 1]);
    expect(after.last_updated_at).to.equal(before.last_updated_at);
    expect(secrets()).to.include({ 'details/token': 'access-1', 'details/refresh_token': 'refresh-1' });
    expect(app.leaks('access-', 'refresh-', 'canary')).to.deep.equal([]);
  });

  it('forgets the lifetime of the last token when a new token is saved', async () => {
    await create();
    app.site.clock.advance(20 * MINUTE);
    await test();
    app.site.clock.advance(MINUTE);
    await update({ token: 'by-hand', refresh_token: 'by-hand-refresh' });
    app.site.clock.advance(20 * MINUTE - 1);
    await test();
    expect(app.peers.refreshes).to.have.length(1);
    app.site.clock.advance(1);
    await test();
    expect(app.peers.refreshes.map((request) => request.refreshToken)).to.deep.equal(['refresh-0', 'by-hand-refresh']);
  });

  it('sends the MCP server as the resource if the authorization server asks for it', async () => {
    await create();
    app.site.clock.advance(20 * MINUTE);
    app.peers.answer = (request) => {
      if (request.resource === undefined) {
        throw new OutboundError('bad_request', 'resource is required', { httpStatus: 400 });
      }
      return { kind: 'refreshed', accessToken: 'fresh' };
    };
    await test();
    expect(app.peers.refreshes.map((request) => request.resource)).to.deep.equal([
      undefined,
      'https://mcp.example/mcp',
    ]);
    expect(tokens()).to.deep.equal(['fresh']);
  });

  it('uses token_url without discovery', async () => {
    await create({ token_url: 'https://own.example/token' });
    app.site.clock.advance(20 * MINUTE);
    await test();
    expect(app.peers.discoveries).to.equal(0);
    expect(app.peers.refreshes[0]?.endpoint.url).to.equal('https://own.example/token');
    expect(await read()).not.to.have.property('token_url_detected');
  });

  it('sends nothing to a token_url without TLS, except on this machine', async () => {
    await create({ token_url: 'http://own.example/token', token: '' });
    const json = await test();
    expect([json.status, json.error_code]).to.deep.equal(['fail', 'configuration_invalid']);
    expect(app.peers.refreshes).to.deep.equal([]);
    await update({ ...details, token: '', token_url: 'http://127.0.0.1:9000/token' });
    expect((await test()).success).to.equal(true);
  });

  it('happens once: a server that also refuses the new token is called twice', async () => {
    await create();
    app.peers.accepted = new Set(['never']);
    const json = await test();
    expect([json.status, json.error_code]).to.deep.equal(['fail', 'auth_failed']);
    expect(tokens()).to.deep.equal(['access-0', 'access-1']);
    expect(app.peers.refreshes).to.have.length(1);
  });

  it('does not happen if it is off or in a test of submitted details', async () => {
    await create({ is_auto_refresh_enabled: false });
    app.peers.accepted = new Set(['never']);
    app.site.clock.advance(60 * MINUTE);
    await test();
    await update({ is_auto_refresh_enabled: true });
    await app.call('editor', 'POST', `${PATH}/test`, { name: 'alpha', details: {} });
    expect(app.peers.refreshes).to.deep.equal([]);
  });

  it('keeps the refresh token when the server does not rotate it', async () => {
    await create();
    app.peers.answer = () => ({ kind: 'refreshed', accessToken: 'fresh' });
    app.site.clock.advance(20 * MINUTE);
    await test();
    expect(secrets()).to.include({ 'details/token': 'fresh', 'details/refresh_token': 'refresh-0' });
    // The lifetime of this token is unknown again.
    app.site.clock.advance(20 * MINUTE);
    await test();
    expect(app.peers.refreshes).to.have.length(2);
  });

  it('remembers invalid_grant while the access token still works', async () => {
    await create();
    app.peers.answer = () => lost;
    app.site.clock.advance(20 * MINUTE);
    expect((await test()).success).to.equal(true);
    expect((await read()).auth_state).to.equal('reauth_required');
    app.site.clock.advance(20 * MINUTE);
    expect((await test()).success).to.equal(true);
    await app.call('editor', 'POST', `${PATH}/tools`, { name: 'alpha' });
    expect(app.peers.refreshes).to.have.length(1);
    expect((await read()).auth_state).to.equal('reauth_required');
  });

  it('tells what the authorization server said of the refused token, in later calls too', async () => {
    await create({ scope: 'read offline_access' });
    app.peers.accepted = new Set(['none']);
    app.peers.answer = () => lost;
    for (let time = 0; time < 2; time += 1) {
      const json = await test();
      expect(json.error_code).to.equal('auth_failed');
      expect(json.message).to.contain('refused the refresh token: the refresh token is not good');
    }
    expect(app.peers.refreshes.map(({ scope }) => scope)).to.deep.equal(['read offline_access']);
    expect((await read()).auth_state).to.equal('reauth_required');
    await update({ refresh_token: 'another' });
    app.peers.answer = () => ({ kind: 'refreshed', accessToken: 'fresh' });
    expect((await test()).message).not.to.contain('not good');
  });

  it('sends the scope with each refresh, and asks again with another one', async () => {
    await create({ scope: 'one' });
    app.peers.accepted = new Set(['none']);
    app.peers.answer = () => lost;
    await test();
    const { config } = (await update({ scope: 'one two' })).json;
    expect([config.details.scope, config.auth_state]).to.deep.equal(['one two', 'unknown']);
    await test();
    await update({ scope: null });
    await test();
    expect(app.peers.refreshes.map(({ scope }) => scope)).to.deep.equal(['one', 'one two', undefined]);
    expect((await read()).details).to.not.have.property('scope');
  });

  it('does not repeat a refused refresh for concurrent calls that waited for it', async () => {
    await create();
    app.peers.accepted = new Set(['none']);
    app.peers.answer = async () => {
      await app.site.clock.sleep(500);
      return lost;
    };
    await Promise.all(Array.from({ length: 5 }, test));
    expect(app.peers.refreshes).to.have.length(1);
  });

  it('lets a call use the old token if a due refresh fails without a refusal', async () => {
    await create();
    app.site.clock.advance(20 * MINUTE);
    app.peers.answer = () => {
      throw new OutboundError('connection_refused', 'nobody there');
    };
    expect((await test()).success).to.equal(true);
    expect((await read()).auth_state).to.equal('refresh_due');
    await update({ token: '' });
    const json = await test();
    expect([json.status, json.error_code]).to.deep.equal(['fail', 'connection_refused']);
  });

  it('keeps credentials that a user saves during a refresh', async () => {
    await create();
    app.site.clock.advance(20 * MINUTE);
    app.peers.answer = async () => {
      await update({ token: 'by-hand', refresh_token: 'by-hand-refresh' });
      return { kind: 'refreshed', accessToken: 'too-late', refreshToken: 'too-late-refresh' };
    };
    await test();
    expect(secrets()).to.include({ 'details/token': 'by-hand', 'details/refresh_token': 'by-hand-refresh' });
    expect(tokens()).to.deep.equal(['by-hand']);
  });

  it('does not apply invalid_grant to a token that a user saved meanwhile', async () => {
    await create();
    app.site.clock.advance(20 * MINUTE);
    app.peers.answer = async () => {
      await update({ token: 'by-hand', refresh_token: 'by-hand-refresh' });
      return lost;
    };
    await test();
    expect((await read()).auth_state).not.to.equal('reauth_required');
  });

  it('after a crash during a refresh waits for the lease to expire, then refreshes', async () => {
    await create({ token: '' });
    app.site.records.collection('ml_leases').set(
      'refresh.mcp-connections.alpha',
      JSON.stringify({
        _key: 'refresh.mcp-connections.alpha',
        owner: 'dead',
        domain: app.site.clock.domain,
        until: app.site.clock.monotonic() + MINUTE,
        ttl: MINUTE,
      }),
    );
    const started = app.site.clock.now();
    expect((await test()).success).to.equal(true);
    expect(app.site.clock.now() - started).to.be.within(MINUTE, MINUTE + 1000);
    expect(app.peers.refreshes).to.have.length(1);
    expect(app.site.records.all('ml_leases')).to.deep.equal([]);
  });

  it('sends nothing to another host that a later discovery finds', async () => {
    await create();
    app.site.clock.advance(20 * MINUTE);
    await test();
    app.peers.endpoint = { url: 'https://evil.example/token', clientAuthentication: 'client_secret_post' };
    app.site.clock.advance(60 * MINUTE);
    await test();
    expect(app.peers.refreshes).to.have.length(1);
    const record = await read();
    expect(record.auth_state).to.equal('reauth_required');
    expect(record.token_url_detected).to.equal('https://auth.example/token');
  });

  it('sends credentials that a user saves meanwhile for another host only there', async () => {
    const moved = { ...details, url: 'https://b.example/mcp', token: 'token-b', refresh_token: 'refresh-b' };
    await create();
    app.site.clock.advance(20 * MINUTE);
    app.peers.answer = async () => {
      await update({ ...moved, client_secret: 'secret-b' });
      return { kind: 'refreshed', accessToken: 'too-late' };
    };
    await test();
    expect(app.peers.targets).to.have.length(1);
    expect(app.peers.targets[0]).to.include({ url: 'https://b.example/mcp', token: 'token-b' });
    expect(await read()).not.to.have.property('transport_detected');
    expect((await read()).auth_state).to.equal('unknown');
  });

  it('does not read metadata of the old server for one that was saved meanwhile', async () => {
    await create({ token: '' });
    const probe = app.peers.client.probe;
    app.peers.accepted = new Set(['access-1']);
    await update({ token: 'stale' });
    app.peers.client.probe = async (target) => {
      const contact = await probe(target);
      const anew = { token: '', refresh_token: 'refresh-b', client_secret: 'secret-b' };
      if (target.token === 'stale') await update({ ...anew, url: 'https://b.example/mcp' });
      return { ...contact, resourceMetadataUrl: 'https://mcp.example/lying' };
    };
    await test();
    expect(app.peers.discovered).to.deep.equal([['https://b.example/mcp', undefined]]);
  });

  it('saves the endpoint before sending anything, so that a failure does not reopen the choice', async () => {
    await create();
    app.site.clock.advance(20 * MINUTE);
    app.peers.answer = () => {
      throw new OutboundError('upstream_error', 'not now', { httpStatus: 500 });
    };
    await test();
    expect((await read()).token_url_detected).to.equal('https://auth.example/token');
    app.peers.endpoint = { url: 'https://evil.example/token', clientAuthentication: 'client_secret_post' };
    await test();
    expect(app.peers.refreshes.map((request) => request.endpoint.url)).to.deep.equal(['https://auth.example/token']);
  });

  describe('after a change of the path alone', () => {
    const OTHER_PATH = 'https://mcp.example/of-somebody-else/mcp';
    const evil = { url: 'https://evil.example/token', clientAuthentication: 'client_secret_post' } as const;
    const sentTo = () => app.peers.refreshes.map((request) => request.endpoint.url);
    const due = () => app.site.clock.advance(60 * MINUTE);
    const saved = () => app.site.records.all('ml_mcp_connections')[0] as Json;

    it('keeps the endpoint that was found first, and sends nothing to another host', async () => {
      await create();
      due();
      await test();
      for (const more of [
        { url: OTHER_PATH },
        { url: OTHER_PATH, token: 'by-hand' },
        { ...details, url: OTHER_PATH },
      ]) {
        const stays = { refresh_token: '***MASKED***', client_secret: '***MASKED***' };
        expect((await update({ ...more, ...stays })).status).to.equal(200);
        expect((await read()).token_url_detected).to.equal('https://auth.example/token');
      }
      app.peers.endpoint = evil;
      due();
      await test();
      expect(sentTo()).to.deep.equal(['https://auth.example/token']);
      expect((await read()).auth_state).to.equal('reauth_required');
    });

    it('keeps it while one of the secrets is unchanged, and forgets it when all are replaced or deleted', async () => {
      const detected = async () => (await read()).token_url_detected;
      await create();
      due();
      await test();
      await update({ url: OTHER_PATH, refresh_token: 'refresh-new' });
      expect(await detected(), 'the client secret stays').to.equal('https://auth.example/token');
      await update({ client_secret: 'secret-new' });
      expect(await detected(), 'the refresh token stays').to.equal('https://auth.example/token');
      await update({ refresh_token: 'refresh-newer', client_secret: 'secret-newer' });
      expect(await detected()).to.equal(undefined);
      due();
      await test();
      expect(await detected()).to.equal('https://auth.example/token');
      await update({ refresh_token: 'refresh-newest', client_secret: '' });
      expect(await detected()).to.equal(undefined);
    });

    it('starts discovery at the path of the secrets if nothing was found yet', async () => {
      await create();
      await update({ url: `${OTHER_PATH}?team=x` });
      await update({ url: 'https://mcp.example/third' });
      app.peers.accepted = new Set(['access-1']);
      const probe = app.peers.client.probe;
      // Metadata that the new path names must not receive secrets of the old one.
      app.peers.client.probe = async (target) => ({
        ...(await probe(target)),
        resourceMetadataUrl: 'https://evil.example/metadata',
      });
      expect((await test()).success).to.equal(true);
      expect(app.peers.discovered).to.deep.equal([['https://mcp.example/mcp', undefined]]);
      expect((await read()).token_url_detected).to.equal('https://auth.example/token');
      await update({ refresh_token: 'refresh-new', client_secret: '' });
      expect(saved()).not.to.have.any.keys('discovery_url', 'token_url_detected');
      due();
      await test();
      expect(app.peers.discovered[1]).to.deep.equal(['https://mcp.example/third', undefined]);
    });

    it('does not treat a change from http to https as another path', async () => {
      await create({ url: 'http://mcp.example/mcp' });
      await update({ url: 'https://mcp.example/mcp' });
      expect(saved()).not.to.have.property('discovery_url');
    });
  });

  describe('a 401 while automatic refresh was off', () => {
    const refused = async (more: Json = {}) => {
      await create({ is_auto_refresh_enabled: false, ...more });
      app.peers.accepted = new Set(['access-1']);
      await test();
      expect((await read()).auth_state).to.equal('reauth_required');
    };

    it('is forgotten when automatic refresh is switched on: the next test refreshes', async () => {
      await refused();
      await update({ is_auto_refresh_enabled: true });
      expect((await read()).auth_state).to.equal('unknown');
      expect((await test()).success).to.equal(true);
      expect((await read()).auth_state).to.equal('ok');
      expect(app.peers.refreshes).to.have.length(1);
    });

    it('is forgotten when the missing client or refresh token is added', async () => {
      await refused({ client_id: null, refresh_token: '' });
      await update({ is_auto_refresh_enabled: true, client_id: 'client', refresh_token: 'refresh-0' });
      expect((await test()).success).to.equal(true);
    });

    it('is remembered after other changes', async () => {
      await refused();
      await update({ client_secret: '***MASKED***' });
      await app.call('editor', 'PUT', PATH, { name: 'alpha', description: 'other' });
      expect((await read()).auth_state).to.equal('reauth_required');
    });

    it('is remembered for a refused refresh token when the same settings are sent again', async () => {
      await create();
      app.peers.accepted = new Set(['none']);
      app.peers.answer = () => lost;
      await test();
      await update({ is_auto_refresh_enabled: true, client_id: 'client' });
      await test();
      expect(app.peers.refreshes).to.have.length(1);
      await update({ client_id: 'another-client' });
      await test();
      expect(app.peers.refreshes.map((request) => request.clientId)).to.deep.equal(['client', 'another-client']);
    });
  });

  it('follows discovery to another path on the same host', async () => {
    await create();
    app.site.clock.advance(20 * MINUTE);
    await test();
    app.peers.endpoint = { url: 'https://auth.example/v2/token', clientAuthentication: 'client_secret_basic' };
    app.site.clock.advance(60 * MINUTE);
    await test();
    expect(app.peers.refreshes[1]?.endpoint).to.deep.equal(app.peers.endpoint);
  });

  it('uses the endpoint found before while discovery fails', async () => {
    await create();
    app.site.clock.advance(20 * MINUTE);
    await test();
    app.peers.tokens.discover = async () => {
      throw new OutboundError('timeout', 'no answer');
    };
    app.site.clock.advance(60 * MINUTE);
    await test();
    expect(app.peers.refreshes[1]?.endpoint.url).to.equal('https://auth.example/token');
  });
});

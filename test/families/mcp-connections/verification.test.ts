import { expect } from 'chai';
import { type Answer, type Json, MemoryApp } from '../../support/memory/app.ts';

const PATH = '/mcp_connection';
const MINUTE = 60_000;
const COLLECTION = 'ml_mcp_connections';
const URL = 'https://mcp.example/mcp';

describe('MCP connections: results of a verification and its use of tokens', () => {
  let app: MemoryApp;
  const oauth = {
    url: URL,
    token: 'access-0',
    client_id: 'client',
    client_secret: 'canary-secret',
    refresh_token: 'refresh-0',
    is_auto_refresh_enabled: true,
  };
  const { token: _, ...withoutToken } = oauth;
  const create = (details: Json = oauth, query = '?verify=true') =>
    app.call('editor', 'POST', `${PATH}${query}`, { name: 'alpha', type: 'ISSUE_TRACKER', details });
  const update = (more: Json, query = '?verify=true') =>
    app.call('editor', 'PUT', `${PATH}${query}`, { name: 'alpha', ...more });
  const read = async () => (await app.call('editor', 'GET', `${PATH}/alpha`)).json.config;
  const records = () => app.site.records.all(COLLECTION);
  const secrets = () => JSON.parse([...app.site.secrets.values.values()][0] ?? '{}');
  const tokens = () => app.peers.targets.map(({ token }) => token);
  const state = () => [records(), [...app.site.secrets.values]];
  function expectRefused({ status, json }: Answer, cause: string): void {
    expect([status, json.error_code, json.cause], JSON.stringify(json)).to.deep.equal([
      409,
      'verification_refused',
      cause,
    ]);
  }
  function expectOk({ status, json }: Answer): void {
    expect(status, JSON.stringify(json)).to.equal(200);
  }
  beforeEach(() => {
    app = new MemoryApp();
  });

  it('saves transport and state of the credentials with the record', async () => {
    expectOk(await create());
    expect(await read()).to.include({ version: 1, transport_detected: 'streamable_http', auth_state: 'ok' });
    app.peers.accepted = new Set(['other']);
    expectOk(await update({ details: { token: 'other' } }));
    expect(await read()).to.include({ version: 2, transport_detected: 'streamable_http', auth_state: 'ok' });
    expect(app.peers.refreshes).to.deep.equal([]);
  });

  it('does not change the state of saved credentials after a refusal', async () => {
    await create({ url: URL, token: 'access-0' });
    app.peers.accepted = new Set(['access-0']);
    const before = state();
    expectRefused(await update({ details: { token: 'wrong' } }), 'auth_failed');
    expect(state()).to.deep.equal(before);
  });

  it('refreshes an expired access token with the submitted refresh token and saves the new tokens', async () => {
    app.peers.accepted = new Set(['access-1']);
    expectOk(await create());
    expect(tokens()).to.deep.equal(['access-0', 'access-1']);
    expect(app.peers.refreshes.map(({ refreshToken }) => refreshToken)).to.deep.equal(['refresh-0']);
    expect(secrets()).to.deep.equal({
      'details/token': 'access-1',
      'details/refresh_token': 'refresh-1',
      'details/client_secret': 'canary-secret',
    });
    expect(await read()).to.include({ version: 1, auth_state: 'ok', token_url_detected: 'https://auth.example/token' });
    expect(app.leaks('access-', 'refresh-', 'canary')).to.deep.equal([]);
    app.site.clock.advance(47 * MINUTE);
    expect((await read()).auth_state, 'of an hour').to.equal('ok');
    app.site.clock.advance(2 * MINUTE);
    expect((await read()).auth_state).to.equal('refresh_due');
  });

  it('accepts a refresh token without an access token', async () => {
    app.peers.accepted = new Set(['access-1']);
    expectOk(await create(withoutToken));
    expect(tokens()).to.deep.equal(['access-1']);
    expect(secrets()).to.include({ 'details/token': 'access-1', 'details/refresh_token': 'refresh-1' });
  });

  it('uses a submitted refresh token instead of the saved one', async () => {
    await create();
    app.peers.targets.length = 0;
    app.peers.accepted = new Set(['access-1']);
    expectOk(await update({ details: { refresh_token: 'theirs' } }));
    expect(app.peers.refreshes.map(({ refreshToken }) => refreshToken)).to.deep.equal(['theirs']);
    expect(tokens()).to.deep.equal(['access-0', 'access-1']);
    expect(secrets()).to.include({ 'details/token': 'access-1', 'details/refresh_token': 'refresh-1' });
    expect((await read()).version).to.equal(2);
  });

  it('reports a refresh token that was used without success', async () => {
    app.peers.accepted = new Set();
    const reply = await create();
    expectRefused(reply, 'auth_failed');
    expect(reply.json.message).to.contain('The test used up the refresh token');
    expect(state()).to.deep.equal([[], []]);
  });

  it('saves nothing if the refresh token is refused', async () => {
    app.peers.accepted = new Set();
    app.peers.answer = () => ({ kind: 'invalid_grant', message: 'it is not good' });
    const reply = await create(withoutToken);
    expectRefused(reply, 'auth_failed');
    expect(reply.json.message).to.not.contain('used up');
    expect(state()).to.deep.equal([[], []]);
  });

  it('sends an unchanged secret only to the first authorization server', async () => {
    app.peers.accepted = new Set(['access-1']);
    await create();
    app.peers.endpoint = { url: 'https://evil.example/token', clientAuthentication: 'client_secret_post' };
    app.peers.accepted = new Set();
    app.peers.refreshes.length = 0;
    const before = state();
    expectRefused(await update({ details: { refresh_token: 'new' } }), 'auth_failed');
    expect(app.peers.refreshes).to.deep.equal([]);
    expect(state()).to.deep.equal(before);
  });

  describe('the stored refresh token', () => {
    beforeEach(async () => {
      await create(oauth, '');
    });

    it('is not used for a submitted access token, even if the saved one is due', async () => {
      app.peers.accepted = new Set(['access-1']);
      const before = state();
      for (const minutes of [0, 21]) {
        app.site.clock.advance(minutes * MINUTE);
        expectRefused(await update({ details: { token: 'wrong' } }), 'auth_failed');
        expectRefused(await update({ details: { client_secret: 'wrong' } }), 'auth_failed');
      }
      expect(app.peers.refreshes).to.deep.equal([]);
      expect(state()).to.deep.equal(before);
    });

    it('is not used for a change that the server refuses while the token is new', async () => {
      app.peers.accepted = new Set(['access-1']);
      const before = state();
      expectRefused(await update({ details: { headers: { 'X-Key': 'wrong' } } }), 'auth_failed');
      expect(app.peers.refreshes).to.deep.equal([]);
      expect(state()).to.deep.equal(before);
    });

    it('is not used for another client', async () => {
      app.site.clock.advance(21 * MINUTE);
      const before = state();
      app.peers.accepted = new Set(['access-1']);
      expectRefused(await update({ details: { client_id: 'other' } }), 'auth_failed');
      expect(app.peers.refreshes).to.deep.equal([]);
      expect(state()).to.deep.equal(before);
    });

    it('refreshes a due token of the saved connection even if the change fails', async () => {
      app.site.clock.advance(21 * MINUTE);
      app.peers.accepted = new Set(['access-1']);
      app.peers.fail('timeout', 'it took too long');
      expectRefused(await update({ description: 'new' }), 'timeout');
      expect(await read()).to.include({ version: 1, description: '', auth_state: 'ok' });
      expect(secrets()).to.include({ 'details/token': 'access-1', 'details/refresh_token': 'refresh-1' });
      app.peers.failure = undefined;
      expectOk(await update({ description: 'new' }));
      expect(await read()).to.include({ version: 2, description: 'new', auth_state: 'ok' });
      expect(tokens()).to.deep.equal(['access-1', 'access-1']);
      expect(app.peers.refreshes).to.have.length(1);
    });

    it('does not go to the former address if a user saves another one during the refresh', async () => {
      app.site.clock.advance(21 * MINUTE);
      const theirs = { url: 'https://b.example/mcp', token: 'token-b', client_secret: 'b', refresh_token: 'b' };
      app.peers.answer = async () => {
        expectOk(await update({ details: theirs }, ''));
        return { kind: 'refreshed', accessToken: 'late', refreshToken: 'late', expiresIn: 3600 };
      };
      const { status, json } = await update({ description: 'new' });
      expect([status, json.error_code], JSON.stringify(json)).to.deep.equal([409, 'version_conflict']);
      expect(tokens()).to.deep.equal([]);
      expect(secrets()).to.include({ 'details/token': 'token-b', 'details/refresh_token': 'b' });
      expect(await read()).to.include({ version: 2, description: '' });
    });
  });

  it('does not change the listing that drift is compared with', async () => {
    await create({ url: URL, token: 'access-0' });
    const tools = async () => (await app.call('editor', 'POST', `${PATH}/tools`, { name: 'alpha' })).json.data.drift;
    await tools();
    app.peers.tools = [{ name: 'other', description: 'new' }];
    expectOk(await update({ description: 'new' }));
    expect(await tools()).to.deep.equal({ added: ['other'], removed: ['echo'], changed: [] });
  });
});

import { expect } from 'chai';
import { startBearerProxy } from '../../support/peers/mcp/bearerProxy.ts';
import { startModern } from '../../support/peers/mcp/modern.ts';
import { startOAuthServer } from '../../support/peers/mcp/oauthServer.ts';
import type { Peers } from '../../support/peers/peers.ts';
import { expectFailedListing, expectFailedTest, expectOk, MASK, type McpCalls } from './calls.ts';

const MINUTE = 60_000;

export function refreshTopic(mcp: McpCalls, { started }: Peers): void {
  const { world, put, test, tools, config, secrets } = mcp;

  /** A connection whose access token is not good, before a real authorization server. */
  async function stale(discovered = false) {
    const server = await started(startModern());
    const oauth = await started(startOAuthServer());
    const { issuer: authorizationServer, accepts } = oauth;
    const proxy = await started(startBearerProxy({ target: server.url, tokens: [], authorizationServer, accepts }));
    const { client_id, client_secret, refresh_token } = await oauth.mint();
    const { name } = await mcp.tracker({
      url: proxy.url,
      token: 'stale-token',
      client_id,
      client_secret,
      refresh_token,
      is_auto_refresh_enabled: true,
      ...(discovered ? {} : { token_url: oauth.tokenUrl }),
    });
    return { name, oauth, proxy };
  }
  const succeeds = async (name: string) => expect((await test({ name })).json).to.include({ success: true });

  it('happens once after a 401; the call is made again with the new token, and both new tokens are kept', async () => {
    const { name, oauth, proxy } = await stale();
    const before = await secrets(name);
    const reply = await test({ name });
    expect(reply.json).to.include({ status: 'success', success: true });
    const after = (await secrets(name)) ?? {};
    expect(after['details/client_secret']).to.equal(before?.['details/client_secret']);
    expect(after['details/refresh_token']).to.not.equal(before?.['details/refresh_token']);
    const used = [...new Set(proxy.seen)];
    expect(used).to.deep.equal(['Bearer stale-token', `Bearer ${after['details/token']}`]);
    expect(oauth.tokenCalls()).to.equal(1);
    const record = await config(name);
    expect(record).to.include({ auth_state: 'ok', version: 1 });
    expect(record.details).to.include({ token: MASK, client_secret: MASK, refresh_token: MASK });
    const output = JSON.stringify([reply.json, record, (await tools({ name })).json]);
    for (const secret of Object.values(after)) expect(output).to.not.include(secret);
    // The rotated refresh token is good for the next one.
    expectOk(await put({ name, details: { token: 'stale-again' } }));
    await succeeds(name);
    expect([oauth.tokenCalls(), oauth.reuses()]).to.deep.equal([2, 0]);
  });

  it('serves the list of tools as well', async () => {
    const { name } = await stale();
    expect((await tools({ name })).json).to.include({ status: 'success', success: true });
    expect((await config(name)).auth_state).to.equal('ok');
  });

  it('finds the token endpoint and keeps it', async () => {
    const { name, oauth } = await stale(true);
    await succeeds(name);
    expect((await config(name)).token_url_detected).to.equal(oauth.tokenUrl);
    expect(oauth.tokenCalls()).to.equal(1);
  });

  it('comes before the token ends, when 80 % of its hour are over', async () => {
    const { name, oauth } = await stale();
    await succeeds(name);
    await world.advance(47 * MINUTE);
    await succeeds(name);
    expect((await config(name)).auth_state).to.equal('ok');
    expect(oauth.tokenCalls()).to.equal(1);
    await world.advance(MINUTE);
    const { auth_state, last_updated_at } = await config(name);
    expect(auth_state).to.equal('refresh_due');
    await succeeds(name);
    expect(oauth.tokenCalls()).to.equal(2);
    expect(await config(name)).to.include({ auth_state: 'ok', version: 1, last_updated_at });
  });

  it('invalid_grant sets reauth_required, without a retry until new credentials are saved', async () => {
    const { name, oauth } = await stale();
    expectOk(await put({ name, details: { refresh_token: 'never-issued' } }));
    expectFailedTest(await test({ name }), 'auth_failed');
    expect((await config(name)).auth_state).to.equal('reauth_required');
    for (let again = 0; again < 3; again += 1) {
      await world.advance(30 * MINUTE);
      expectFailedTest(await test({ name }), 'auth_failed');
    }
    expectFailedListing(await tools({ name }), 502, 'auth_failed');
    // A change that brings no credentials is no reason to try again.
    await put({ name, details: { is_auto_refresh_enabled: true } });
    expectFailedTest(await test({ name }), 'auth_failed');
    expect(oauth.tokenCalls()).to.equal(1);
    expectOk(await put({ name, details: { refresh_token: (await oauth.mint()).refresh_token } }));
    expect((await config(name)).auth_state).to.equal('unknown');
    await succeeds(name);
    expect(oauth.tokenCalls()).to.equal(2);
  });
}

import { expect } from 'chai';
import { createMcpClient } from '../../../src/adapters/mcp/mcpClient.ts';
import { createOAuthTokenClient } from '../../../src/adapters/oauth/oauthTokenClient.ts';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import type { RefreshRequest } from '../../../src/ports/oauth/oauthTokenClient.ts';
import { rejection } from '../../support/fault.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { startBearerProxy } from '../../support/peers/mcp/bearerProxy.ts';
import { startModern } from '../../support/peers/mcp/modern.ts';
import { type MintedTokens, startOAuthServer } from '../../support/peers/mcp/oauthServer.ts';
import { Peers } from '../../support/peers/peers.ts';

const outbound = createOutbound({ allowPrivate: true });
const tokens = createOAuthTokenClient(outbound);
const trust = { verifyTls: true };
const { started: run } = new Peers(afterEach);

async function discover(mcpUrl: string, named?: string) {
  using deadline = startDeadline(5000);
  return await tokens.discover(mcpUrl, named, trust, deadline);
}

async function refresh(url: string, more: Partial<RefreshRequest> = {}) {
  using deadline = startDeadline(5000);
  const endpoint = { url, clientAuthentication: 'client_secret_post' as const };
  const request = { endpoint, clientId: 'id', clientSecret: 'client-secret', refreshToken: 'refresh-secret', ...trust };
  const refreshRequest = { ...request, ...more };
  const secrets = [refreshRequest.refreshToken, ...(refreshRequest.clientSecret ? [refreshRequest.clientSecret] : [])];
  return await tokens.refresh({ secrets, ...refreshRequest }, deadline);
}

const failure = (work: Promise<unknown>) => rejection(work, OutboundError);

const requestFor = (minted: MintedTokens, refreshToken = minted.refresh_token): Partial<RefreshRequest> => ({
  clientId: minted.client_id,
  clientSecret: minted.client_secret,
  refreshToken,
});

describe('token server: a real one', () => {
  it('from a 401 to a refreshed token to a listing; the used refresh token is dead', async () => {
    const oauth = await run(startOAuthServer());
    const behind = await run(startModern());
    const accepts = oauth.accepts;
    const proxy = await run(
      startBearerProxy({ target: behind.url, tokens: [], authorizationServer: oauth.issuer, accepts }),
    );
    const mcp = createMcpClient(outbound);
    using deadline = startDeadline(10_000);

    const refused = await mcp.probe(
      { url: proxy.url, verifyTls: true, token: 'expired', secrets: ['expired'] },
      deadline,
    );
    const endpoint = await discover(proxy.url, refused.resourceMetadataUrl);
    expect(endpoint).to.deep.equal({ url: oauth.tokenUrl, clientAuthentication: 'client_secret_post' });

    const minted = await oauth.mint();
    const first = await refresh(endpoint.url, requestFor(minted));
    if (first.kind !== 'refreshed') throw new Error('not refreshed');
    expect(first.expiresIn).to.equal(3600);
    expect(first.refreshToken).to.be.a('string').and.not.to.equal(minted.refresh_token);
    const { accessToken: token } = first;
    const listing = await mcp.listTools({ url: proxy.url, verifyTls: true, token, secrets: [token] }, deadline);
    expect(listing.tools).to.have.length(1);

    expect(await refresh(endpoint.url, requestFor(minted))).to.have.property('kind', 'invalid_grant');
    expect(oauth.reuses()).to.equal(1);
    expect(
      await refresh(endpoint.url, requestFor(minted, first.refreshToken)),
      'the family is revoked',
    ).to.have.property('kind', 'invalid_grant');
    expect(oauth.tokenCalls()).to.equal(3);
  });

  it('finds it without a named document, by the well-known places', async () => {
    const oauth = await run(startOAuthServer());
    const proxy = await run(
      startBearerProxy({ target: 'http://127.0.0.1:9/mcp', tokens: [], authorizationServer: oauth.issuer }),
    );
    expect((await discover(proxy.url)).url).to.equal(oauth.tokenUrl);
  });

  it('uses basic authentication where nothing else is offered', async () => {
    const oauth = await run(startOAuthServer({ onlyBasic: true }));
    const proxy = await run(
      startBearerProxy({ target: 'http://127.0.0.1:9/mcp', tokens: [], authorizationServer: oauth.issuer }),
    );
    const endpoint = await discover(proxy.url);
    expect(endpoint.clientAuthentication).to.equal('client_secret_basic');
    expect(await refresh(endpoint.url, { ...requestFor(await oauth.mint()), endpoint })).to.have.property(
      'kind',
      'refreshed',
    );
  });

  it('a wrong client secret is auth_failed, not a dead refresh token', async () => {
    const oauth = await run(startOAuthServer());
    const minted = await oauth.mint();
    const error = await failure(
      refresh(oauth.tokenUrl, { ...requestFor(minted), clientSecret: 'wrong-client-secret' }),
    );
    expect(error.code).to.equal('auth_failed');
    expect(error.message).not.to.contain('wrong-client-secret');
    expect(await refresh(oauth.tokenUrl, requestFor(minted))).to.have.property('kind', 'refreshed');
  });
});

describe('token server: discovery', () => {
  /** Serves documents by path; `$` in them is this host. */
  async function site(documents: Record<string, unknown>): Promise<Peer & { asked: string[] }> {
    const asked: string[] = [];
    const peer = await run(
      startHttp((request, response) => {
        asked.push(request.url ?? '');
        const document = documents[request.url ?? ''];
        if (document === undefined) sendJson(response, 404, {});
        else
          sendJson(
            response,
            200,
            JSON.parse(JSON.stringify(document).replaceAll('$', `http://${request.headers.host}`)),
          );
      }),
    );
    return { ...peer, asked };
  }

  it('tries the well-known places with the path first, then the root, then the host itself', async () => {
    const peer = await site({});
    const error = await failure(discover(`${peer.url}/a/mcp`, `${peer.url}/named`));
    expect(error.code).to.equal('configuration_invalid');
    expect(error.message).to.contain('token_url');
    expect(peer.asked).to.deep.equal([
      '/named',
      '/.well-known/oauth-protected-resource/a/mcp',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-authorization-server/a/mcp',
      '/.well-known/openid-configuration/a/mcp',
      '/a/mcp/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
    ]);
  });

  it('reads the metadata of an issuer with a path at all three places', async () => {
    const peer = await site({
      '/.well-known/oauth-protected-resource': { resource: '$', authorization_servers: ['$/tenant'] },
      '/tenant/.well-known/openid-configuration': { issuer: '$/tenant', token_endpoint: '$/tenant/token' },
    });
    expect((await discover(`${peer.url}/mcp`)).url).to.equal(`${peer.url}/tenant/token`);
    expect(peer.asked.slice(2)).to.deep.equal([
      '/.well-known/oauth-authorization-server/tenant',
      '/.well-known/openid-configuration/tenant',
      '/tenant/.well-known/openid-configuration',
    ]);
  });

  it('falls back to the metadata of the MCP host', async () => {
    const peer = await site({
      '/.well-known/oauth-authorization-server': { issuer: 'https://x', token_endpoint: '$/t' },
    });
    expect((await discover(`${peer.url}/mcp`)).url).to.equal(`${peer.url}/t`);
  });

  it('finds the metadata of the path of the MCP server, without metadata of the resource', async () => {
    for (const path of ['/.well-known/oauth-authorization-server/a/mcp', '/.well-known/openid-configuration/a/mcp']) {
      const peer = await site({ [path]: { issuer: '$/a/mcp', token_endpoint: '$/t' } });
      for (const end of ['', '/', '?x=1'])
        expect((await discover(`${peer.url}/a/mcp${end}`)).url, path).to.equal(`${peer.url}/t`);
    }
    const elsewhere = await site({
      '/.well-known/oauth-authorization-server/mcp': { token_endpoint: 'http://public.example/token' },
    });
    expect((await failure(discover(`${elsewhere.url}/mcp`))).code).to.equal('configuration_invalid');
  });

  it('does not believe documents about another resource, another issuer, or a plain or odd endpoint', async () => {
    const resource = { resource: '$/mcp', authorization_servers: ['$'] };
    const server = { issuer: '$', token_endpoint: '$/token' };
    const cases: [string, Record<string, unknown>, Record<string, unknown>][] = [
      ['other resource', { ...resource, resource: 'https://other.example/mcp' }, server],
      ['other path', { ...resource, resource: '$/mc' }, server],
      ['no resource', { authorization_servers: ['$'] }, server],
      ['empty resource', { ...resource, resource: '' }, server],
      ['null for a resource', { ...resource, resource: null }, server],
      ['list of resources', { ...resource, resource: ['$/mcp'] }, server],
      ['no servers', { resource: '$/mcp' }, server],
      ['http endpoint', resource, { ...server, token_endpoint: 'http://public.example/token' }],
      ['endpoint with user info', resource, { ...server, token_endpoint: 'https://u:p@public.example/token' }],
      ['no endpoint', resource, { issuer: '$' }],
    ];
    for (const [name, first, second] of cases) {
      const peer = await site({
        '/.well-known/oauth-protected-resource': first,
        '/.well-known/openid-configuration': second,
      });
      expect((await failure(discover(`${peer.url}/mcp`))).code, name).to.equal('configuration_invalid');
    }
    const lying = await site({
      '/.well-known/oauth-protected-resource': resource,
      '/.well-known/openid-configuration': { ...server, issuer: 'https://other.example' },
    });
    expect((await failure(discover(`${lying.url}/mcp`))).code, 'other issuer').to.equal('configuration_invalid');
  });

  it('reports a host that cannot be reached', async () => {
    expect((await failure(discover('https://nothing.invalid/mcp'))).code).to.equal('dns_failed');
  });
});

describe('token server: refresh', () => {
  async function answering(status: number, body: unknown, headers: Record<string, string> = {}) {
    const seen: { body: URLSearchParams; authorization: string | undefined }[] = [];
    const peer = await run(
      startHttp(async (request, response) => {
        const form = new URLSearchParams(await readBody(request));
        seen.push({ body: form, authorization: request.headers.authorization });
        sendJson(response, status, body, headers);
      }),
    );
    return { url: `${peer.url}/token`, seen };
  }

  it('sends the form of RFC 6749, with the resource; a public client sends no secret', async () => {
    const peer = await answering(200, { access_token: 'a', token_type: 'bearer' });
    expect(await refresh(peer.url, { resource: 'https://mcp.example/mcp' })).to.deep.equal({
      kind: 'refreshed',
      accessToken: 'a',
    });
    await refresh(peer.url, { clientSecret: undefined });
    expect(Object.fromEntries(peer.seen[0]?.body ?? [])).to.deep.equal({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-secret',
      client_id: 'id',
      client_secret: 'client-secret',
      resource: 'https://mcp.example/mcp',
    });
    expect(peer.seen[1]?.body.has('client_secret')).to.equal(false);
  });

  it('encodes both halves of basic credentials', async () => {
    const peer = await answering(200, { access_token: 'a' });
    const endpoint = { url: peer.url, clientAuthentication: 'client_secret_basic' as const };
    await refresh(peer.url, { endpoint, clientId: 'a:b', clientSecret: 'c d' });
    expect(peer.seen[0]?.authorization).to.equal(`Basic ${Buffer.from('a%3Ab:c+d').toString('base64')}`);
    expect(peer.seen[0]?.body.has('client_secret')).to.equal(false);
  });

  it('recognises a dead refresh token with 400, 401 and 403', async () => {
    for (const status of [400, 401, 403]) {
      const peer = await answering(status, { error: 'invalid_grant', error_description: 'refresh-secret is gone' });
      const outcome = await refresh(peer.url);
      expect(outcome).to.deep.equal({ kind: 'invalid_grant', message: '[redacted] is gone' });
    }
    const atlassian = await answering(403, {
      error: 'unauthorized_client',
      error_description: 'refresh_token is invalid',
    });
    expect(await refresh(atlassian.url)).to.have.property('kind', 'invalid_grant');
  });

  it('knows an error with the status of a success, and a request that cannot succeed', async () => {
    const gone = (message: string) => ({ kind: 'invalid_grant', message });
    const cases: [number, unknown, string][] = [
      [200, { error: 'bad_refresh_token', error_description: 'expired refresh-secret' }, 'expired [redacted]'],
      [200, { ok: false, error: 'invalid_refresh_token' }, 'invalid_refresh_token'],
      [200, { error: 'invalid_grant', error_description: null }, 'The refresh token is no longer valid'],
      [200, { error: { code: 'expired', message: 'sign in' }, access_token: null }, 'sign in'],
      [200, { error: 'invalid_request', error_description: 'no such token' }, 'no such token'],
      [400, { error: 'invalid_request', error_description: 'Token has expired' }, 'Token has expired'],
      [400, { error: 'invalid_request' }, 'invalid_request'],
      [201, { error: 'bad_refresh_token', error_description: 'gone' }, 'gone'],
      [200, { errors: [{ code: 'E7', message: 'gone' }] }, 'gone'],
      [200, { error_description: 'gone' }, 'gone'],
      [200, { error: 'bad_refresh_token', error_description: '' }, 'bad_refresh_token'],
      [400, { error: 'bad_refresh_token' }, 'bad_refresh_token'],
      [400, { error: { code: 'invalid_grant', message: 'gone' } }, 'gone'],
      [400, { code: 'invalid_grant', message: 'gone' }, 'gone'],
      [422, { error: 'INVALID_GRANT', error_description: 'gone' }, 'gone'],
    ];
    for (const [status, body, message] of cases)
      expect(await refresh((await answering(status, body)).url), JSON.stringify(body)).to.deep.equal(gone(message));
  });

  it('takes tokens with the status 201, and odd forms of the type', async () => {
    const tokens = { access_token: 'access', refresh_token: 'rotated' };
    const refreshed = { kind: 'refreshed', accessToken: 'access', refreshToken: 'rotated' };
    expect(await refresh((await answering(201, tokens)).url)).to.deep.equal(refreshed);
    for (const token_type of ['', 'Bearer ', 'BEARER']) {
      expect(await refresh((await answering(200, { ...tokens, token_type })).url)).to.deep.equal(refreshed);
    }
  });

  it('reads a reply in form encoding, whatever its content type', async () => {
    const answers = async (text: string, type: string, status = 200) => {
      const peer = await run(
        startHttp((_request, response) => response.writeHead(status, { 'content-type': type }).end(text)),
      );
      return refresh(`${peer.url}/token`);
    };
    const form = 'access_token=a%2Fb&token_type=bearer&refresh_token=r&expires_in=28800&scope=';
    for (const type of ['application/x-www-form-urlencoded; charset=utf-8', 'text/plain', 'application/json'])
      expect(await answers(form, type)).to.deep.equal({
        kind: 'refreshed',
        accessToken: 'a/b',
        refreshToken: 'r',
        expiresIn: 28_800,
      });
    for (const status of [200, 400])
      expect(
        await answers(
          'error=invalid_grant&error_description=It+has+expired',
          'application/x-www-form-urlencoded',
          status,
        ),
      ).to.deep.equal({ kind: 'invalid_grant', message: 'It has expired' });
    expect((await failure(answers('maintenance', 'text/plain'))).code).to.equal('upstream_error');
  });

  it('takes null for an absent member, and sends the scope', async () => {
    const nulls = { access_token: 'a', token_type: null, refresh_token: null, expires_in: null, error: null };
    const peer = await answering(200, nulls);
    expect(await refresh(peer.url, { scope: 'read offline_access' })).to.deep.equal({
      kind: 'refreshed',
      accessToken: 'a',
    });
    await refresh(peer.url, { scope: '' });
    expect(peer.seen.map(({ body }) => body.get('scope'))).to.deep.equal(['read offline_access', null]);
  });

  it('reports everything else in the one vocabulary', async () => {
    const cases: [number, unknown, string][] = [
      [400, { error: 'invalid_scope' }, 'bad_request'],
      [400, { error: 'invalid_request', error_description: 'the resource is missing' }, 'bad_request'],
      [403, { error: 'invalid_request' }, 'permission_denied'],
      [200, { error: 'invalid_client' }, 'auth_failed'],
      [200, { error: 'incorrect_client_credentials' }, 'auth_failed'],
      [200, { error: 'temporarily_unavailable' }, 'upstream_error'],
      [200, { message: 'Maintenance' }, 'upstream_error'],
      [200, { error: null, access_token: null }, 'upstream_error'],
      [401, { error: 'invalid_client' }, 'auth_failed'],
      [400, { error: 'invalid_client' }, 'auth_failed'],
      [429, {}, 'rate_limited'],
      [500, { error: 'invalid_grant' }, 'upstream_error'],
      [200, {}, 'upstream_error'],
      [200, { access_token: 7 }, 'upstream_error'],
      [200, { access_token: 'a', refresh_token: 7 }, 'upstream_error'],
      [200, { access_token: 'a', token_type: 'DPoP' }, 'not_supported'],
      [200, [], 'upstream_error'],
    ];
    for (const [status, body, code] of cases) {
      const peer = await answering(status, body, { 'retry-after': '5' });
      const error = await failure(refresh(peer.url));
      expect(error.code, `${status} ${JSON.stringify(body)}`).to.equal(code);
      expect(error.httpStatus).to.equal(status);
      if (status === 429) expect(error.retryAfter).to.equal(5);
    }
  });

  it('sends nothing over plain http beyond this machine', async () => {
    expect((await failure(refresh('http://public.example/token'))).code).to.equal('configuration_invalid');
  });
});

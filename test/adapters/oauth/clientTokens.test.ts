import { expect } from 'chai';
import { createOAuthTokenClient } from '../../../src/adapters/oauth/oauthTokenClient.ts';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import type { ClientRequest } from '../../../src/ports/oauth/oauthTokenClient.ts';
import { type Peer, readBody, startHttp } from '../../support/peers/listen.ts';

const SECRET = 'client-secret & canary';
const tokens = createOAuthTokenClient(createOutbound({ allowPrivate: true }));

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  text?: string;
  hangs?: boolean;
}

describe('token server: client credentials', () => {
  let peer: Peer;
  let answer: Answer;
  let asked: { url: string | undefined; type: string | undefined; body: string };
  before(async () => {
    peer = await startHttp(async (request, response) => {
      asked = { url: request.url, type: request.headers['content-type'], body: await readBody(request) };
      if (answer.hangs) return;
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(answer.text ?? '');
    });
  });
  after(() => peer.close());

  async function issue(reply: Answer, more: Partial<ClientRequest> = {}, ms = 5000) {
    answer = reply;
    using deadline = startDeadline(ms);
    const endpoint = { url: `${peer.url}/token`, clientAuthentication: 'client_secret_post' as const };
    const request = { endpoint, clientId: 'a b', clientSecret: SECRET, verifyTls: true, secrets: [SECRET], ...more };
    return await tokens.issue(request, deadline);
  }
  const failure = (reply: Answer, more?: Partial<ClientRequest>, ms?: number) =>
    issue(reply, more, ms).then(
      () => expect.fail('nothing was thrown'),
      ({ code, message }) => {
        expect(message).to.not.include('canary');
        return `${code}: ${message}`;
      },
    );
  const json = (body: object, more: Answer = {}): Answer => ({ text: JSON.stringify(body), ...more });

  it('are sent in a form, with a scope only where there is one', async () => {
    expect(await issue(json({ access_token: 't', token_type: 'bearer', expires_in: '60' }))).to.deep.equal({
      accessToken: 't',
      expiresIn: 60,
    });
    expect(asked).to.deep.equal({
      url: '/token',
      type: 'application/x-www-form-urlencoded',
      body: 'grant_type=client_credentials&client_id=a+b&client_secret=client-secret+%26+canary',
    });
    await issue(json({ access_token: 't' }), { scope: 'x y' });
    expect(new URLSearchParams(asked.body).get('scope')).to.equal('x y');
  });

  it('are refused: with the error and its description, and no secret', async () => {
    const long = 'x'.repeat(5000);
    for (const [status, body, expected] of [
      [401, { error: 'invalid_client', error_description: `not ${SECRET}` }, '401: invalid_client: not [redacted]'],
      [400, { error: 'invalid_scope' }, '400: invalid_scope'],
      [400, { error: 'invalid_grant', error_description: 'gone' }, '400: invalid_grant: gone'],
      [200, { error: 'unauthorized_client', error_description: 'no' }, '200: unauthorized_client: no'],
    ] as const) {
      const words = await failure(json(body, { status }));
      expect(words).to.equal(`auth_failed: The token endpoint answered ${expected}`);
    }
    const bounded = await failure(json({ error: 'invalid_client', error_description: long }, { status: 401 }));
    expect(bounded).to.have.length.below(400);
  });

  it('meet a server in trouble: the codes of any other call', async () => {
    expect(await failure({ status: 503, text: 'busy' })).to.equal(
      'upstream_error: The token endpoint answered 503: busy',
    );
    expect(await failure(json({ error: 'slow_down' }, { status: 429 }))).to.match(/^rate_limited: /);
    expect(await failure({ status: 403 })).to.match(/^permission_denied: /);
    expect(await failure({ hangs: true }, {}, 300)).to.match(/^timeout: /);
    const moved = await failure({ status: 307, headers: { location: 'https://elsewhere.example/token' } });
    expect(moved).to.match(/^upstream_error: .*elsewhere\.example/);
    const nobody = { url: 'http://127.0.0.1:1/token', clientAuthentication: 'client_secret_post' as const };
    expect(await failure({}, { endpoint: nobody })).to.match(/^connection_refused: /);
    const plain = { url: 'http://login.example/token', clientAuthentication: 'client_secret_post' as const };
    expect(await failure({}, { endpoint: plain })).to.match(/^configuration_invalid: .*https/);
  });

  it('meet a server that lies', async () => {
    const html = '<!doctype html><title>Sign in</title>';
    const reply = 'upstream_error: The reply of the token endpoint';
    expect(await failure({ text: html })).to.equal(`${reply} is an HTML page`);
    expect(await failure({ status: 401, text: html })).to.equal(
      'auth_failed: The token endpoint answered 401: an HTML page',
    );
    for (const text of ['', '[]', '{}', '"t"', '{"access_token":""}', '{"access_token":7}', `{"token":"${SECRET}"}`])
      expect(await failure({ text }), text).to.equal(`${reply} has no access token`);
    for (const access_token of ['canary\r\nx: y', 'canary ü', 'canary canary'])
      expect(await failure(json({ access_token }))).to.equal(`${reply} has an access token that no header can carry`);
    expect(await failure(json({ access_token: 'canary', token_type: 'mac' }))).to.match(/^not_supported: /);
    expect(await failure({ text: 'x'.repeat(300_000) })).to.match(/^upstream_error: /);
    for (const expires_in of [0, -5, 'soon', '', null, true, {}, '1e999'])
      expect(await issue(json({ access_token: 't', expires_in })), String(expires_in)).to.deep.equal({
        accessToken: 't',
        expiresIn: undefined,
      });
  });
});

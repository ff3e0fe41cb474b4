import { createServer } from 'node:https';
import { expect } from 'chai';
import { loginToken } from '../../src/adapters/kubernetes/login.ts';
import { createOutbound } from '../../src/adapters/outbound/outbound.ts';
import { OutboundError } from '../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../src/domain/async/deadline.ts';
import { rejection } from '../support/fault.ts';
import { makeCertificate } from '../support/peers/certificates.ts';
import { listen } from '../support/peers/listen.ts';

const PASSWORD = 'canary-password';

describe('login at a cluster with user and password', () => {
  const certificate = makeCertificate();
  let port = 0;
  let close: () => Promise<void> = async () => {};
  let hasLogin = true;
  const seen: { path: string; csrf: string | undefined }[] = [];

  before(async () => {
    const server = createServer(certificate, (request, response) => {
      const url = new URL(request.url ?? '/', 'https://x');
      if (url.pathname === '/.well-known/oauth-authorization-server') {
        if (!hasLogin) return response.writeHead(404).end();
        return response.end(JSON.stringify({ authorization_endpoint: `https://127.0.0.1:${port}/oauth/authorize` }));
      }
      seen.push({ path: `${url.pathname}${url.search}`, csrf: request.headers['x-csrf-token'] as string | undefined });
      const [user, password] = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64')
        .toString()
        .split(':');
      if (password !== PASSWORD) return response.writeHead(401).end();
      const base = `https://127.0.0.1:${port}/oauth/token/implicit`;
      const location =
        user === 'locked' ? `${base}?error=access_denied` : `${base}#access_token=sha256~abc&expires_in=86400`;
      return response.writeHead(302, { location }).end();
    });
    ({ port, close } = await listen(server));
  });
  after(() => close());

  const login = async (user: string, password: string, ca: string | undefined = certificate.cert) => {
    using deadline = startDeadline(5000);
    const place = { url: `https://127.0.0.1:${port}`, ca };
    return await loginToken(createOutbound({ allowPrivate: true }), place, { user, password }, deadline);
  };
  const failure = async (work: Promise<unknown>): Promise<OutboundError> => {
    const error = await rejection(work, OutboundError);
    expect(error.message).to.not.contain(PASSWORD);
    return error;
  };

  it('takes the token out of the fragment of the redirect', async () => {
    expect(await login('user', PASSWORD)).to.equal('sha256~abc');
    expect(seen).to.deep.equal([
      { path: '/oauth/authorize?client_id=openshift-challenging-client&response_type=token', csrf: '1' },
    ]);
  });

  it('tells a wrong password, a refusal, a stranger and a cluster without a login', async () => {
    expect((await failure(login('user', 'wrong'))).code).to.equal('auth_failed');
    const locked = await failure(login('locked', PASSWORD));
    expect(locked.code).to.equal('auth_failed');
    expect(locked.message).to.contain('access_denied');
    expect((await failure(login('user', PASSWORD, makeCertificate().cert))).code).to.equal('tls_untrusted');
    hasLogin = false;
    expect((await failure(login('user', PASSWORD))).code).to.equal('not_supported');
  });
});

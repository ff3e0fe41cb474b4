import { createServer } from 'node:https';
import { expect } from 'chai';
import { loginToken } from '../../src/adapters/kubernetes/login.ts';
import { createOutbound } from '../../src/adapters/outbound/outbound.ts';
import { OutboundError } from '../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../src/domain/async/deadline.ts';
import { EngineFailure, type LoginServer } from '../../src/ports/engines/containerEngine.ts';
import { rejection } from '../support/fault.ts';
import { makeCertificate } from '../support/peers/certificates.ts';
import { listen } from '../support/peers/listen.ts';

const PASSWORD = 'canary-password';

describe('login at a cluster with user and password', () => {
  const certificate = makeCertificate();
  let port = 0;
  let close: () => Promise<void> = async () => {};
  let hasLogin = true;
  let endpoint: string | undefined;
  const seen: { path: string; csrf: string | undefined }[] = [];

  before(async () => {
    const server = createServer(certificate, (request, response) => {
      const url = new URL(request.url ?? '/', 'https://x');
      if (url.pathname === '/.well-known/oauth-authorization-server') {
        if (!hasLogin) return response.writeHead(404).end();
        return response.end(
          JSON.stringify({ authorization_endpoint: endpoint ?? `https://127.0.0.1:${port}/oauth/authorize` }),
        );
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

  const anyServer = (): LoginServer => ({ host: undefined, keep: async () => true });
  const loginAt = async (place: { url: string; ca: string | undefined }, login: Parameters<typeof loginToken>[2]) => {
    using deadline = startDeadline(5000);
    return await loginToken(createOutbound({ allowPrivate: true }), place, login, deadline);
  };
  const login = (user: string, password: string, ca: string | undefined = certificate.cert, server = anyServer()) =>
    loginAt({ url: `https://127.0.0.1:${port}`, ca }, { user, password, server });
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

  it('keeps the first login server before it gets the password', async () => {
    seen.length = 0;
    const kept: string[] = [];
    const keep = async (host: string) => {
      kept.push(`${host} ${seen.length}`);
      return true;
    };
    await login('user', PASSWORD, certificate.cert, { host: undefined, keep });
    expect(kept).to.deep.equal([`127.0.0.1:${port} 0`]);
    await login('user', PASSWORD, certificate.cert, { host: `127.0.0.1:${port}`, keep });
    expect([kept.length, seen.length]).to.deep.equal([1, 2]);
  });

  it('sends nothing to another login server than the first one, or in clear text', async () => {
    seen.length = 0;
    const keep = async () => false;
    const servers = [
      { host: 'login.example', keep },
      { host: '127.0.0.1', keep },
      { host: undefined, keep },
    ];
    for (const server of servers) {
      const error = await rejection(login('user', PASSWORD, certificate.cert, server), EngineFailure);
      expect(error.reason).to.equal('secret_required_for_new_host');
      expect(error.message).to.not.contain(PASSWORD);
    }
    for (const address of [`http://127.0.0.1:${port}/oauth/authorize`, '/oauth/authorize', 'ftp://127.0.0.1/']) {
      endpoint = address;
      expect((await failure(login('user', PASSWORD))).message).to.contain('no https');
    }
    endpoint = undefined;
    const open = { url: `http://127.0.0.1:${port}`, ca: undefined };
    const plain = await failure(loginAt(open, { user: 'user', password: PASSWORD, server: anyServer() }));
    expect(plain.code).to.equal('configuration_invalid');
    expect(seen).to.deep.equal([]);
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

import { createServer as createTls } from 'node:https';
import { createServer as createTcp } from 'node:net';
import { expect } from 'chai';
import { applications } from '../../src/adapters/outbound/applications.ts';
import { startDeadline } from '../../src/domain/async/deadline.ts';
import type { ApplicationTarget } from '../../src/ports/engines/applications.ts';
import { bannerApp } from '../../src/predictions/containers/dsdl.ts';
import { probeApplication } from '../../src/predictions/containers/probe.ts';
import { makeCertificate } from '../support/peers/certificates.ts';
import { freePort } from '../support/peers/listen.ts';
import { dripping, Peers } from '../support/peers/peers.ts';
import { patience } from '../support/time.ts';

const NAMES = ['data science', 'deep learning'];
const BANNER = JSON.stringify({ app: 'Splunk App for Data Science and Deep Learning', version: '5.2.4' });

describe('probe of the application', () => {
  const peers = new Peers();
  const serve = (answer: (authorization: string | undefined) => [number, string, Record<string, string>?]) =>
    peers.serve((request, response) => {
      const [status, body, headers] = answer(request.headers.authorization);
      response.writeHead(status, headers).end(body);
    });
  const probe = async (url: string, more: Partial<ApplicationTarget> = {}, ms = 5000) => {
    using deadline = startDeadline(ms);
    const target = { url, token: 'token', certificates: undefined, checkHostname: false, fingerprint: '', ...more };
    return await probeApplication(applications({ allowPrivate: true }), target, {
      protocol: undefined,
      names: NAMES,
      deadline,
    });
  };
  const errorOf = async (...args: Parameters<typeof probe>) => (await probe(...args)).error;

  it('knows the banner as JSON, and as a JSON text that holds JSON', async () => {
    expect(bannerApp(BANNER)).to.contain('Deep Learning');
    expect(bannerApp(JSON.stringify(BANNER))).to.contain('Deep Learning');
    for (const text of ['', 'null', '[]', '{"app":1}', '"x"', '{', JSON.stringify(JSON.stringify(BANNER))]) {
      expect(bannerApp(text), text).to.equal(undefined);
    }
    expect(await errorOf(await serve(() => [200, JSON.stringify(BANNER)]))).to.equal('');
    expect(await errorOf(await serve(() => [200, '{"app":"DEEP LEARNING TOOLKIT for Splunk"}']))).to.equal('');
  });

  it('shows the token, and tells a wrong one from a server that is down', async () => {
    const url = await serve((authorization) => (authorization === 'Bearer right' ? [200, BANNER] : [401, '{}']));
    expect(await errorOf(url, { token: 'right' })).to.equal('');
    expect(await errorOf(url, { token: 'wrong' })).to.equal('token_rejected');
  });

  it('names what else it meets', async () => {
    expect(await errorOf(await serve(() => [200, '{"app":"Some Other"}']))).to.equal('wrong_application');
    expect(await errorOf(await serve(() => [200, '<html>login</html>']))).to.equal('wrong_application');
    expect(await errorOf(await serve(() => [503, BANNER]))).to.equal('http_503');
    expect(await errorOf(await serve(() => [302, '', { location: 'http://127.0.0.1:1/login' }]))).to.equal('http_302');
    expect(await errorOf(await serve(() => [200, ' '.repeat(70_000) + BANNER]))).to.equal('upstream_error');
    expect(await errorOf(`http://127.0.0.1:${await freePort()}`)).to.equal('refused');
    expect(await errorOf('http://name.invalid')).to.equal('dns');
    expect(await errorOf('http://169.254.169.254')).to.equal('blocked_by_policy');
    const drip = await peers.serve(dripping(' '));
    const begun = performance.now();
    expect(await errorOf(drip, {}, 300)).to.equal('timeout');
    expect(performance.now() - begun).to.be.below(patience(1500));
    const silent = await peers.listening(createTcp(() => {}));
    expect(await errorOf(`http://127.0.0.1:${silent}`, {}, 200)).to.equal('timeout');
    expect(await errorOf((await serve(() => [200, BANNER])).replace('http:', 'https:'))).to.equal(
      'plain_http_on_https',
    );
  });

  describe('over TLS', () => {
    const serverCertificate = makeCertificate({ names: ['dsdl'] });
    const other = makeCertificate({ names: ['dsdl'] });
    let asked: string[] = [];
    const serveTls = async (certificate = serverCertificate) => {
      const server = createTls(certificate, (request, response) => {
        asked.push(request.headers.authorization ?? '');
        response.end(BANNER);
      });
      return `https://127.0.0.1:${await peers.listening(server)}`;
    };
    beforeEach(() => {
      asked = [];
    });

    it('pins the first certificate and sends the token to no other', async () => {
      const first = await probe(await serveTls());
      expect(first.error).to.equal('');
      expect(first.fingerprint).to.match(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
      const fingerprint = first.fingerprint ?? '';
      expect(await errorOf(await serveTls(), { fingerprint })).to.equal('');
      asked = [];
      expect(await errorOf(await serveTls(other), { fingerprint })).to.equal('tls_error');
      expect(asked).to.deep.equal([]);
    });

    it('accepts the named certificates alone, with or without the name in them', async () => {
      const url = await serveTls();
      expect(await errorOf(url, { certificates: serverCertificate.cert })).to.equal('');
      expect(await errorOf(url, { certificates: serverCertificate.cert, checkHostname: true })).to.equal('tls_error');
      expect(await errorOf(url, { certificates: other.cert })).to.equal('tls_error');
      expect(await errorOf(url, { checkHostname: true })).to.equal('tls_error');
      expect(asked).to.have.length(1);
    });
  });
});

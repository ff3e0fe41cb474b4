import { createServer as createTls } from 'node:https';
import { createServer as createTcp } from 'node:net';
import { expect } from 'chai';
import { createOutbound } from '../../../src/adapters/outbound/outbound.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { type MadeCertificate, makeCertificate } from '../../support/peers/certificates.ts';
import { freePort } from '../../support/peers/listen.ts';
import { dripping, Peers } from '../../support/peers/peers.ts';

const outbound = createOutbound({ allowPrivate: true });
const { listening, serve } = new Peers(afterEach);

const startTls = async (pair: MadeCertificate) =>
  `https://127.0.0.1:${await listening(createTls(pair, (_request, response) => response.end('hello')))}/`;

async function call(url: string, more: { verifyTls?: boolean; caCertificate?: string; ms?: number } = {}) {
  using deadline = startDeadline(more.ms ?? 5000);
  const { verifyTls = true, caCertificate } = more;
  return await outbound.request({ method: 'GET', url, deadline, verifyTls, caCertificate }).then(
    (answer) => answer.text,
    (error) => {
      expect(error).to.be.instanceOf(OutboundError);
      return `${error.code}${error.isAnswered ? ' of an answer' : ''}`;
    },
  );
}

describe('outbound: failures of real sockets', () => {
  const ca = makeCertificate({ ca: true, names: ['ca.example'] });

  it('self-signed: untrusted, unless it is the anchor or verification is off', async () => {
    const pair = makeCertificate();
    const url = await startTls(pair);
    expect(await call(url)).to.equal('tls_untrusted');
    expect(await call(url, { caCertificate: pair.cert })).to.equal('hello');
    expect(await call(url, { verifyTls: false })).to.equal('hello');
  });

  it('signed by a private authority: trusted only with it', async () => {
    const url = await startTls(makeCertificate({ issuer: ca }));
    expect(await call(url)).to.equal('tls_untrusted');
    expect(await call(url, { caCertificate: ca.cert })).to.equal('hello');
    expect(await call(url, { caCertificate: makeCertificate({ ca: true }).cert })).to.equal('tls_untrusted');
  });

  it('an authority that is no root, or the certificate of the server: trusted as the administrator named it', async () => {
    const between = makeCertificate({ ca: true, issuer: ca });
    const server = makeCertificate({ issuer: between });
    const other = makeCertificate({ ca: true, issuer: ca });
    const url = await startTls({ cert: `${server.cert}${between.cert}`, key: server.key });
    for (const { cert } of [ca, between, server]) expect(await call(url, { caCertificate: cert })).to.equal('hello');
    for (const { cert } of [other, makeCertificate()])
      expect(await call(url, { caCertificate: cert })).to.equal('tls_untrusted');
    // No weaker in anything else.
    const named = makeCertificate({ issuer: between, names: ['other.example'] });
    const past = makeCertificate({ issuer: between, notBefore: new Date(0), notAfter: new Date(86_400_000) });
    for (const [pair, code] of [
      [named, 'tls_hostname_mismatch'],
      [past, 'tls_expired'],
    ] as const) {
      const wrong = await startTls(pair);
      for (const { cert } of [between, pair]) expect(await call(wrong, { caCertificate: cert })).to.equal(code);
    }
  });

  it('expired, not yet valid, another host name', async () => {
    const past = await startTls(
      makeCertificate({ issuer: ca, notBefore: new Date(0), notAfter: new Date(86_400_000) }),
    );
    expect(await call(past, { caCertificate: ca.cert })).to.equal('tls_expired');
    const future = await startTls(makeCertificate({ issuer: ca, notBefore: new Date(Date.now() + 86_400_000) }));
    expect(await call(future, { caCertificate: ca.cert })).to.equal('tls_expired');
    const other = await startTls(makeCertificate({ issuer: ca, names: ['other.example'] }));
    expect(await call(other, { caCertificate: ca.cert })).to.equal('tls_hostname_mismatch');
  });

  it('TLS against a plain port, plain http against a TLS port', async () => {
    const plain = await serve((_request, response) => response.end('hello'));
    expect(await call(plain.replace('http:', 'https:'))).to.equal('tls_protocol');
    const tls = await startTls(makeCertificate({ issuer: ca }));
    expect(await call(tls.replace('https:', 'http:'))).to.be.oneOf(['connection_reset', 'upstream_error']);
  });

  it('a CA certificate that is none', async () => {
    const url = await startTls(makeCertificate({ issuer: ca }));
    const garbage = '-----BEGIN CERTIFICATE-----\nbm9uc2Vuc2U=\n-----END CERTIFICATE-----\n';
    expect(await call(url, { caCertificate: garbage })).to.equal('configuration_invalid');
  });

  it('refused, reset, broken off, no HTTP at all', async () => {
    expect(await call(`http://127.0.0.1:${await freePort()}/`)).to.equal('connection_refused');
    const behave = async (data: string): Promise<string> => {
      const server = createTcp((socket) => {
        socket.once('data', () => {
          if (data === '') socket.resetAndDestroy();
          else socket.end(data);
        });
      });
      return `http://127.0.0.1:${await listening(server)}/`;
    };
    expect(await call(await behave(''))).to.equal('connection_reset');
    expect(await call(await behave('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort'))).to.equal(
      'connection_reset of an answer',
    );
    expect(await call(await behave('SSH-2.0-OpenSSH_9.9\r\n\r\n'))).to.equal('upstream_error');
  });

  it('a name that does not resolve', async () => {
    expect(await call('http://nothing.invalid/')).to.equal('dns_failed');
  });

  it('slow: before the head, in the middle of the body, and before the call', async () => {
    const silent = await serve(() => {});
    expect(await call(silent, { ms: 60 })).to.equal('timeout');
    expect(await call(await serve(dripping('a')), { ms: 60 })).to.equal('timeout of an answer');
    expect(await call(silent, { ms: -1 })).to.equal('timeout');
  });
});

describe('outbound: bytes of a request', () => {
  it('keep the case of the names of headers', async () => {
    let sent = '';
    const server = createTcp((socket) => {
      socket.on('data', (chunk) => {
        sent += chunk.toString('latin1');
        if (sent.includes('\r\n\r\n')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    });
    using deadline = startDeadline(5000);
    await outbound.request({
      method: 'POST',
      url: `http://127.0.0.1:${await listening(server)}/`,
      headers: { request_id: '0a', 'X-Mixed-Case': '1', authorization: 'Bearer x' },
      body: '{}',
      deadline,
      verifyTls: true,
    });
    const names = sent.split('\r\n').map((line) => line.split(':')[0]);
    expect(names).to.include.members(['request_id', 'X-Mixed-Case']);
  });
});

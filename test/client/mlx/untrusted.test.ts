import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type MadeCertificate, makeCertificate } from '../../support/peers/certificates.ts';
import { listen, type Peer } from '../../support/peers/listen.ts';
import { mlx } from './mlx.ts';

const DAY_MS = 86_400_000;

describe('mlx and a certificate that is not trusted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'untrusted-'));
  const authority = makeCertificate({ ca: true, names: ['authority.invalid'] });
  const self = makeCertificate();
  const expired = { notBefore: new Date(Date.now() - 2 * DAY_MS), notAfter: new Date(Date.now() - DAY_MS) };
  const calls: string[] = [];
  let peers: Peer[] = [];

  const peer = async (certificate: MadeCertificate): Promise<string> => {
    const server = createServer(certificate, (request, response) => {
      calls.push(request.url ?? '');
      response.writeHead(401).end();
    });
    const { port, close } = await listen(server);
    peers.push({ url: `https://127.0.0.1:${port}`, close } as Peer);
    return `https://127.0.0.1:${port}`;
  };
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  afterEach(async () => {
    await Promise.all(peers.map(({ close }) => close()));
    peers = [];
    calls.length = 0;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = (command: string, url: string, more: string[] = [], env: Record<string, string> = {}) =>
    mlx([command, '--url', url, ...more], { ML_TOKEN: 'a-token-of-tests', ...env });

  const TRUST = /with --ca <file> or in NODE_EXTRA_CA_CERTS/;
  const ca = () => ['--ca', write('authority.pem', authority.cert)];
  const cases: [string, MadeCertificate, () => string[], RegExp, RegExp][] = [
    ['signed by itself', self, () => [], /is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\)/, TRUST],
    [
      'signed by an unknown authority',
      makeCertificate({ issuer: authority }),
      () => [],
      /authority that is not trusted here \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/,
      TRUST,
    ],
    [
      'that has expired',
      makeCertificate({ issuer: authority, ...expired }),
      ca,
      /has expired \(CERT_HAS_EXPIRED\)/,
      /Renew the certificate/,
    ],
    [
      'of another host',
      makeCertificate({ issuer: authority, names: ['other.invalid'] }),
      ca,
      /is for another host name \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
      /host name of the certificate in --url/,
    ],
  ];
  for (const [what, certificate, options, reason, remedy] of cases) {
    it(`${what}: says so and what to do`, async () => {
      const url = await peer(certificate);
      const { code, stderr } = await run('status', url, options());
      expect(code).to.equal(1);
      expect(stderr).to.match(reason).and.match(remedy);
      const doctor = await run('doctor', url, options());
      expect(doctor.code).to.equal(1);
      expect(doctor.stdout).to.match(remedy);
      expect(calls).to.deep.equal([]);
    });
  }

  it('trusts it in the ways that the message names', async () => {
    const url = await peer(self);
    const file = write('self.pem', self.cert);
    await run('status', url, ['--ca', file]);
    await run('status', url, [], { NODE_EXTRA_CA_CERTS: file });
    expect(calls.length).to.be.at.least(2);
  });
});

import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DetailedPeerCertificate,
  getCACertificates,
  type PeerCertificate,
  rootCertificates,
  setDefaultCACertificates,
} from 'node:tls';
import { expect } from 'chai';
import { SplunkdClient } from '../../../src/adapters/splunkd/client.ts';
import { splunkdTrust } from '../../../src/adapters/splunkd/trust.ts';
import { faultOf } from '../../support/fault.ts';
import { ADDRESS } from '../../support/peers/address.ts';
import { type MadeCertificate, makeCertificate } from '../../support/peers/certificates.ts';

describe('a management port that is not on loopback', () => {
  const ca = makeCertificate({ ca: true, names: ['SplunkCommonCA'] });
  /** As splunkd makes it: of its own CA, without a name of the host. */
  const certificate = makeCertificate({ issuer: ca, names: ['SplunkServerDefaultCert'] });
  const servers: Server[] = [];
  const formerHome = process.env.SPLUNK_HOME;
  let home: string;

  beforeEach(function () {
    if (ADDRESS === undefined) this.skip();
    home = mkdtempSync(join(tmpdir(), 'trust-'));
    process.env.SPLUNK_HOME = home;
    write('etc/auth/cacert.pem', ca.cert);
  });
  afterEach(() => {
    if (formerHome === undefined) delete process.env.SPLUNK_HOME;
    else process.env.SPLUNK_HOME = formerHome;
    rmSync(home, { recursive: true, force: true });
  });
  after(() => {
    for (const server of servers) server.close().closeAllConnections();
  });

  function write(path: string, text: string): void {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  }

  async function clientOf(shown: MadeCertificate, more: object = {}): Promise<SplunkdClient> {
    const server = createServer({ ...shown, ...more }, (_req, res) => res.end('{}'));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve));
    return new SplunkdClient(`https://${ADDRESS}:${(server.address() as AddressInfo).port}`);
  }

  const call = (client: SplunkdClient) =>
    client.call({ method: 'GET', endpoint: 'server/info', token: 't', namespace: 'services' });
  const sslConfig = (path: string, settings: string) => write(path, `[general]\nx = 1\n\n[sslConfig]\n${settings}\n`);

  it('is trusted by the CA of splunkd, whatever name the certificate has', async () => {
    sslConfig('etc/system/default/server.conf', 'caCertFile = $SPLUNK_HOME/etc/auth/cacert.pem');
    expect((await call(await clientOf(certificate))).status).to.equal(200);
  });

  it('has the CA of the layer that wins, and sslRootCAPath before caCertFile', async () => {
    const other = makeCertificate({ ca: true });
    write('etc/auth/site.pem', ca.cert);
    write('etc/auth/other.pem', other.cert);
    sslConfig('etc/system/default/server.conf', 'caCertFile = $SPLUNK_HOME/etc/auth/other.pem');
    sslConfig('etc/apps/b/local/server.conf', 'sslRootCAPath = $SPLUNK_HOME/etc/auth/other.pem');
    sslConfig('etc/apps/a/local/server.conf', `sslRootCAPath = ${home}/etc/auth/site.pem`);
    sslConfig('etc/apps/0/default/server.conf', 'sslRootCAPath = $SPLUNK_HOME/etc/auth/other.pem');
    expect((await call(await clientOf(certificate))).status).to.equal(200);
    sslConfig('etc/system/local/server.conf', 'sslRootCAPath = $SPLUNK_HOME/etc/auth/other.pem');
    expect((await faultOf(call(await clientOf(certificate)))).extra.reason).to.equal('certificate');
  });

  it('is refused with the certificate of another CA, and the failure says so', async () => {
    sslConfig('etc/system/default/server.conf', 'caCertFile = $SPLUNK_HOME/etc/auth/cacert.pem');
    const { code, message, extra } = await faultOf(
      call(await clientOf(makeCertificate({ names: ['SplunkServerDefaultCert'] }))),
    );
    expect([code, extra.reason]).to.deep.equal(['store_unavailable', 'certificate']);
    expect(message).to.contain('certificate');
  });

  it('is trusted by a bundle of which some certificates cannot be read', async () => {
    const broken = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    write('etc/auth/bundle.pem', `${rootCertificates.join('\n')}\n${broken}# ours\n${ca.cert}`);
    sslConfig('etc/system/local/server.conf', 'sslRootCAPath = $SPLUNK_HOME/etc/auth/bundle.pem');
    expect((await call(await clientOf(certificate))).status).to.equal(200);
  });

  it('needs its name on a certificate of a public CA, also where the bundle of the site has that CA', () => {
    const [root = ''] = rootCertificates;
    const shown = new X509Certificate(root).toLegacyObject() as DetailedPeerCertificate;
    for (const [bundle, isTrusted] of [
      [root, false],
      [ca.cert, true],
    ] as const) {
      write('etc/auth/bundle.pem', bundle);
      sslConfig('etc/system/local/server.conf', 'sslRootCAPath = $SPLUNK_HOME/etc/auth/bundle.pem');
      const { checkServerIdentity } = splunkdTrust(home);
      const peer = isTrusted ? (new X509Certificate(certificate.cert).toLegacyObject() as PeerCertificate) : shown;
      expect(checkServerIdentity?.('192.0.2.1', peer) === undefined).to.equal(isTrusted);
    }
  });

  it('needs its name on a certificate that only claims to come from the CA of splunkd', async () => {
    const known = makeCertificate({ ca: true, commonName: 'Known CA' });
    const leaf = makeCertificate({ issuer: known, names: ['another.example.com'] });
    // Named like the known CA, and naming the CA of splunkd as its issuer, which did not sign it.
    const forged = makeCertificate({ ca: true, commonName: 'Known CA', issuer: { ...known, cert: ca.cert } });
    const usual = getCACertificates('default');
    sslConfig('etc/system/default/server.conf', 'caCertFile = $SPLUNK_HOME/etc/auth/cacert.pem');
    setDefaultCACertificates([...usual, known.cert]);
    try {
      const client = await clientOf({ key: leaf.key, cert: leaf.cert + forged.cert });
      const { cause, extra } = await faultOf(call(client));
      expect([extra.reason, (cause as { code?: string }).code]).to.deep.equal([
        'certificate',
        'ERR_TLS_CERT_ALTNAME_INVALID',
      ]);
      const named = makeCertificate({ issuer: known, names: [ADDRESS ?? ''] });
      expect((await call(await clientOf(named))).status).to.equal(200);
    } finally {
      setDefaultCACertificates(usual);
    }
  });

  it('is refused where it asks for a certificate of the client, and the failure says so', async () => {
    sslConfig('etc/system/default/server.conf', 'caCertFile = $SPLUNK_HOME/etc/auth/cacert.pem');
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
      const client = await clientOf(certificate, {
        requestCert: true,
        rejectUnauthorized: true,
        ca: ca.cert,
        maxVersion,
      });
      expect((await faultOf(call(client))).extra.reason, maxVersion).to.equal('certificate');
    }
  });
});

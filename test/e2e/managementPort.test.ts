import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Reply, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { ADDRESS } from '../support/peers/address.ts';
import { makeCertificate } from '../support/peers/certificates.ts';

/** The platform of a site with `mgmtHostPort` or `SPLUNK_BINDIP`: calls of the app go to its address, as splunkd names it. */
describe('a management port that is not on loopback', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  before(async function () {
    if (ADDRESS === undefined) this.skip();
    platform = await startPlatform({ env: { ML_HOST: ADDRESS, ML_CERTIFICATE: 'splunkd' } });
    expect(platform.url).to.contain(ADDRESS);
  });
  after(() => platform?.dispose());

  const health = () => platform.ml('admin', 'GET', '/health');
  const search = (query: string): Promise<Reply> =>
    platform.admin('POST', '/servicesNS/admin/ml_extension/search/jobs', { search: query, exec_mode: 'oneshot' });

  async function restartWith(settings: string): Promise<void> {
    const folder = join(platform.home, 'etc/system/local');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'server.conf'), `[sslConfig]\n${settings}\n`);
    await platform.restart();
  }

  async function expectRefused(origin: RegExp): Promise<void> {
    const { status, json } = await health();
    expect([status, json.error_code, json.reason]).to.deep.equal([503, 'store_unavailable', 'certificate']);
    expect(json.message).to.contain('certificate');
    expect(json.remedy).to.contain('sslRootCAPath').and.contain('requireClientCert');
    expect(await platform.logged(json.request_id))
      .to.contain('"reason":"certificate"')
      .and.match(origin);
    const { messages } = (await search('| mlhealth')).json;
    expect(JSON.stringify(messages)).to.contain('certificate');
  }

  it('is trusted with the certificate of splunkd, by the app and by search commands', async () => {
    expect((await health()).json).to.include({ status: 'success', store: 'ready' });
    const { messages, results } = (await search('| mlhealth')).json;
    expect(messages, JSON.stringify(messages)).to.deep.equal([]);
    expect(results).to.be.an('array');
    const details = { url: 'https://mcp.example/mcp', token: 'secret' };
    const made = await platform.ml('admin', 'POST', '/mcp_connection', { name: 'docs', type: 'PLATFORM', details });
    expect(made.status, made.text).to.equal(200);
    expect((await search('| mlhealth')).json.results[0].name).to.equal('docs');
  });

  it('is trusted with the usual certificate of the embedded platform', async () => {
    const usual = await startPlatform({ env: { ML_HOST: ADDRESS ?? '' } });
    const { status, text } = await usual.ml('admin', 'GET', '/health');
    await usual.dispose();
    expect(status, text).to.equal(200);
  });

  it('is refused with a certificate of a CA that server.conf does not name', async () => {
    writeFileSync(join(platform.home, 'etc/auth/other.pem'), makeCertificate({ ca: true }).cert);
    await restartWith('sslRootCAPath = $SPLUNK_HOME/etc/auth/other.pem');
    await expectRefused(/"origin":"(UNABLE_TO_\w+|SELF_SIGNED_CERT_IN_CHAIN)"/);
  });

  it('is refused where it asks clients for a certificate', async () => {
    await restartWith('requireClientCert = true');
    await expectRefused(/"origin":"(ERR_SSL_\w*ALERT\w*|EPROTO)"/);
  });
});

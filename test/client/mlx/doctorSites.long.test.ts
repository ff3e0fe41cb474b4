import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { FIXTURE_APP } from '../../../platform/test/support/platform.ts';
import { ADDRESS } from '../../support/peers/address.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { Examination, onlyFailing } from './examination.ts';

/** What the doctor says of platforms that behave differently, as `docs/guide/proof.md` shows it. */
describe('mlx doctor, on platforms that differ', function () {
  this.timeout(300_000);
  let at: Examination;
  afterEach(() => at?.end());

  async function start(env: Record<string, string> = {}, files: Record<string, string> = {}): Promise<void> {
    const home = mkdtempSync(join(tmpdir(), 'site-'));
    write(home, files);
    at = await Examination.start(env, home);
  }

  function write(home: string, files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, 'etc', name)), { recursive: true });
      writeFileSync(join(home, 'etc', name), text, { mode: 0o755 });
    }
  }

  const examine = () => at.run(at.platform.url, ['--insecure']);

  const guide = readFileSync(new URL('../../../docs/guide/proof.md', import.meta.url), 'utf8');
  /** A message of the doctor that the guide quotes. */
  function expectQuoted(message: string, quoted: string): void {
    expect(message).to.contain(quoted);
    expect(guide).to.contain(`"${quoted}"`);
  }

  /** Whose endpoint answers. */
  async function ownerOf(path: string): Promise<string> {
    const { status, json } = await at.platform.call('admin', 'GET', path);
    if (json?.error_code !== undefined || json?.store !== undefined) return 'ml';
    return status === 200 ? 'mltk' : 'none';
  }

  const TOOLKIT = {
    'apps/Splunk_ML_Toolkit/default/app.conf': '[launcher]\nversion = 5.7.4\n',
    'apps/Splunk_ML_Toolkit/default/restmap.conf':
      '[script:mltk]\nmatch = /mltk\nscripttype = persist\ndriver = echo\nscript = echo\noutput_modes = json\n',
    'apps/Splunk_ML_Toolkit/bin/echo': FIXTURE_APP['bin/echo'] ?? '',
  };

  it('does not mind paths that nobody claims and the app gets, with the endpoints of AI Toolkit beside it', async () => {
    await start({}, TOOLKIT);
    const owners = ['/services/mlxdoctor1', '/services/mltk/x', '/services/ml/health'].map(ownerOf);
    expect(await Promise.all(owners)).to.deep.equal(['ml', 'mltk', 'ml']);
    const found = await examine();
    expect(found.failing, found.stdout).to.deep.equal([]);
    expectQuoted(found.of('rest-tree').says, 'AI Toolkit has its own calls');
  });

  it('names an AI Toolkit that is installed and whose calls the app gets', async () => {
    await start({}, { 'apps/Splunk_ML_Toolkit/default/app.conf': '[launcher]\nversion = 5.7.4\n' });
    expect(await ownerOf('/services/mltk/x')).to.equal('ml');
    const { says, remedy } = onlyFailing(await examine(), 'rest-tree');
    expectQuoted(says, 'The platform gives the app calls of AI Toolkit below /mltk');
    expect(remedy).to.contain('AI Toolkit is not reached');
  });

  it('says how batches treat limits and sorts as text, and whether a replace inserts', async () => {
    for (const [env, batch, replace] of [
      [
        { ML_KV_BATCH: 'strict' },
        'limit as number taken, as text refused; sort as list taken, as text refused',
        'is refused',
      ],
      [
        { ML_KV_BATCH: 'ignore' },
        'limit as number taken, as text ignored; sort as list taken, as text ignored',
        'is refused',
      ],
      [
        { ML_KV_BATCH: 'lenient', ML_KV_REPLACE: 'insert' },
        'limit as number taken, as text taken; sort as list taken, as text taken',
        'inserts one',
      ],
    ] as const) {
      await start(env);
      const found = await examine();
      expect(found.failing, found.stdout).to.deep.equal([]);
      if (env.ML_KV_BATCH === 'lenient') expect(found.of('batch-find').says).to.contain(batch);
      else expectQuoted(found.of('batch-find').says, batch);
      expect(found.of('replace-missing').says).to.contain(replace);
      if (replace === 'inserts one')
        expectQuoted(found.of('replace-missing').says, 'a POST to a key without a document inserts one');
      await at.expectNothingLeft();
      if (env.ML_KV_BATCH !== 'lenient') await at.end();
    }
  });

  it('names a KV store that is disabled, and what to set, and asks nothing that needs it', async () => {
    await start();
    await at.platform.faults({ kvstore: 'disabled' });
    const found = await examine();
    const { says, remedy } = onlyFailing(found, 'store');
    expectQuoted(says, 'The KV store is disabled');
    expect(remedy).to.match(/\[kvstore\].* server\.conf/);
    expect(found.checks.filter(({ says }) => says === 'store does not hold').length).to.equal(7);
    await at.platform.faults({ kvstore: 'ok' });
    await at.expectNothingLeft();
  });

  it('passes where the port is not on loopback, and names its certificate where the app cannot call it', async function () {
    if (ADDRESS === undefined) return this.skip();
    await start({ ML_HOST: ADDRESS, ML_CERTIFICATE: 'splunkd' });
    const healthy = await examine();
    expect([healthy.code, healthy.failing], healthy.stdout).to.deep.equal([0, []]);

    const settings = 'system/local/server.conf';
    write(at.platform.home, {
      'auth/other.pem': makeCertificate({ ca: true }).cert,
      [settings]: '[sslConfig]\nsslRootCAPath = $SPLUNK_HOME/etc/auth/other.pem\n',
    });
    await at.platform.restart();
    const distrusted = await examine();
    const { says, remedy } = onlyFailing(distrusted, 'app');
    expectQuoted(says, 'The app cannot call the management port because of a certificate');
    expect(remedy).to.contain('sslRootCAPath').and.contain('[sslConfig]');
    expect(distrusted.of('runtime').state).to.equal('not_asked');
    expect(distrusted.stdout).to.not.match(/glibc|kvstore-status/);

    write(at.platform.home, { [settings]: '[sslConfig]\nrequireClientCert = true\n' });
    await at.platform.restart();
    // Past a proxy that has a certificate for the port, and directly.
    expect(onlyFailing(await at.run(), 'app').says).to.contain('certificate');
    const asked = onlyFailing(await examine(), 'reach');
    expectQuoted(asked.says, 'A call was not answered (certificate)');
    expect(asked.remedy).to.contain('requireClientCert');
  });
});

import { expect } from 'chai';
import type { StoreStored } from '../../../../src/families/vector-stores/definition.ts';
import { visit } from '../../../../src/families/vector-stores/testing.ts';
import type { Target } from '../../../../src/resources/target.ts';
import { makeCertificate } from '../../../support/peers/certificates.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { startTlsPostgres } from '../../../support/peers/stores/postgres.ts';
import { PgWorld, search, serverDependencies, startWorld, worlds } from './worlds.ts';

const QUERY = { text: 'x', count: 3, vector: new Float32Array([1, 0, 0, 0]) };

const failureOf = (target: Target<StoreStored>, query = QUERY, ms = 10_000) =>
  search(target, query, ms).then(
    () => 'nothing',
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  );

const testOf = async (target: Target<StoreStored>, query?: string) => {
  const { run } = await visit(serverDependencies(), target, { query });
  return [run.steps.map(({ error_code, status }) => error_code ?? status), run.reachable, run.authenticated];
};

describe('failures of tables and indexes', () => {
  for (const world of worlds()) {
    describe(world.name, function () {
      this.timeout(60_000);
      startWorld(world);
      before(() => world.create('docs', 4));

      it('name what is not there', async () => {
        expect(await failureOf(world.target('nothing'))).to.match(
          /^kb_not_found: There is no (?:table|index) nothing\b/,
        );
        const isTable = world.name === 'PostgreSQL';
        const lacking = isTable ? { text_column: 'nobody' } : { text_field: 'nobody' };
        expect(await failureOf(world.target('docs', lacking))).to.match(
          /^kb_not_found: The \w+ docs has no \w+ nobody$/,
        );
      });

      it('name both lengths of a vector that does not fit', async () => {
        const query = { ...QUERY, vector: new Float32Array(7) };
        expect(await failureOf(world.target('docs'), query)).to.match(/^configuration_invalid: .*\b7\b.*\b4$/);
      });

      it('show in a test of the connection', async () => {
        expect(await testOf(world.target('docs'), 'q')).to.deep.equal([['success', 'success'], true, true]);
        expect(await testOf(world.target('docs'))).to.deep.equal([['success', 'skipped'], true, true]);
        expect(await testOf(world.target('nothing'), 'q')).to.deep.equal([['kb_not_found', 'skipped'], true, true]);
      });
    });
  }
});

describe('connections to PostgreSQL', function () {
  this.timeout(60_000);
  const world = new PgWorld();
  const { started } = new Peers();
  const certificate = makeCertificate({ names: ['127.0.0.1'] });
  let port: number;
  startWorld(world);
  before(async () => {
    await world.create('docs', 4);
    ({ port } = await started(startTlsPostgres(world.server?.port ?? 0, certificate)));
  });

  it('verify the certificate, or only encrypt, or neither', async () => {
    const ca = { ca_certificate: certificate.cert };
    expect(await search(world.target('docs', { ssl: 'verify', port, ...ca }), QUERY)).to.deep.equal([]);
    expect(await search(world.target('docs', { ssl: 'require', port }), QUERY)).to.deep.equal([]);
    expect(await failureOf(world.target('docs', { ssl: 'verify', port }))).to.match(/^tls_untrusted: /);
    expect(await failureOf(world.target('docs', { ssl: 'require' }))).to.match(/^tls_protocol: /);
    const other = makeCertificate({ names: ['elsewhere.example'] });
    const { port: wrong } = await started(startTlsPostgres(world.server?.port ?? 0, other));
    const mismatch = world.target('docs', { ssl: 'verify', port: wrong, ca_certificate: other.cert });
    expect(await failureOf(mismatch)).to.match(/^tls_hostname_mismatch: /);
  });

  it('are refused with a wrong password, which no message repeats', async () => {
    const target = world.target('docs', {}, { 'details/password': 'no-such-password-1' });
    expect(await failureOf(target)).to.match(/^auth_failed: (?!.*no-such-password)/);
    expect(await testOf(target)).to.deep.equal([['auth_failed', 'skipped'], true, false]);
  });

  it('end at the deadline, and with them what the server was doing', async () => {
    await world.run(
      'CREATE VIEW slow AS SELECT id, body, embedding, facts FROM (SELECT *, pg_sleep(60) AS t FROM docs) s WHERE t IS NOT NULL',
    );
    await world.put('docs', [{ id: 'a', text: 'a', vector: [1, 0, 0, 0], metadata: {} }]);
    expect(await failureOf(world.target('slow'), QUERY, 1000)).to.match(/^timeout: /);
    const active =
      "SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%\"slow\"%' AND pid <> pg_backend_pid()";
    expect(await world.run(active)).to.deep.equal([{ n: '0' }]);
  });

  it('are made to allowed addresses alone', async () => {
    expect(await failureOf(world.target('docs', { host: '169.254.169.254' }))).to.match(/^blocked_by_policy: /);
    expect(await failureOf(world.target('docs', { host: 'nowhere.invalid' }))).to.match(/^dns_failed: /);
    expect(await failureOf(world.target('docs', { port: 1 }))).to.match(/^connection_refused: /);
  });
});

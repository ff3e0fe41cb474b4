import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { AlertRequest } from '../../../src/ports/platform/ownApi.ts';
import { AlertSite, numbered, started } from './alertSite.ts';
import { callers, payloadOf, resultsFile } from './payloads.ts';

describe('alert action', () => {
  const site = new AlertSite();
  beforeEach(() => site.reset());
  after(() => site.remove());

  for (const [caller, payload] of Object.entries(callers('https://127.0.0.1:8089'))) {
    it(`hands over what ${caller} sends; without a file its result is the row`, async () => {
      const { code, stderr } = await site.act(payload);
      expect(code).to.equal(0);
      const { rows, ...alert } = site.sent[0] as AlertRequest;
      expect(alert).to.deep.equal({
        search_name: payload.search_name ?? '',
        sid: String(payload.sid),
        ...(payload.result_id === undefined ? {} : { result_id: '4' }),
        app: payload.app,
        owner: payload.owner,
        params: payload.configuration,
        first_row: 0,
        row_count: 1,
        ordinals: [0],
        will_retry: true,
      });
      expect(rows).to.have.length(1);
      expect(rows[0]).to.include({ user: 'bob' }).and.not.have.property('_bkt');
      expect(stderr[0]).to.include(`sid="${payload.sid}"`).and.to.include('run_id="run-1"');
    });
  }

  it('sends the first rows of the file in one request for one run, with their number', async () => {
    const path = site.results(numbered(30), ['n', '_cd']);
    const configuration = { agent: 'triage', max_rows: '3' };
    expect((await site.act(payloadOf({ results_file: path, configuration }))).code).to.equal(0);
    expect(site.sent).to.have.length(1);
    expect(site.sent[0]).to.deep.include({ rows: numbered(3), row_count: 30, first_row: 0, ordinals: [0, 0, 0] });
    expect(site.log()).to.have.length(3);
  });

  it('sends 500 rows for a run each, says how many there were, and numbers equal ones', async () => {
    site.answer = started;
    const { code } = await site.act(site.perRow(numbered(700, (n) => `${n % 2}`)));
    expect(code).to.equal(0);
    expect(site.sent).to.have.length(1);
    expect(site.sent[0]?.rows).to.have.length(500);
    expect(site.sent[0]?.row_count).to.equal(700);
    expect(site.sent[0]?.ordinals.slice(0, 6)).to.deep.equal([0, 0, 1, 1, 2, 2]);
  });

  it('divides rows into requests of at most 1 MB', async () => {
    site.answer = started;
    const rows = numbered(600, (n) => `${n}${'ä'.repeat(2_000)}`);
    expect((await site.act(site.perRow(rows))).code).to.equal(0);
    expect(site.sent.length).to.be.greaterThan(2);
    for (const request of site.sent)
      expect(Buffer.byteLength(JSON.stringify({ alert: request }))).to.be.at.most(1_000_000);
    expect(site.sent.flatMap((request) => request.rows)).to.deep.equal(rows.slice(0, 500));
    expect(site.sent.map(({ row_count }) => row_count)).to.deep.equal(site.sent.map(() => 600));
    expect(site.sent.map(({ first_row }) => first_row)).to.deep.equal(
      site.sent.map((_, index) => site.sent.slice(0, index).reduce((sum, { rows }) => sum + rows.length, 0)),
    );
  });

  it('sends only the first rows that fit into one request for one run', async () => {
    const path = site.results(
      numbered(20, (n) => `${n}${'x'.repeat(100_000)}`),
      ['n'],
    );
    await site.act(payloadOf({ results_file: path }));
    expect(site.sent).to.have.length(1);
    expect(site.sent[0]?.rows.length).to.be.within(8, 9);
    expect(site.sent[0]?.row_count).to.equal(20);
  });

  it('reads cells beyond 128 KB, multivalues with dollar signs and line ends, and cuts a row that is too large', async () => {
    const long = `${'y'.repeat(300_000)}"\n,`;
    const small = site.results([{ n: long, src: ['a$b', 'c;d', 'e\nf'] }], ['n', 'src']);
    await site.act(payloadOf({ results_file: small }));
    expect(site.sent[0]?.rows).to.deep.equal([{ n: long, src: ['a$b', 'c;d', 'e\nf'] }]);
    const large = site.results([{ n: 'z'.repeat(3_000_000), m: 'kept' }], ['n', 'm']);
    const { code, stderr } = await site.act(payloadOf({ results_file: large }));
    expect(code).to.equal(0);
    expect(site.sent[1]?.rows[0]).to.have.property('m', 'kept');
    expect(site.sent[1]?.rows[0]?.n).to.match(/^z+$/);
    expect(Buffer.byteLength(JSON.stringify({ alert: site.sent[1] }))).to.be.within(400_000, 1_000_000);
    expect(stderr.join('\n')).to.include('WARN').and.to.include('values of 1 row were cut');
  });

  it('starts nothing without a row', async () => {
    for (const payload of [
      payloadOf({ result: {} }),
      payloadOf({ result: { _cd: '1' }, results_file: '' }),
      payloadOf({ results_file: site.results([], ['n']) }),
    ]) {
      const { code, stderr } = await site.act(payload);
      expect([code, stderr.length, site.sent.length]).to.deep.equal([0, 1, 0]);
      expect(stderr[0]).to.match(/^INFO .*no rows/);
    }
  });

  it('takes the row of the payload if the file has not even a header', async () => {
    for (const bytes of [Buffer.alloc(0), gzipSync('')]) {
      site.reset();
      const result = { n: '7' };
      expect((await site.act(payloadOf({ result, results_file: site.file('empty.csv.gz', bytes) }))).code).to.equal(0);
      expect(site.sent[0]?.rows).to.deep.equal([result]);
    }
  });

  it('names the size of a plain file that is too large', async () => {
    const path = site.file('large.csv', Buffer.from('"n"\n'));
    truncateSync(path, 256 * 1024 * 1024 + 1);
    const { code, stderr } = await site.act(payloadOf({ results_file: path }));
    expect(code).to.equal(2);
    expect(stderr[0]).to.match(/^ERROR .*results_file has more than 268435456 bytes/);
  });

  it('fails with a file that cannot be read, and names it', async () => {
    const packed = resultsFile(numbered(3), ['n']);
    for (const bytes of [packed.subarray(0, -12), Buffer.from('a,b\n"x'), Buffer.from('"a","__mv_a"\n"x","$x"\n')]) {
      const { code, stderr } = await site.act(payloadOf({ results_file: site.file('broken.csv.gz', bytes) }));
      expect([code, site.sent.length]).to.deep.equal([2, 0]);
      expect(stderr[0]).to.match(/^ERROR .*results_file/);
    }
    expect((await site.act(payloadOf({ results_file: site.home }))).code).to.equal(2);
  });

  it('explains itself, and refuses to run without --execute', async () => {
    const help = await site.act(undefined, { args: ['--help'] });
    expect(help.code).to.equal(0);
    expect(help.stdout.join('\n')).to.include('Exit codes').and.to.include('suppress').and.to.include('Default: 1h');
    const wrong = await site.act(payloadOf(), { args: [] });
    expect([wrong.code, wrong.stderr.length, site.sent.length]).to.deep.equal([2, 1, 0]);
  });

  it('says so where the log cannot be written, and goes on', async () => {
    writeFileSync(join(site.home, 'var'), 'in the way');
    for (const at of [site.home, '']) {
      const { code, stderr } = await site.act(payloadOf(), { at });
      expect(code).to.equal(0);
      expect(stderr.filter((line) => line.startsWith('WARN'))).to.have.length(1);
    }
  });
});

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { CAPABILITIES as LISTED } from '../../../client/src/cli/doctor/app.ts';
import { CHECKS } from '../../../client/src/cli/doctor/doctor.ts';
import { VIEWS } from '../../../client/src/cli/doctor/web.ts';
import { CAPABILITIES } from '../../../src/contract/capabilities.ts';
import { CONSOLE_VIEWS } from '../../../src/contract/consoleViews.ts';
import { ADMIN_PASSWORD } from '../../support/e2e/platform.ts';
import { freePort } from '../../support/peers/listen.ts';
import { Peer } from '../peer.ts';
import { Examination, onlyFailing } from './examination.ts';
import { mlx } from './mlx.ts';

describe('mlx doctor', () => {
  let at: Examination;
  before(async () => {
    at = await Examination.start();
  });
  after(() => at?.end());

  it('passes on a healthy site and leaves no records', async () => {
    const found = await at.run(at.platform.url, ['--insecure']);
    expect(found.checks.filter(({ state }) => state !== 'holds')).to.deep.equal([]);
    expect(found.checks.length).to.equal(22);
    expect([found.code, found.stderr]).to.deep.equal([0, '']);
    await at.expectNothingLeft();
    const { code, stdout } = await mlx(['doctor', '--url', at.platform.url, '--user', 'admin', '--insecure'], {
      ML_PASSWORD: ADMIN_PASSWORD,
    });
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^ {2}holds {6}reach /)
      .and.match(/\n22 hold, 0 fail, 0 not asked \(mlx [\d.]+, app [\d.]+/);
  });

  it('knows the capabilities and the views of the app', () => {
    expect(LISTED).to.have.members(Object.keys(CAPABILITIES));
    expect(VIEWS).to.have.members(Object.keys(CONSOLE_VIEWS));
  });

  it('makes each check once, after the one that it needs, and the guide has it', () => {
    const codes = CHECKS.map(({ code }) => code);
    expect(new Set(codes).size).to.equal(codes.length);
    const needs = CHECKS.flatMap(({ code, needs }) => (needs === undefined ? [] : [[needs, code] as const]));
    expect(needs.filter(([needed, code]) => !codes.slice(0, codes.indexOf(code)).includes(needed))).to.deep.equal([]);
    const guide = readFileSync(new URL('../../../docs/guide/proof.md', import.meta.url), 'utf8');
    const named = (cells: RegExp) => [...guide.matchAll(cells)].flatMap(([, cell = '']) => cell.match(/[\w-]+/g) ?? []);
    expect(named(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm)).to.have.members(codes);
    // The table of facts has a check for each fact, or says that none asks it.
    const facts = guide.slice(guide.indexOf('\n| fact |'), guide.indexOf('\nSources:'));
    const cells = [...facts.matchAll(/^\| [^*].* \| ([^|]*) \|$/gm)].map(([, cell = '']) => cell).slice(1);
    expect(cells.length).to.be.greaterThan(70);
    for (const cell of cells) expect(cell).to.match(/^(not asked|`[\w-]+`(, `[\w-]+`)*)$/);
    expect(codes).to.include.members(
      cells
        .filter((cell) => cell !== 'not asked')
        .join()
        .match(/[\w-]+/g) ?? [],
    );
  });

  it('reports a wrong password and stops', async () => {
    at.front.seen.length = 0;
    const found = await at.run(at.front.url, [], 'admin', 'not-the-password');
    expect(onlyFailing(found, 'login').cause).to.match(/^401/);
    expect(found.of('kv-store')).to.include({ state: 'not_asked', says: 'store does not hold' });
    expect(at.front.seen.length).to.equal(2);
  });

  it('reports a peer that is not a Splunk platform, and sends it no password', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const local = (port: number) => `http://127.0.0.1:${port}`;
    await using leading = await Peer.start((response) =>
      response.writeHead(303, { Location: 'http://127.0.0.1/en-US/account/login' }).end(),
    );
    await using other = await Peer.start((response) => response.end('<html>Welcome</html>'));
    await using odd = await Peer.start((response) => response.writeHead(999).end());
    const peers: [string, RegExp][] = [
      [local((silent.address() as AddressInfo).port), /\(timeout\)/],
      [leading.url, /redirects/],
      [other.url, /not the management port/],
      [odd.url, /\(broken_off\)/],
      [local(await freePort()), /\(refused\)/],
      [at.platform.url, /\(certificate\)/],
      [at.platform.url.replace('https', 'http'), /\((broken_off|not_tls)\)/],
      [at.front.url.replace('http', 'https'), /\((broken_off|not_tls)\)/],
    ];
    for (const [url, says] of peers) {
      const found = await at.run(url, ['--timeout', '2']);
      expect(onlyFailing(found, 'reach').says, url).to.match(says);
      expect(found.of('reach').remedy).to.have.length.above(20);
    }
    silent.close();
    const calls = [leading, other, odd].flatMap((peer) => peer.calls);
    expect(calls.length).to.equal(3);
    expect(calls.filter(({ headers, body }) => headers.authorization || body)).to.deep.equal([]);
  });

  it('removes its records when interrupted, and reports those that remain', async () => {
    const interruptedAt = async (address: string) => {
      let kill: (signal: NodeJS.Signals) => void = () => undefined;
      at.front.meddle = async ({ method, path }, forward) => {
        if (method === 'POST' && path.includes(address)) {
          await forward();
          kill('SIGINT');
          kill = () => undefined;
        }
        return undefined;
      };
      const args = ['doctor', '--url', at.front.url, '--user', 'admin'];
      const ended = await mlx(args, { ML_PASSWORD: ADMIN_PASSWORD }, (how) => {
        kill = how;
      });
      at.front.meddle = async () => undefined;
      return ended;
    };
    for (const address of ['/mcp_connection', '/data/ml_doctor?', '/data/ml_doctor/batch_find']) {
      const { code, stderr } = await interruptedAt(address);
      expect([code, stderr], address).to.deep.equal([1, 'Interrupted: removing test records\n']);
      await at.expectNothingLeft();
    }

    const stuck = await at.runPast(async ({ method, path }) =>
      method === 'DELETE' && /mcp_connection|ml_doctor/.test(path) ? { status: 503, text: '{}' } : undefined,
    );
    expect(stuck.of('removal').state).to.equal('fails');
    expect(stuck.left_behind).to.have.length(2);
    expect(stuck.stderr).to.match(
      /^Left behind: the MCP connection mlx-doctor record \+\(\w{8}\)\. Delete it by hand\.\n/,
    );
    expect(stuck.stderr).to.contain('Left behind: documents in the collection ml_doctor. Empty it by hand.\n');
    expect(await at.platform.documents('ml_doctor')).to.not.deep.equal([]);
    const again = await at.run();
    expect(again.of('removal').says).to.match(/; 2 of other runs are still there: mlx-doctor /);
    for (const name of stuck.left_behind)
      await at.platform.ml('admin', 'DELETE', `/mcp_connection/${encodeURIComponent(name)}`);
    await at.expectNothingLeft();
  });
});

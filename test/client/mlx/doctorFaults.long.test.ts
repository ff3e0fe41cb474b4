import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeClassic } from '../../../src/codegen/package/classicPages.ts';
import { builtApp } from '../../support/e2e/build.ts';
import { startPlatform } from '../../support/e2e/platform.ts';
import { Peer } from '../peer.ts';
import { Examination, type Finding, onlyFailing } from './examination.ts';
import { mlx } from './mlx.ts';

describe('mlx doctor, on a site where something is wrong', function () {
  this.timeout(300_000);
  let at: Examination;
  before(async () => {
    at = await Examination.start();
  });
  after(() => at?.end());

  it('checks all but the pages with a token', async () => {
    const form = { name: 'admin', audience: 'doctor' };
    const { json } = await at.platform.admin('POST', '/services/authorization/tokens', form);
    const { token } = json.entry[0].content;
    const { code, stdout } = await mlx(['doctor', '--url', at.front.url, '--json'], { ML_TOKEN: token });
    const { checks } = JSON.parse(stdout).result as { checks: Finding[] };
    expect(checks.filter(({ state }) => state !== 'holds').map(({ check }) => check)).to.deep.equal([
      'web',
      'web-refusal',
    ]);
    expect([code, stdout.includes(token)]).to.deep.equal([0, false]);
  });

  it('finds the pages of a package for releases before 10.4', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'classic-'));
    const app = join(folder, 'ml_extension');
    makeClassic(builtApp(), app);
    const classic = await startPlatform({ env: { ML_WEB_PORT: '0' }, args: ['--app', app] });
    const found = await at.run(classic.url, ['--insecure'], 'admin');
    await classic.dispose();
    rmSync(folder, { recursive: true, force: true });
    expect([found.code, found.of('web').state], found.stdout).to.deep.equal([0, 'holds']);
  });

  it('names a KV store that is down, one that only reads, and a password storage that is down', async () => {
    for (const [fault, check, remedy] of [
      [{ kvstore: 'down' }, 'store', /kvstore-status/],
      [{ kvstore: 'read_only' }, 'kv-store', /upgrade or backup/],
      [{ passwords: 'down' }, 'secrets', /password storage/],
    ] as const) {
      await at.platform.faults(fault);
      const found = await at.run();
      await at.platform.faults({ kvstore: 'ok', passwords: 'ok' });
      expect([found.code, found.of(check).state], found.stdout).to.deep.equal([1, 'fails']);
      expect(found.of(check).remedy).to.match(remedy);
      await at.expectNothingLeft();
    }
  });

  it('checks as an ordinary user', async () => {
    await at.platform.createUser('uma', ['ml_user']);
    const found = await at.run(undefined, [], 'uma');
    expect([found.code, found.failing], found.stdout).to.deep.equal([0, []]);
    const unasked = found.checks.filter(({ state }) => state === 'not_asked').map(({ check, says }) => [check, says]);
    const lacks = 'this account lacks edit_agent_connections';
    expect(unasked).to.deep.include.members([
      ['batch-find', 'only administrators may use a collection of the app'],
      ['replace-missing', 'only administrators may use a collection of the app'],
      ['kv-store', lacks],
      ['secrets', lacks],
    ]);
    expect(found.of('closed-stores').says).to.equal('the collections of the app are closed to this account');
  });

  it('names an app of another version, and one of which an older process still runs', async () => {
    const other = await at.runPast(async ({ path }, forward) =>
      /\/ml\/health|apps\/local/.test(path)
        ? {
            text: (await forward()).text.replace(
              /"version":"\d+\.\d+\.\d+","(store|visible)"/,
              '"version":"9.9.9","$1"',
            ),
          }
        : undefined,
    );
    expect(onlyFailing(other, 'app').says).to.match(/^The app is version 9\.9\.9, and mlx is /);
    const former = await at.runPast(async ({ path }, forward) =>
      path.includes('/ml/health')
        ? { text: (await forward()).text.replace(/"version":"[\d.]+"/, '"version":"0.0.9"') }
        : undefined,
    );
    expect(onlyFailing(former, 'app').remedy).to.match(/^Restart splunkd/);
  });

  it('names clocks that differ: that of the platform, and that of the app', async () => {
    const late = await at.runPast(async (_, forward) => {
      const { headers } = await forward();
      return { headers: { ...headers, date: new Date(Date.now() - 3_600_000).toUTCString() } };
    });
    expect(onlyFailing(late, 'clock').says).to.match(/^The clock of the platform is 3\d{3} s behind/);
    at.platform.advance(3_600_000);
    const ahead = await at.run();
    at.platform.advance(-3_600_000);
    expect(onlyFailing(ahead, 'clock').says).to.match(/^The clock of the app's process is 3\d{3} s ahead/);
  });

  it('names request headers that are dropped on the way', async () => {
    const found = await at.runPast(async ({ headers }) => void delete headers['if-match']);
    expect(onlyFailing(found, 'kv-store').remedy).to.contain('passHttpHeaders');
    await at.expectNothingLeft();
  });

  it('names a Splunk Web that sends refusals without their bodies', async () => {
    await using web = await Peer.start(async (response, { method, path, query, headers, body }) => {
      const { host, connection, ...passed } = headers;
      const url = `${at.platform.web}${path}${query ? `?${query}` : ''}`;
      const sent = { method, headers: passed as Record<string, string>, redirect: 'manual' as const };
      const answer = await fetch(url, method === 'GET' ? sent : { ...sent, body });
      for (const name of ['content-type', 'location']) {
        const value = answer.headers.get(name);
        if (value !== null) response.setHeader(name, value);
      }
      response.setHeader('Set-Cookie', answer.headers.getSetCookie());
      response.writeHead(answer.status).end(answer.status === 409 ? '' : Buffer.from(await answer.arrayBuffer()));
    });
    const found = await at.run(at.front.url, ['--web', web.url]);
    expect(onlyFailing(found, 'web-refusal')).to.include({
      says: 'A refusal (409) of the app does not pass Splunk Web unchanged',
      cause: '409',
    });
    await at.expectNothingLeft();
  });

  it('names a large reply that is cut', async () => {
    const found = await at.runPast(async ({ path }, forward) =>
      path.endsWith('/openapi') ? { text: (await forward()).text.slice(0, 65_536) } : undefined,
    );
    expect(onlyFailing(found, 'large-reply').says).to.contain('damaged (64 KiB)');
  });

  it('names a limit of uploads', async () => {
    const found = await at.runPast(async ({ body }) => (body.length > 65_536 ? { status: 413 } : undefined));
    expect(onlyFailing(found, 'upload').cause).to.equal('413');
  });

  it('names refusals that are rewritten', async () => {
    const found = await at.runPast(async ({ path }, forward) =>
      path.includes('/ml/mlx-doctor') ? { ...(await forward()), text: '<html>Not here</html>' } : undefined,
    );
    expect(onlyFailing(found, 'rest-tree').says).to.contain('A refusal of the app does not arrive');
  });

  it('names a search command that is missing, and one of another app', async () => {
    const unknown = '{"messages":[{"type":"FATAL","text":"Unknown search command \'mlhealth\'."}]}';
    const gone = await at.runPast(async ({ path, body }) =>
      path.endsWith('/search/jobs') && body.includes('mlhealth') ? { status: 400, text: unknown } : undefined,
    );
    expect(onlyFailing(gone, 'search-mlhealth').cause).to.equal("400: Unknown search command 'mlhealth'.");
    const theirs = await at.runPast(async ({ path }, forward) =>
      path.endsWith('/search/jobs')
        ? { text: (await forward()).text.replace('"error_code":"not_found"', '"status":"error"') }
        : undefined,
    );
    expect(onlyFailing(theirs, 'search-agentstatus').remedy).to.contain('AI Toolkit');
  });

  it('names a program that does not answer, with what its launcher says', async () => {
    const text = JSON.stringify({
      status: 'fail',
      message: 'No runtime fits this machine',
      remedy: 'Install another.',
    });
    const found = await at.runPast(async ({ path }) => (path.includes('/ml/') ? { status: 503, text } : undefined));
    expect(found.of('app')).to.include({ state: 'fails', cause: '503: No runtime fits this machine' });
    expect(found.of('app').remedy).to.equal('Install another.');
    const broken = '{"messages":[{"type":"ERROR","text":"bad character (49) in reply size"}]}';
    const noisy = await at.runPast(async ({ path }) =>
      path.includes('/ml/') ? { status: 500, text: broken } : undefined,
    );
    expect(noisy.of('app').says).to.equal('The platform cannot read what the app answers');
    const bare = await at.runPast(async ({ path }) => (path.includes('/ml/') ? { status: 500, text: '' } : undefined));
    expect(bare.of('app').remedy).to.contain('libstdc++.so.6');
    for (const { failing } of [found, noisy, bare]) expect(failing).to.deep.equal(['app', 'runtime']);
  });
});

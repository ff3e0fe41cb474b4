import { expect } from 'chai';
import { MemoryApp } from '../../support/memory/app.ts';
import { type FaultMode, FaultPlan } from '../../support/memory/faults.ts';

const PATH = '/mcp_connection';
const MINUTE = 60_000;
const SECRETS = {
  token: 'access-0',
  client_secret: 'secret',
  refresh_token: 'refresh-0',
};
const details = {
  url: 'https://mcp.example/mcp',
  client_id: 'client',
  is_auto_refresh_enabled: true,
  ...SECRETS,
};

/** A connection whose token is due. */
async function prepared(): Promise<MemoryApp> {
  const app = new MemoryApp();
  await app.call('editor', 'POST', PATH, {
    name: 'other',
    type: 'PLATFORM',
    details: { url: details.url, token: 't' },
  });
  await app.call('editor', 'POST', PATH, { name: 'alpha', type: 'ISSUE_TRACKER', details });
  app.site.clock.advance(20 * MINUTE);
  return app;
}

const testOnce = (app: MemoryApp, faults?: FaultPlan) =>
  app.request(
    { method: 'POST', path: '/ml/mcp_connection/test', body: Buffer.from('{"name":"alpha"}'), sessionToken: 'editor' },
    faults,
  );

/** The stored pair of access and refresh token. */
function pair(app: MemoryApp): [string, string] {
  const record = app.site.records.all('ml_mcp_connections').find((each) => each.name === 'alpha');
  const secrets = JSON.parse(app.site.secrets.values.get(String(record?.secret_ref)) ?? '{}');
  expect(secrets['details/client_secret']).to.equal('secret');
  return [secrets['details/token'], secrets['details/refresh_token']];
}

async function check(at: number, mode: FaultMode): Promise<number> {
  const app = await prepared();
  const faults = new FaultPlan(at, mode);
  const reply = await testOnce(app, faults);
  const where = `${mode} at call ${at} (${faults.trace.slice(0, at).join(', ')})`;
  expect(reply.status, where).to.be.oneOf([200, 500, 503]);
  expect([
    ['access-0', 'refresh-0'],
    ['access-1', 'refresh-1'],
  ]).to.deep.include(pair(app), where);
  expect(app.leaks('access-', 'refresh-'), where).to.deep.equal([]);

  // Another process works with the stored pair after every lease has expired.
  app.site.clock.advance(2 * MINUTE);
  const next = await testOnce(app);
  expect([next.status, next.json.success], `${where}: afterwards`).to.deep.equal([200, true]);
  const [access, refresh] = pair(app);
  expect(access.replace('access', ''), where).to.equal(refresh.replace('refresh', ''));
  expect(access, `${where}: refreshed in the end`).not.to.equal('access-0');
  expect(app.site.orphans('ml_mcp_connections'), where).to.deep.equal([]);
  expect(app.site.records.all('ml_journal'), where).to.deep.equal([]);

  // An expired lease of a dead process may remain: the next refresh takes and releases it.
  const leases = app.site.records.all('ml_leases');
  for (const lease of leases) expect(lease.expires_at, where).to.be.below(app.site.clock.now());
  app.site.clock.advance(60 * MINUTE);
  await testOnce(app);
  expect(pair(app)[0], where).not.to.equal(access);
  expect(app.site.records.all('ml_leases'), where).to.deep.equal([]);
  return faults.calls;
}

describe('token refresh when a call to the stores fails', () => {
  for (const mode of ['crash', 'refused', 'lost'] as const) {
    it(`ends well after ${mode} at each call`, async () => {
      let points = 0;
      while ((await check(points + 1, mode)) > points) {
        points += 1;
        expect(points).to.be.lessThan(200);
      }
      expect(points).to.be.at.least(20);
    });
  }
});

import { expect } from 'chai';
import { timePart } from '../../src/domain/values/keys.ts';
import { startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { startSilent } from '../support/peers/mcp/scripted.ts';
import { eventually } from '../support/time.ts';
import { restDrivers, searched } from './agents/agentSupport.ts';

const CANARY = 'canary-77aa1e90cd';
const mcp = (name: string, url = 'https://mcp.example/mcp') => ({
  name,
  type: 'PLATFORM',
  details: { url, token: CANARY },
});
type Entry = Record<string, unknown>;

describe('the audit trail over HTTP', function () {
  this.timeout(240_000);
  let platform: TestPlatform;
  const list = async (query = '', user = 'admin'): Promise<Entry[]> =>
    (await platform.ml(user, 'GET', `/audit?${query}`)).json.result;

  before(async () => {
    platform = await startPlatform({ movableClock: true });
    await platform.createUser('anna', ['ml_admin']);
    await platform.createUser('ben', ['ml_user']);
  });
  after(() => platform.dispose());

  it('can be searched in its index, with fields, by users who may read the index', async () => {
    expect((await platform.ml('anna', 'POST', '/mcp_connection', mcp('desk'))).status).to.equal(200);
    expect((await platform.ml('ben', 'DELETE', '/mcp_connection/desk')).status).to.equal(403);
    const search = 'search index=_audit sourcetype=ml_extension:audit';
    const rows = async (user = 'admin') => (await searched(platform, user, search)).rows;
    await eventually(async () => (await rows()).length === 2, 20_000, 'two events');
    const [refused, made] = await rows();
    expect(refused).to.include({ user: 'ben', action: 'delete', name: 'desk', error_code: 'missing_capability' });
    expect(made).to.include({ user: 'anna', action: 'create', outcome: 'success', via: 'rest', index: '_audit' });
    const [entry] = await list('user=anna');
    expect(JSON.parse(String(made?._raw))).to.deep.equal(entry);
    expect(await rows('ben')).to.deep.equal([]);
    expect(platform.filesWith([CANARY])).to.deep.equal([]);
  });

  it('records the calls of a search', async () => {
    expect((await searched(platform, 'anna', '| mlhealth check=true max_age=0')).rows).to.have.length(1);
    const vias = (await list('action=test')).map(({ via, user, family }) => [via, user, family]);
    expect(vias).to.deep.equal([['search', 'anna', 'connection-health']]);
  });

  it('is sent to no index if the setting is empty', async () => {
    await platform.setConf('audit', { index: '' });
    platform.advance(5000);
    await platform.ml('anna', 'PUT', '/mcp_connection', { name: 'desk', description: 'quiet' });
    await platform.setConf('audit', { index: '_audit' });
    platform.advance(5000);
    await platform.ml('anna', 'PUT', '/mcp_connection', { name: 'desk', description: 'loud' });
    const search = 'search index=_audit sourcetype=ml_extension:audit action=update';
    const rows = async () => (await searched(platform, 'admin', search)).rows;
    await eventually(async () => (await rows()).length > 0, 20_000, 'the event');
    expect(await rows()).to.have.length(1);
    expect(await list('action=update')).to.have.length(2);
  });

  it('an index that does not exist is logged without failing the call', async () => {
    await platform.setConf('audit', { index: 'nowhere' });
    platform.advance(5000);
    const reply = await platform.ml('anna', 'PUT', '/mcp_connection', { name: 'desk', description: 'lost' });
    expect([reply.status, reply.json.warnings]).to.deep.equal([200, undefined]);
    await eventually(() => platform.log().includes('audit_event_not_sent'), 20_000, 'the line');
    await platform.setConf('audit', { index: '_audit' });
    platform.advance(5000);
  });

  it('has the outcome unknown for the call of a killed process, and continues', async () => {
    const silent = await startSilent();
    try {
      await platform.ml('anna', 'POST', '/mcp_connection', mcp('slow', `${silent.url}/mcp`));
      const pending = platform.ml('anna', 'POST', '/mcp_connection/test', { name: 'slow' });
      const begun = async () => (await list('action=test&name=slow'))[0];
      await eventually(async () => (await begun()) !== undefined, 20_000, 'the entry');
      expect(await begun()).to.include({ outcome: 'unknown', duration_ms: null, user: 'anna' });
      for (const pid of restDrivers(platform)) process.kill(pid, 'SIGKILL');
      expect((await pending).status).to.equal(500);
      expect((await platform.ml('anna', 'DELETE', '/mcp_connection/slow')).status).to.equal(200);
      expect(await list('name=slow&outcome=unknown')).to.have.length(1);
      expect((await list('name=slow'))[0]).to.include({ action: 'delete', outcome: 'success' });
    } finally {
      await silent.close();
    }
  });

  it('is limited to a number of entries; older ones are removed', async () => {
    await platform.setConf('audit', { max_entries: '50' });
    const [template] = await platform.documents('ml_audit');
    const since = Date.now() - 7_200_000;
    const old = Array.from({ length: 3000 }, (_, index) => {
      const audit_id = timePart(since + index).padEnd(32, '0');
      return { ...template, _key: audit_id, audit_id };
    });
    await platform.putDocuments('ml_audit', old);
    const stored = async () => (await platform.documents('ml_audit')).length;
    expect(await stored()).to.be.greaterThan(3000);
    const more = async () => {
      platform.advance(11_000);
      await platform.ml('anna', 'PUT', '/mcp_connection', { name: 'desk' });
      return (await stored()) < 100;
    };
    await eventually(more, 60_000, 'the old entries to go');
    const kept = await list('count=0');
    expect(kept.filter(({ error_code }) => error_code !== 'missing_capability')).to.have.length(50);
  });

  it('counts the refusals of all processes, in an entry of their own kind', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => platform.ml('ben', 'PUT', '/mcp_connection', { name: `n${index}` })),
    );
    const refused = await list('user=ben&action=update');
    expect(refused.map(({ count }) => count)).to.deep.equal([40]);
  });
});

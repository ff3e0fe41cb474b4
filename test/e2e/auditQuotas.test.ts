import { expect } from 'chai';
import { timePart } from '../../src/domain/values/keys.ts';
import { startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { eventually } from '../support/time.ts';

const MAX_ENTRIES = 1000;
/** Share of one user who may edit nothing, of what is neither a refusal nor a use. */
const SHARE = 0.1;
const DAY_S = 86_400;

describe('the share of one user in the audit trail', function () {
  this.timeout(240_000);
  let platform: TestPlatform;
  type Entry = Record<string, unknown>;
  const ofUser = async (user: string): Promise<Entry[]> =>
    (await platform.documents('ml_audit')).filter((entry: Entry) => entry.user === user);

  before(async () => {
    platform = await startPlatform({ movableClock: true });
    await platform.createUser('bob', ['ml_admin']);
    await platform.createUser('ann', ['ml_user']);
    await platform.setConf('audit', { max_entries: String(MAX_ENTRIES) });
  });
  after(() => platform.dispose());

  it('holds at the speed at which a user makes entries for a day', async () => {
    const details = { url: 'https://mcp.example/mcp' };
    for (let time = 0; time < 10; time += 1) {
      const made = await platform.ml('bob', 'POST', '/mcp_connection', { name: `c${time}`, type: 'PLATFORM', details });
      expect(made.status).to.equal(200);
    }
    const since = performance.now();
    const connection = async () => {
      for (let time = 0; time < 40; time += 1) {
        const { json } = await platform.ml('ann', 'POST', '/experiments', { title: 'x', type: 'smart_forecast' });
        await platform.ml('ann', 'DELETE', `/experiments/${json.experiment_id}`);
      }
    };
    await Promise.all(Array.from({ length: 4 }, connection));
    const madePerS = (4 * 80) / ((performance.now() - since) / 1000);
    const number = MAX_ENTRIES * SHARE;
    expect(madePerS * DAY_S, 'entries in a day').to.be.greaterThan(number);

    const [template] = await ofUser('ann');
    expect(template?.bounded_user).to.equal('ann');
    const excess = 6000;
    // As old as those of bob, and newer: what is removed first must not depend on it.
    const first = Date.now() - 3_600_000;
    const docs = Array.from({ length: excess }, (_, at) => {
      const audit_id = timePart(first + at).padEnd(32, '0');
      return { ...template, _key: audit_id, audit_id };
    });
    await platform.putDocuments('ml_audit', docs);
    const began = performance.now();
    const isSwept = async () => {
      platform.advance(11_000);
      await platform.ml('bob', 'PUT', '/mcp_connection', { name: 'c0' });
      return (await ofUser('ann')).length <= number;
    };
    await eventually(isSwept, 120_000, 'the excess to go');
    const removedPerS = excess / ((performance.now() - began) / 1000);
    expect(removedPerS, 'removed a second').to.be.greaterThan(madePerS);
    const kept = (await platform.ml('admin', 'GET', '/audit?count=0&user=bob&action=create')).json.result;
    expect(kept).to.have.length(10);
    console.log(
      `      ${Math.round(madePerS)} entries made a second, ${Math.round(removedPerS)} removed; ${Math.round(madePerS * DAY_S)} in a day, of which ${number} are kept`,
    );
  });
});

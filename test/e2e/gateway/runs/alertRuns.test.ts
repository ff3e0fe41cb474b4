import { expect } from 'chai';
import { expectStatus, type Reply, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type Scripted, type ScriptedProvider, startProvider } from '../../../support/peers/llm.ts';
import { eventually } from '../../../support/time.ts';
import { searched } from '../../agents/agentSupport.ts';
import { completionOf, configure, gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';

const ROWS = 60;
const MAX_RUNS = 40;
const PARAMS = { agent: 'triage', per: 'row', input: 'Look into {user}', max_runs: String(MAX_RUNS), index: 'summary' };

interface Outcome {
  row: number;
  outcome: string;
  run_id?: string;
  should_retry?: boolean;
}

/** Over two driver processes at least, of which some are killed. */
describe('runs that alerts start on the platform', function () {
  this.timeout(240_000);
  let platform: TestPlatform;
  let provider: ScriptedProvider;

  before(async () => {
    provider = await startProvider((): Scripted => ({ status: 200, body: completionOf('nothing serious') }));
    platform = await gatewayPlatform();
    await configure(platform, 'up', provider.url);
    const acl = { sharing: 'app', perms: { read: ['ml_admin'], write: [] } };
    const agent = { name: 'triage', acl, runtime_type: 'BUILT_IN', llm: { model: 'up/m' } };
    expectStatus(await platform.ml('anna', 'POST', '/agents', agent), 200, 'an agent');
  });
  after(async () => {
    await platform?.dispose();
    await provider?.close();
  });

  const alert = (rows: readonly object[], more: object = {}, user = 'bob'): Promise<Reply> => {
    const named = { search_name: 'Failed logins', sid: 'scheduler__bob_1', app: 'search', owner: 'bob' };
    const body = { alert: { ...named, params: PARAMS, rows, row_count: ROWS, ...more } };
    return platform.call(user, 'POST', `${MOUNT}/runs`, body);
  };
  const outcomesOf = ({ json }: Reply): Outcome[] => json?.alert?.outcomes ?? [];
  const allRuns = async (search = 'Failed logins') => {
    const query = `?count=0&search_name=${encodeURIComponent(search)}`;
    return (await platform.call('bob', 'GET', `${MOUNT}/runs${query}`)).json.result;
  };
  const eventsOf = async (sourcetype: string, index = '_internal') =>
    (await searched(platform, 'admin', `search index=${index} sourcetype=${sourcetype}`)).rows;

  it('are one for each row and at most max_runs, though drivers are killed, and the others are reported', async () => {
    const rows = Array.from({ length: ROWS }, (_, at) => ({ user: `u${at}` }));
    const parts = [rows.slice(0, 30), rows.slice(30)].map((part, index) => ({ part, first_row: 30 * index }));
    const begun = parts.map(({ part, first_row }) => alert(part, { first_row }).catch(() => undefined));
    await eventually(async () => (await platform.documents('ml_runs')).length >= 5, 60_000);
    for (const pid of platform.drivers('ml_gateway.mjs').slice(0, 2)) process.kill(pid, 'SIGKILL');
    await Promise.all(begun);
    // The platform asks to come again while it starts drivers, and a row may be of a dead one.
    const outcomes = await Promise.all(
      parts.map(async ({ part, first_row }) => {
        let last: Outcome[] = [];
        await eventually(async () => {
          last = outcomesOf(await alert(part, { first_row }));
          return last.length === part.length && last.every(({ should_retry }) => !should_retry);
        }, 120_000);
        return last;
      }),
    );
    const runs = (await allRuns()) as { input: string; run_id: string }[];
    expect(runs.length).to.equal(MAX_RUNS);
    expect(new Set(runs.map(({ input }) => input)).size).to.equal(MAX_RUNS);
    expect(new Set(outcomes.flat().map(({ outcome }) => outcome))).to.not.include('refused');
    const reported = async () => {
      const events = await eventsOf('ml_extension:alert');
      return events
        .filter(({ reason }) => reason === 'max_runs')
        .reduce((sum, { count = '1' }) => sum + Number(count), 0);
    };
    await eventually(async () => (await reported()) >= ROWS - MAX_RUNS, 20_000);
    for (const event of await eventsOf('ml_extension:alert')) expect(JSON.stringify(event)).to.not.contain('Look into');
  });

  it('are one, though the same alert comes ten times at once', async () => {
    const more = { sid: 'scheduler__bob_2', search_name: 'Once', params: { agent: 'triage', index: 'summary' } };
    const replies = await Promise.all(Array.from({ length: 10 }, () => alert([{ user: 'a' }], more)));
    const outcomes = replies.flatMap(outcomesOf).filter(({ run_id }) => run_id !== undefined);
    expect(outcomes.filter(({ outcome }) => outcome === 'started')).to.have.length(1);
    expect(new Set(outcomes.map(({ run_id }) => run_id)).size).to.equal(1);
    expect(await allRuns('Once')).to.have.length(1);
  });

  it('write their answers to the index, once', async () => {
    const more = { sid: 'scheduler__bob_3', search_name: 'Answered', params: { agent: 'triage', index: 'summary' } };
    const { json } = await alert([{ user: 'a', orig_sid: 'earlier', orig_rid: '7' }], more);
    const [{ run_id } = {}] = json.alert.outcomes as Outcome[];
    const read = async () => (await platform.call('bob', 'GET', `${MOUNT}/runs/${run_id}`)).json.config;
    await eventually(async () => (await read()).result.written === true, 60_000);
    const own = async () =>
      (await eventsOf('ml_extension:answer', 'summary')).filter((event) => String(event._raw).includes(String(run_id)));
    await eventually(async () => (await own()).length > 0, 20_000);
    await read();
    const events = await own();
    expect(events).to.have.length(1);
    const event = JSON.parse(String(events[0]?._raw));
    expect(event).to.deep.include({
      state: 'succeeded',
      output: 'nothing serious',
      orig_sid: 'earlier',
      orig_rid: '7',
    });
    expect(event.source).to.include({ kind: 'alert', search_name: 'Answered' });
  });

  it('are refused to a user without the capability, which an event reports', async () => {
    await platform.createUser('carl', ['user']);
    const reply = await alert([{ user: 'a' }], { sid: 'scheduler__carl_1', search_name: 'Weak' }, 'carl');
    expect([reply.status, reply.json.error_code]).to.deep.equal([403, 'missing_capability']);
    await eventually(async () => {
      const events = await eventsOf('ml_extension:alert');
      return events.some((event) => String(event._raw).includes('"search_name":"Weak"'));
    }, 20_000);
  });
});

import { expect } from 'chai';
import { expectStatus, type Reply, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type ScriptedProvider, startProvider } from '../../../support/peers/llm.ts';
import { eventually } from '../../../support/time.ts';
import { searched } from '../../agents/agentSupport.ts';
import { completionOf, configure, gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';

const MINUTES = 5;
/** In the first minutes after 3 o'clock of tomorrow both alerts are triggered, which the clock of the machine does not reach. */
const TOMORROW = new Date(Date.now() + 86_400_000);
const FIRST_S = TOMORROW.setUTCHours(3, 0, 0, 0) / 1000;
const CRON = `0-${MINUTES - 1} 3 ${TOMORROW.getUTCDate()} ${TOMORROW.getUTCMonth() + 1} *`;
const MAX_RUNS = 12;

/** An alert of a user: whether its action runs once or for each result, and its results each minute. */
const ALERTS = [
  { name: 'Many rows', owner: 'olga', digest: '1', rows: 90, per: 'row', most: MAX_RUNS },
  { name: 'Each result', owner: 'otto', digest: '0', rows: 10, per: 'alert', most: 10 },
] as const;

interface RunRow {
  state: string;
  input: string;
  source: { sid: string; result_id?: string };
}

describe('500 results of scheduled alerts in five minutes, while drivers are killed', function () {
  this.timeout(400_000);
  let platform: TestPlatform;
  let provider: ScriptedProvider;

  before(async () => {
    provider = await startProvider(() => ({ status: 200, body: completionOf('nothing serious') }));
    platform = await gatewayPlatform();
    await configure(platform, 'up', provider.url);
    const acl = { sharing: 'app', perms: { read: ['ml_admin'], write: [] } };
    const agent = { name: 'triage', acl, runtime_type: 'BUILT_IN', llm: { model: 'up/m' } };
    expectStatus(await platform.ml('anna', 'POST', '/agents', agent), 200, 'an agent');
    for (const { name, owner, digest, rows, per } of ALERTS) {
      // Scheduling needs a capability of the role power.
      await platform.createUser(owner, ['ml_admin', 'power']);
      const saved = await form(owner, `/servicesNS/${owner}/search/saved/searches`, {
        ...{ name, search: `| makeresults count=${rows} | streamstats count as n`, actions: 'ml_agent' },
        ...{ is_scheduled: '1', cron_schedule: CRON, 'alert.digest_mode': digest },
        ...{ alert_type: 'number of events', alert_comparator: 'greater than', alert_threshold: '0' },
        ...{ 'action.ml_agent.param.agent': 'triage', 'action.ml_agent.param.per': per },
        ...{ 'action.ml_agent.param.input': `${name} {n}`, 'action.ml_agent.param.max_runs': String(MAX_RUNS) },
      });
      expectStatus(saved, 201, name);
    }
  });
  after(async () => {
    await platform?.dispose();
    await provider?.close();
  });

  function form(user: string, path: string, fields: Record<string, string>): Promise<Reply> {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return platform.call(user, 'POST', `${path}?output_mode=json`, new URLSearchParams(fields).toString(), type);
  }
  const runUpTo = async (seconds: number): Promise<Reply> => {
    const reply = await form('admin', '/services/embedded/scheduler', { now: String(seconds) });
    expectStatus(reply, 200, 'the scheduler');
    return reply;
  };
  async function runsOf(user: string, name: string): Promise<RunRow[]> {
    const query = `?count=0&search_name=${encodeURIComponent(name)}`;
    const { json } = await platform.call(user, 'GET', `${MOUNT}/runs${query}`);
    return json.result;
  }
  async function eventsOf(name: string) {
    const search = `search index=_internal sourcetype=ml_extension:alert search_name="${name}"`;
    const { rows } = await searched(platform, 'admin', search);
    return rows.map(({ _raw }) => JSON.parse(String(_raw)) as { sid: string; reason: string; count?: number });
  }

  it('start one run each or are counted in an event, and at most max_runs for a search', async () => {
    await runUpTo(FIRST_S - 30);
    const sids = new Map<string, string[]>();
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const before = (await platform.documents('ml_runs')).length;
      const triggered = runUpTo(FIRST_S + 60 * minute);
      if (minute === 1 || minute === 3) {
        await eventually(async () => (await platform.documents('ml_runs')).length >= before + 5, 60_000, 'a few runs');
        for (const pid of platform.drivers('ml_gateway.mjs').slice(0, 1)) process.kill(pid, 'SIGKILL');
      }
      for (const { search, sid } of (await triggered).json.runs) sids.set(search, [...(sids.get(search) ?? []), sid]);
      // A user has at most 100 runs that have not ended.
      await eventually(
        async () =>
          (await Promise.all(ALERTS.map(({ owner, name }) => runsOf(owner, name))))
            .flat()
            .every(({ state }) => state === 'succeeded'),
        120_000,
        'the end of the runs',
      );
    }
    for (const { name, owner, rows, per, most } of ALERTS) {
      expect(sids.get(name), name).to.have.length(MINUTES);
      const runs = await runsOf(owner, name);
      const result = ({ input, source }: RunRow) => `${source.sid} ${source.result_id} ${input.split('\n')[0]}`;
      expect(new Set(runs.map(result)).size, name).to.equal(runs.length);
      await eventually(
        async () => {
          const events = await eventsOf(name);
          return (sids.get(name) ?? []).every((sid) => {
            const started = runs.filter(({ source }) => source.sid === sid).length;
            const reported = events.filter((event) => event.sid === sid).reduce((sum, { count = 1 }) => sum + count, 0);
            return started <= most && started + reported >= rows;
          });
        },
        30_000,
        `every result of ${name} to have a run or to be counted in an event`,
      );
      if (per === 'row') expect((await eventsOf(name)).map(({ reason }) => reason)).to.include('max_runs');
    }
  });
});

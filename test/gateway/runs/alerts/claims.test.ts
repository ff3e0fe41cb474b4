import { expect } from 'chai';
import { AlertClaims, CLAIM_MS } from '../../../../src/gateway/runs/alerts/claims.ts';
import { readParams } from '../../../../src/gateway/runs/alerts/params.ts';
import { AlertStart } from '../../../../src/gateway/runs/alerts/start.ts';
import type { RunDoc } from '../../../../src/gateway/runs/documents/stored.ts';
import type { PreparedRun } from '../../../../src/gateway/runs/service.ts';
import { FaultPlan } from '../../../support/memory/faults.ts';
import { MemoryPlatform } from '../../../support/memory/platform.ts';
import { type AlertsApp, alertsApp, outcomesOf, rowsOf } from './alertsApp.ts';

/** Longer than the claim of a dead process. */
const LATER_MS = CLAIM_MS + 1000;

describe('claims of alerts', () => {
  const perRow = { params: { per: 'row', input: '{user}', max_runs: '3', key: '{group}' } };

  /** Every row has one run at most, and an event stands for each that has none. */
  function expectAccounted(alerts: AlertsApp, rows: number, where: string): void {
    const inputs = alerts.runs().map(({ input }) => String(input));
    expect(new Set(inputs).size, where).to.equal(inputs.length);
    expect(new Set(alerts.runs().map(({ run_id }) => run_id)).size, where).to.equal(inputs.length);
    const reported = alerts.reported().reduce((sum, { count = 1 }) => sum + Number(count), 0);
    expect(reported, where).to.be.at.least(rows - inputs.length);
  }

  for (const mode of ['crash', 'refused', 'lost'] as const) {
    it(`give each row one run, or an event, whatever call of the store fails (${mode})`, async function () {
      this.timeout(120_000);
      // Two of the first group, of which one is suppressed, and one more than max_runs.
      const rows = [{ group: 'a' }, { group: 'a' }, { group: 'b' }, { group: 'c' }, { group: 'd' }].map((row, at) => ({
        ...row,
        user: `u${at}`,
      }));
      for (let at = 1; ; at += 1) {
        const alerts = await alertsApp();
        const faults = new FaultPlan(at, mode);
        const first = await alerts.alert(rows, perRow, faults).catch(() => undefined);
        const where = `call ${at}: ${faults.trace.slice(-3).join(', ')}`;
        if (faults.calls < at) {
          expect(first && outcomesOf(first)).to.deep.equal(['started', 'suppressed', 'started', 'started', 'max_runs']);
          break;
        }
        // The dead process reports nothing more, but that it has failed, which a test cannot keep it from.
        const isOfDead = ({ event }: { event: object }) => (event as { reason?: string }).reason === 'internal_error';
        alerts.app.events.splice(0, Number.POSITIVE_INFINITY, ...alerts.app.events.filter((sent) => !isOfDead(sent)));
        alerts.app.site.clock.advance(LATER_MS);
        const outcomes = await alerts.outcomes(rows, perRow);
        expect(
          outcomes.some((outcome) => outcome.startsWith('refused')),
          `${where}: ${outcomes}`,
        ).to.equal(false);
        expectAccounted(alerts, rows.length, where);
        // A row of which the store did not say whether it was started keeps its place until its second try.
        const runs = alerts.runs().length;
        expect(runs, where).to.be.within(mode === 'crash' ? 3 : 2, 3);
        expect(await alerts.outcomes(rows, perRow), where).to.deep.equal(Array(5).fill('claimed'));
        expect(alerts.runs().length, where).to.equal(runs);
      }
    });
  }

  it('account for 500 rows, though their processes die in between', async function () {
    this.timeout(120_000);
    const alerts = await alertsApp();
    const more = { params: { per: 'row', input: '{user}', max_runs: '60' } };
    const rows = rowsOf(500);
    for (const at of [5, 40, 133, 250, 377, 512, 700]) {
      const parts = [rows.slice(0, 250), rows.slice(250)];
      await Promise.allSettled(
        parts.map((part, index) =>
          alerts.alert(part, { ...more, first_row: 250 * index }, new FaultPlan(at + 7 * index)),
        ),
      );
      alerts.app.site.clock.advance(LATER_MS);
    }
    alerts.app.events.splice(0);
    const outcomes = [
      ...(await alerts.outcomes(rows.slice(0, 250), more)),
      ...(await alerts.outcomes(rows.slice(250), { ...more, first_row: 250 })),
    ];
    expect(alerts.runs()).to.have.length(60);
    expectAccounted(alerts, 500, 'at the end');
    expect(outcomes.filter((outcome) => outcome === 'refused')).to.deep.equal([]);
  });

  it('go on with the run that a dead process has stored, and give it a worker', async () => {
    const alerts = await alertsApp();
    const probe = new FaultPlan();
    await alerts.alert(rowsOf(1), {}, probe);
    const inserted = probe.trace.indexOf('insert ml_runs');
    const again = await alertsApp();
    await again.alert(rowsOf(1), {}, new FaultPlan(inserted + 2)).catch(() => undefined);
    const [run] = again.runs();
    expect(again.stored('ml_run_claims')).to.deep.equal([]);
    again.app.site.clock.advance(LATER_MS);
    const { json } = await again.alert(rowsOf(1));
    expect(json.alert.outcomes).to.deep.equal([{ row: 0, outcome: 'started', run_id: run?.run_id }]);
    expect(again.runs()).to.have.length(1);
    expect(again.stored('ml_run_claims').map(({ run_id }) => run_id)).to.deep.equal([run?.run_id]);
  });

  it('of a dead process are waited for', async () => {
    const alerts = await alertsApp();
    await alerts.alert(rowsOf(1), {}, new FaultPlan(6)).catch(() => undefined);
    const [claim] = alerts.stored('ml_alert_claims');
    expect(claim).to.include({ kind: 'row', state: 'begun' });
    const before = alerts.app.site.clock.now();
    const { json } = await alerts.alert(rowsOf(1));
    expect(json.alert.outcomes).to.deep.equal([{ row: 0, outcome: 'started', run_id: claim?.run_id }]);
    expect(alerts.app.site.clock.now() - before).to.be.within(CLAIM_MS - 100, CLAIM_MS + 2000);
  });

  describe('of another host', () => {
    const site = new MemoryPlatform();
    const { clock } = site;
    const here = () => new AlertClaims(site.process());
    const there = () => new AlertClaims(site.process(undefined, clock.elsewhere('host-2', 90_000)));
    const later = () => clock.monotonic() + 12_000;

    it('are watched for their whole life', async () => {
      const { claim } = await there().claim('row.1', Number.POSITIVE_INFINITY);
      const before = clock.now();
      const taken = await here().claim('row.1', later());
      expect(taken).to.deep.include({ isOurs: true, isLeft: true });
      expect(taken.claim.run_id).to.equal(claim.run_id);
      expect(clock.now() - before).to.be.within(CLAIM_MS, CLAIM_MS + 500);
    });

    it('are left alone where there is no time to wait', async () => {
      await there().claim('row.2', Number.POSITIVE_INFINITY);
      expect((await here().claim('row.2', clock.monotonic())).isOurs).to.equal(false);
    });

    it('keep a key until they are surely dead', async () => {
      const { claim: other } = await there().claim('row.3', Number.POSITIVE_INFINITY);
      expect(await there().takeKey('key.3', other, 3600)).to.equal('taken');
      const { claim } = await here().claim('row.4', later());
      expect(await here().takeKey('key.3', claim, 3600)).to.equal('busy');
      clock.advance(200_000);
      expect(await here().takeKey('key.3', claim, 3600)).to.equal('taken');
    });
  });

  it('that a suspended process holds start nothing', async () => {
    const site = new MemoryPlatform();
    const claims = new AlertClaims(site.process());
    const { claim } = await claims.claim('row.1', Number.POSITIVE_INFINITY);
    expect(claims.isInTime(claim)).to.equal(true);
    site.clock.advance(CLAIM_MS - 500);
    expect(claims.isInTime(claim)).to.equal(false);
  });

  it('that another process went on with keep their key and place, though the first one comes back', async () => {
    const platform = new MemoryPlatform();
    const settings = readParams({ agent: 'triage', per: 'row', key: '{user}' });
    const alert = { search_name: 'S', sid: 's1', app: 'search', params: {}, rows: [{ user: 'bob' }] };
    const runs = new Set<string>();
    const start = (suspend: () => Promise<unknown>) => {
      const site = {
        ...{ stores: platform.process(), user: 'asker' },
        prepare: async () => ({}) as PreparedRun,
        async newRun(_prepared: PreparedRun, _input: string, id: string) {
          await suspend();
          return { _key: id } as RunDoc;
        },
        run: async () => undefined,
        async insert({ _key }: RunDoc) {
          const isNew = !runs.has(_key);
          runs.add(_key);
          return isNew;
        },
        ...{ begin: async () => {}, resume: async () => {}, report: async () => {} },
      };
      return new AlertStart(site, alert, settings, undefined).start();
    };
    const [first] = await start(async () => {
      platform.clock.advance(CLAIM_MS + 1000);
      expect((await start(async () => {}))[0]).to.include({ outcome: 'started' });
    });
    expect(first).to.include({ outcome: 'refused', error_code: 'busy' });
    expect(runs.size).to.equal(1);
    const kept = platform.records.all('ml_alert_claims').map(({ kind, state, started }) => [kind, state ?? started]);
    expect(kept.sort()).to.deep.equal([
      ['key', true],
      ['place', undefined],
      ['row', 'started'],
    ]);
  });

  it('suppress for no longer than their span, though the clock was wrong', async () => {
    const platform = new MemoryPlatform();
    const claims = new AlertClaims(platform.process());
    const claimed = async (row: string) => (await claims.claim(row, Number.POSITIVE_INFINITY)).claim;
    const early = await claimed('row.1');
    expect(await claims.takeKey('key.1', early, 60)).to.equal('taken');
    await claims.startKey('key.1', early, 60);
    const [key] = platform.records.all('ml_alert_claims').filter(({ kind }) => kind === 'key');
    const at = Number(key?.at) + 86_400;
    platform.records.collection('ml_alert_claims').set('key.1', JSON.stringify({ ...key, at, ends: at + 60 }));
    expect(await claims.takeKey('key.1', await claimed('row.2'), 60)).to.equal('taken');
  });
});

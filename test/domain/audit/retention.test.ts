import { expect } from 'chai';
import type { Quota } from '../../../src/domain/audit/quotas.ts';
import { Retention } from '../../../src/domain/audit/retention.ts';
import { AUDIT } from '../../../src/domain/audit/stored.ts';
import { timePart } from '../../../src/domain/values/keys.ts';
import { AuditEntries } from '../../../src/families/audit/entries.ts';
import type { HostClock } from '../../../src/ports/platform/clock.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const LIMITS = { days: 90, entries: 100_000 };

describe('the retention of the audit trail', () => {
  let site: MemoryPlatform;
  let ahead: HostClock;
  beforeEach(() => {
    site = new MemoryPlatform();
    ahead = site.clock.elsewhere('ahead', 91 * DAY_MS);
  });

  const process = (clock: HostClock = site.clock) => site.process(undefined, clock);
  let ids = 0;
  async function write(
    count: number,
    ageMs: number,
    clock = site.clock as HostClock,
    more: object = {},
  ): Promise<void> {
    for (let index = 0; index < count; index++) {
      ids += 1;
      const _key = timePart(clock.now() - ageMs) + String(ids).padStart(20, '0');
      const { member } = clock;
      await process().records.insert(AUDIT, { _key, audit_id: _key, member, changed: '[]', ...more });
    }
  }
  const stored = () => site.records.all(AUDIT).length;
  const clear = (clock?: HostClock, limits = LIMITS) => new Retention().clear(process(clock), limits);
  const listed = async (clock?: HostClock) =>
    (await new AuditEntries(process(clock)).list({ count: 0 }, LIMITS)).result.length;

  it('a member whose clock is ahead neither removes nor hides the entries of the others', async () => {
    await write(250, HOUR_MS);
    await write(1, 0, ahead);
    await clear(ahead);
    expect(stored()).to.equal(251);
    expect([await listed(ahead), await listed()]).to.deep.equal([251, 251]);
    await clear();
    expect(stored()).to.equal(251);
  });

  it('of a single member, at most 1 % of the entries goes by age in an hour, over all processes', async () => {
    await write(250, 91 * DAY_MS);
    expect(await listed()).to.equal(0);
    for (let time = 0; time < 3; time++) await clear();
    expect(stored()).to.equal(247);
    site.clock.advance(HOUR_MS);
    for (let time = 0; time < 3; time++) await clear();
    expect(stored()).to.equal(244);
  });

  it('counts refusals by themselves, so that neither they nor the others push the others out', async () => {
    await write(30, 2 * HOUR_MS);
    await write(10, 3 * HOUR_MS, site.clock, { quota: 'refusal' });
    await clear(undefined, { days: 90, entries: 30 });
    const refusals = site.records.all(AUDIT).filter(({ quota }) => quota === 'refusal');
    expect([stored(), refusals.length]).to.deep.equal([33, 3]);
    await write(100, 0, site.clock, { quota: 'refusal' });
    await clear(undefined, { days: 90, entries: 30 });
    expect(stored()).to.equal(33);
  });

  const of = (user: string, quota?: Quota) => ({ user, bounded_user: user, ...(quota ? { quota } : {}) });
  const kept = (user: string, quota?: Quota) =>
    site.records.all(AUDIT).filter((entry) => entry.user === user && entry.quota === quota).length;
  const SMALL = { days: 90, entries: 300 };

  it('counts calls and runs by themselves, too', async () => {
    await write(300, 3 * HOUR_MS);
    await write(500, 2 * HOUR_MS, site.clock, { quota: 'use', user: 'anna' });
    await clear(undefined, SMALL);
    expect([stored(), kept('anna', 'use')]).to.deep.equal([390, 90]);
  });

  it('removes the oldest entries of a user beyond a share of each kind, and nobody else', async () => {
    await write(295, 3 * HOUR_MS, site.clock, { user: 'anna' });
    await write(28, 3 * HOUR_MS, site.clock, { quota: 'refusal', user: 'anna' });
    await write(85, 3 * HOUR_MS, site.clock, { quota: 'use', user: 'anna' });
    for (const quota of [undefined, 'refusal', 'use'] as const) {
      await write(5, 2 * HOUR_MS, site.clock, of('ben', quota));
      await write(400, HOUR_MS, site.clock, of('eve', quota));
    }
    await clear(undefined, SMALL);
    expect([kept('eve'), kept('eve', 'refusal'), kept('eve', 'use')]).to.deep.equal([30, 10, 30]);
    // Of the others the oldest make room for what the user keeps, as for anybody.
    expect([kept('ben'), kept('ben', 'refusal'), kept('ben', 'use')]).to.deep.equal([5, 5, 5]);
    expect([kept('anna'), kept('anna', 'refusal'), kept('anna', 'use')]).to.deep.equal([265, 15, 55]);
    const newest = site.records.all(AUDIT).filter(({ user, quota }) => user === 'eve' && quota === undefined);
    expect(newest.every(({ audit_id }) => String(audit_id) > timePart(site.clock.now() - 2 * HOUR_MS))).to.equal(true);
  });

  it('neither hides nor removes what others did while the excess of a user is there, in one large trail as in a small one', async () => {
    await write(1500, 3 * HOUR_MS, site.clock, { user: 'anna' });
    await write(3000, HOUR_MS, site.clock, of('eve'));
    const small = { days: 90, entries: 2000 };
    const list = async () => {
      const { result } = await new AuditEntries(process()).list({ count: 0, user: 'anna' }, small);
      return result.length;
    };
    expect(await list()).to.equal(1500);
    const large = { days: 90, entries: 2500 };
    const [first, second] = [new Retention(), new Retention()];
    await first.clear(process(), large);
    expect([kept('anna'), kept('eve')]).to.deep.equal([1500, 250]);
    await write(1000, 0, site.clock, of('eve'));
    // One process counts at a time, and the ids that it removes up to do not grow in between.
    await second.clear(process(), large);
    await first.clear(process(), large);
    expect([kept('anna'), kept('eve')]).to.deep.equal([1500, 1250]);
    site.clock.advance(300_000);
    await second.clear(process(), large);
    expect([kept('anna'), kept('eve')]).to.deep.equal([1500, 250]);
  });
});

import { expect } from 'chai';
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
  async function write(count: number, ageMs: number, clock: HostClock = site.clock, quota?: 'refusal'): Promise<void> {
    for (let index = 0; index < count; index++) {
      ids += 1;
      const _key = timePart(clock.now() - ageMs) + String(ids).padStart(20, '0');
      const { member } = clock;
      await process().records.insert(AUDIT, { _key, audit_id: _key, member, changed: '[]', ...(quota && { quota }) });
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
    await write(10, 3 * HOUR_MS, site.clock, 'refusal');
    await clear(undefined, { days: 90, entries: 30 });
    const refusals = site.records.all(AUDIT).filter(({ quota }) => quota === 'refusal');
    expect([stored(), refusals.length]).to.deep.equal([33, 3]);
    await write(100, 0, site.clock, 'refusal');
    await clear(undefined, { days: 90, entries: 30 });
    expect(stored()).to.equal(33);
  });
});

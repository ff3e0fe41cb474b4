import { expect } from 'chai';
import fc from 'fast-check';
import { type Lease, Leases } from '../../../src/domain/locks/leases.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';
import { holdsAsync } from '../../support/property.ts';

const TTL = 10_000;
const CONTENDERS = 4;

type Move = { who: number; does: 'take' | 'release' | 'renew' } | { wait: number };
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    who: fc.nat(CONTENDERS - 1),
    does: fc.constantFrom('take' as const, 'take' as const, 'release' as const, 'renew' as const),
  }),
  fc.record({ wait: fc.constantFrom(1, 500, 4000, 9_999, 10_000, 25_000) }),
);
const skew = fc.constantFrom(0, 11_000, -11_000, 61_000, -61_000, 600_000);

describe('leases, for any order of calls and any clocks', () => {
  it('are never held by two: neither of one host nor of hosts whose clocks differ', async () => {
    await holdsAsync(
      fc.asyncProperty(fc.array(move, { maxLength: 25 }), skew, async (moves, ahead) => {
        const site = new MemoryPlatform();
        const other = site.clock.elsewhere('host-2', ahead);
        const contenders = Array.from({ length: CONTENDERS }, (_, index) => {
          const { records, clock, newId } = site.process(undefined, index % 2 ? other : site.clock);
          return new Leases(records, clock, newId);
        });
        const held = new Map<number, Lease>();
        for (const one of moves) {
          if ('wait' in one) site.clock.advance(one.wait);
          else {
            const contender = contenders[one.who] as Leases;
            const mine = held.get(one.who);
            if (one.does === 'take' && !mine?.isHeld()) {
              const lease = await contender.tryAcquire('k', TTL);
              if (lease) held.set(one.who, lease);
            } else if (one.does === 'release' && mine) {
              await mine.release();
              held.delete(one.who);
            } else if (one.does === 'renew' && mine) await contender.renew('k', mine.owner, TTL);
          }
          const holders = [...held.values()].filter((lease) => lease.isHeld());
          expect(holders.length, 'holders at once').to.be.at.most(1);
        }
      }),
      300,
    );
  });

  it('of the dead are had again by their own host when they end, and by another after their whole life', async () => {
    await holdsAsync(
      fc.asyncProperty(skew, fc.boolean(), async (ahead, isElsewhere) => {
        const site = new MemoryPlatform();
        const of = (clock = site.clock as Parameters<MemoryPlatform['process']>[1]) => {
          const { records, clock: own, newId } = site.process(undefined, clock);
          return new Leases(records, own, newId);
        };
        await of().tryAcquire('k', TTL);
        const heir = of(isElsewhere ? site.clock.elsewhere('host-2', ahead) : site.clock);
        expect(await heir.tryAcquire('k', TTL)).to.equal(undefined);
        site.clock.advance(TTL);
        const got = await heir.tryAcquire('k', TTL);
        expect(got === undefined ? 'none' : 'got').to.equal('got');
      }),
      60,
    );
  });
});

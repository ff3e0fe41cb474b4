import { expect } from 'chai';
import { Leases } from '../../../src/domain/locks/leases.ts';
import { InsertUnclear } from '../../../src/ports/stores/recordStore.ts';
import { faultOf } from '../../support/fault.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';

describe('leases', () => {
  let site: MemoryPlatform;
  const contender = () => {
    const { records, clock, newId } = site.process();
    return new Leases(records, clock, newId);
  };
  const held = () => site.records.all('ml_leases');
  beforeEach(() => {
    site = new MemoryPlatform();
  });

  it('one whose answer was lost while another holds the lease does not have it, and no fault', async () => {
    await contender().tryAcquire('k', 10_000);
    const { records, clock, newId } = site.process();
    const insert = async () => {
      throw new InsertUnclear();
    };
    expect(await new Leases({ ...records, insert }, clock, newId).tryAcquire('k', 10_000)).to.equal(undefined);
  });

  it('one who has seen the expired holder late does not take the lease from its new holder', async () => {
    await contender().tryAcquire('k', 10_000);
    site.clock.advance(10_000);
    const { records, clock, newId } = site.process();
    const slow = new Leases(
      {
        ...records,
        get: async (collection, key) => {
          const seen = await records.get(collection, key);
          // Between this look and the removal somebody else takes the lease over.
          expect(await contender().tryAcquire('k', 10_000)).not.to.equal(undefined);
          return seen as never;
        },
      },
      clock,
      newId,
    );
    const lease = await slow.tryAcquire('k', 10_000).catch(() => undefined);
    expect(lease).to.equal(undefined);
    expect(held()).to.have.length(1);
  });

  it('the old holder does not release the lease of the new one', async () => {
    const old = await contender().tryAcquire('k', 10_000);
    site.clock.advance(10_000);
    const fresh = await contender().tryAcquire('k', 10_000);
    await old?.release();
    expect(held()).to.have.length(1);
    expect(await contender().tryAcquire('k', 10_000)).to.equal(undefined);
    await fresh?.release();
    expect(held()).to.deep.equal([]);
  });

  it('is not held any more shortly before it ends, so that slow work does not write into the time of another', async () => {
    const lease = await contender().tryAcquire('k', 10_000);
    site.clock.advance(8_999);
    expect(lease?.isHeld()).to.equal(true);
    site.clock.advance(1);
    expect(lease?.isHeld()).to.equal(false);
    expect((await faultOf(() => lease?.assertHeld())).code).to.equal('store_unavailable');
  });

  it('is released whatever the work does', async () => {
    const error = new Error('work failed');
    const result = await contender()
      .hold('k', 10_000, async () => {
        expect(held()).to.have.length(1);
        throw error;
      })
      .catch((thrown) => thrown);
    expect(result).to.equal(error);
    expect(held()).to.deep.equal([]);
  });

  it('those who wait get it one after the other, never two at once', async () => {
    let inside = 0;
    let most = 0;
    const order = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        contender().hold('k', 10_000, async () => {
          inside += 1;
          most = Math.max(most, inside);
          await site.clock.sleep(50);
          inside -= 1;
          return index;
        }),
      ),
    );
    expect(order).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(most).to.equal(1);
  });

  it('waiting does not last for ever: 503 when others keep it', async () => {
    await contender().tryAcquire('k', 60_000);
    const fault = await faultOf(contender().hold('k', 10_000, async () => 'never'));
    expect([fault.status, fault.code]).to.deep.equal([503, 'store_unavailable']);
  });

  it('different keys do not wait for one another', async () => {
    await contender().tryAcquire('a', 10_000);
    expect(await contender().tryAcquire('b', 10_000)).not.to.equal(undefined);
  });
});

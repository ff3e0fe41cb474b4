import { expect } from 'chai';
import type { SavedListing, ToolSource } from '../../../src/families/mcp-connections/public.ts';
import { ToolListings } from '../../../src/gateway/tools/toolListings.ts';

describe('kept listings', () => {
  const source = { _key: 'one', name: 'one', created_at: 1, version: 1 } as ToolSource;
  let now: number;
  let asked: number;
  let listings: ToolListings;
  beforeEach(() => {
    now = 0;
    asked = 0;
    listings = new ToolListings(() => now);
  });
  const get = () =>
    listings.get(source, async () => {
      asked += 1;
      return { source, tools: [] } as unknown as SavedListing;
    });

  it('are there a moment after they were said to be', async () => {
    await get();
    let last = 0;
    for (now = 0; now <= 61_000; now += 100) if (listings.has(source)) last = now;
    expect(last).to.be.above(50_000);
    now = last + 500;
    await get();
    expect(asked).to.equal(1);
    now = 60_001;
    await get();
    expect(asked).to.equal(2);
  });

  it('that failed, or are late, are asked for anew where somebody insists', async () => {
    const answers: ((failed: boolean) => void)[] = [];
    const ask = () =>
      listings.get(source, () => {
        const { promise, resolve } = Promise.withResolvers<SavedListing>();
        answers.push((failed) => resolve({ source, tools: [], ...(failed ? { error: {} } : {}) } as never));
        return promise;
      });
    const first = ask();
    listings.forgetFailed(source, 10_000);
    expect(ask(), 'under way').to.equal(first);
    now = 10_000;
    listings.forgetFailed(source, 10_000);
    const second = ask();
    expect(second, 'late').to.not.equal(first);
    answers[1]?.(false);
    await second;
    answers[0]?.(true);
    await first;
    expect(ask(), 'an older answer takes the place of no newer one').to.equal(second);
    listings.forgetFailed(source, 10_000);
    expect(ask(), 'a good one').to.equal(second);
    now = 100_000;
    const third = ask();
    answers[2]?.(true);
    await third;
    expect(ask(), 'kept').to.equal(third);
    listings.forgetFailed(source, 10_000);
    expect(ask(), 'failed').to.not.equal(third);
  });

  it('are those of one version of the record', async () => {
    await get();
    expect(listings.has(source)).to.equal(true);
    expect(listings.has({ ...source, version: 2 })).to.equal(false);
    expect(listings.has({ ...source, created_at: 2 })).to.equal(false);
  });
});

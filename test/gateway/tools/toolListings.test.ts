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

  it('are those of one version of the record', async () => {
    await get();
    expect(listings.has(source)).to.equal(true);
    expect(listings.has({ ...source, version: 2 })).to.equal(false);
    expect(listings.has({ ...source, created_at: 2 })).to.equal(false);
  });
});

import { expect } from 'chai';
import type { SplunkdCall, SplunkdClient } from '../../src/adapters/splunkd/client.ts';
import { splunkdRecords } from '../../src/adapters/splunkd/stores/recordStore.ts';

/** As the platform cuts a result at 50 MB, without a word; a document is never cut in two. */
const CUT = 3 * 1024 * 1024;

/** A platform with one collection, which understands no more than this adapter asks. */
function platform(docs: readonly { _key: string; text: string }[]) {
  const calls: SplunkdCall[] = [];
  const client = {
    async call(call: SplunkdCall) {
      calls.push(call);
      const { query = '{}', limit = '0', skip = '0', fields } = call.query ?? {};
      const after = /"\$gt":"(\w+)"/.exec(query)?.[1] ?? '';
      const rows: unknown[] = [];
      let bytes = 0;
      for (const doc of docs.filter(({ _key }) => _key > after).slice(Number(skip))) {
        const row = fields === '_key' ? { _key: doc._key } : doc;
        bytes += JSON.stringify(row).length;
        if ((bytes > CUT && rows.length > 0) || (Number(limit) > 0 && rows.length >= Number(limit))) break;
        rows.push(row);
      }
      return { status: 200, text: JSON.stringify(rows), repeated: false };
    },
  } as unknown as SplunkdClient;
  return { records: splunkdRecords(client, 'token'), calls };
}

const docs = (count: number, size: number) =>
  Array.from({ length: count }, (_, n) => ({ _key: String(n).padStart(6, '0'), text: 'x'.repeat(size) }));

describe('reading collections that the platform cuts', () => {
  it('a cut answer is not taken for the last one', async () => {
    for (const [count, size] of [
      [30, 1_000_000],
      [150, 100_000],
      [5, 2_900_000],
      [3, 5_000_000],
    ] as const) {
      const all = docs(count, size);
      const keys = all.map(({ _key }) => _key);
      const { records } = platform(all);
      expect(
        (await records.find('c')).map(({ _key }) => _key),
        `${count} of ${size}`,
      ).to.deep.equal(keys);
      expect((await records.find('c', { sort: 'text:1' })).map(({ _key }) => _key)).to.deep.equal(keys);
      expect(await records.count('c')).to.equal(count);
    }
  });

  it('counts more keys than one answer holds', async () => {
    expect(await platform(docs(200_000, 0)).records.count('c')).to.equal(200_000);
  });

  it('a small collection costs one call', async () => {
    const { records, calls } = platform(docs(150, 100));
    await records.find('c');
    await records.count('c');
    expect(calls).to.have.length(2);
  });

  it('chunks follow the size of what came before', async () => {
    const { records } = platform(docs(40, 1_000_000));
    const sizes: number[] = [];
    for await (const chunk of records.chunks('c')) sizes.push(chunk.length);
    expect(
      sizes.slice(1).every((size) => size <= 4),
      String(sizes),
    ).to.equal(true);
    const small: number[] = [];
    const { records: many } = platform(docs(12_000, 10));
    for await (const chunk of many.chunks('c')) small.push(chunk.length);
    expect(small).to.deep.equal([200, 5000, 5000, 1800]);
  });

  it('so does the first one, of what was read before', async () => {
    const first = async ({ records }: ReturnType<typeof platform>, fields?: string[]) => {
      const read: number[] = [];
      for await (const chunk of records.chunks('c', fields ? { fields } : {})) read.push(chunk.length);
      return read[0];
    };
    const small = platform(docs(700, 10));
    expect([await first(small), await first(small), await first(small, ['a'])]).to.deep.equal([200, 700, 200]);
    const large = platform(docs(40, 1_000_000));
    await first(large);
    expect(await first(large)).to.be.lessThan(5);
    // Large ones first.
    const mixed = platform([...docs(30, 90_000), ...docs(400, 10).map((doc) => ({ ...doc, _key: `z${doc._key}` }))]);
    await first(mixed);
    expect(await first(mixed)).to.be.lessThan(400);
  });
});

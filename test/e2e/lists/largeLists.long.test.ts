import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';

const MB = 1024 * 1024;
const COUNT = 120;

/** The most memory that this process has had, in bytes. */
const peak = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

describe('lists of large records over HTTP', function () {
  this.timeout(240_000);
  let platform: TestPlatform;

  before(async () => {
    platform = await startPlatform({ env: { ML_DRIVERS: '1' } });
  });
  after(() => platform.dispose());

  it(`${COUNT} experiments of a megabyte: pages of 16 MB, and no more memory than a few of them take`, async () => {
    const body = { title: 'large', type: 'smart_forecast', search_stages: [{ role: 'fit', search: 'x' }] };
    const made = (await platform.ml('admin', 'POST', '/experiments', body)).json;
    const [doc] = await platform.documents('ml_experiments');
    const stages = JSON.stringify(
      [{ role: 'fit', search: 'x'.repeat(250_000) }].concat(
        Array.from({ length: 3 }, () => ({ role: 'fit', search: '"'.repeat(130_000) })),
      ),
    );
    for (let at = 0; at < COUNT; at += 20) {
      const docs = Array.from({ length: 20 }, (_, index) => {
        const id = String(at + index).padStart(32, '0');
        return { ...doc, _key: id, experiment_id: id, title: id, title_key: id, stages };
      });
      await platform.putDocuments('ml_experiments', docs);
    }
    await platform.removeDocument('ml_experiments', made.experiment_id);
    const [driver = 0] = platform.drivers();
    const before = peak(driver);

    const seen: string[] = [];
    let offset: number | null = 0;
    while (offset !== null) {
      const reply = await platform.ml('admin', 'GET', `/experiments?count=0&detail=true&offset=${offset}`);
      expect(reply.status, reply.text.slice(0, 500)).to.equal(200);
      const { result, pagination } = reply.json;
      expect(Buffer.byteLength(reply.text)).to.be.at.most(16 * MB);
      expect(pagination).to.include({ total: COUNT, returned: result.length, offset });
      expect(result.length).to.be.greaterThan(pagination.has_more ? 5 : 0);
      seen.push(...result.map(({ experiment_id }: { experiment_id: string }) => experiment_id));
      offset = pagination.next_offset;
    }
    expect(seen).to.deep.equal(seen.toSorted());
    expect(new Set(seen).size).to.equal(COUNT);
    const found = await platform.ml('admin', 'GET', '/experiments?count=0&search=0001');
    expect(found.json.pagination.returned).to.equal(found.json.pagination.total);
    expect(platform.drivers()).to.deep.equal([driver]);
    const grown = peak(driver) - before;
    if (process.env.ML_SHOW_FIGURES) process.stdout.write(`driver grew by ${Math.round(grown / MB)} MB\n`);
    // All of them at once would be a gigabyte and more.
    expect(grown / MB).to.be.below(400);
  });
});

import { expect } from 'chai';
import { OwnDocument } from '../../../src/domain/records/ownDocument.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';

const COLLECTION = 'own';

describe('a document of one process', () => {
  let site: MemoryPlatform;
  let value: number;
  const content = () => ({ _key: 'k', value });
  const stored = () => site.records.all(COLLECTION).map((doc) => doc.value);
  beforeEach(() => {
    site = new MemoryPlatform();
    value = 0;
  });
  const change = (own: OwnDocument<ReturnType<typeof content>>) => {
    value += 1;
    own.touch();
  };

  it('is written once for changes that wait for the same write', async () => {
    const { records } = site.process();
    const own = new OwnDocument<ReturnType<typeof content>>(COLLECTION, false);
    change(own);
    const first = own.store(records, content);
    change(own);
    change(own);
    await Promise.all([first, own.store(records, content), own.store(records, content)]);
    expect([stored(), own.isChanged]).to.deep.equal([[3], false]);
    await own.store({} as never, content);
  });

  for (const [isInsertedAgain, replaceInserts] of [
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ] as const) {
    const where = replaceInserts ? ', where a replace inserts' : '';
    it(`is ${isInsertedAgain ? 'inserted again' : 'left out'} after others have removed it${where}`, async () => {
      site.records.replaceInserts = replaceInserts;
      const { records } = site.process();
      const own = new OwnDocument<ReturnType<typeof content>>(COLLECTION, isInsertedAgain);
      change(own);
      expect(await own.store(records, content)).to.equal(true);
      await records.remove(COLLECTION, 'k');
      change(own);
      expect(await own.store(records, content)).to.equal(isInsertedAgain);
      expect(stored()).to.deep.equal(isInsertedAgain ? [2] : []);
    });
  }

  it('has its last state after any lost answer or failed call', async () => {
    for (const mode of ['lost', 'refused'] as const) {
      for (let call = 1; call <= 3; call++) {
        site = new MemoryPlatform();
        const { records } = site.process(new FaultPlan(call, mode));
        const own = new OwnDocument<ReturnType<typeof content>>(COLLECTION, false);
        for (let time = 0; time < 3; time++) {
          change(own);
          await own.store(records, content).catch(() => {});
        }
        await own.store(records, content);
        expect([stored(), own.isChanged], `${mode} at ${call}`).to.deep.equal([[value], false]);
      }
    }
  });
});

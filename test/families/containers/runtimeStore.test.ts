import { expect } from 'chai';
import { RUNTIMES } from '../../../src/families/containers/connections/users.ts';
import { Runtimes } from '../../../src/families/containers/runtime/store.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';

describe('runtime records', () => {
  for (const replaceInserts of [false, true]) {
    it(`stay removed though a change is under way, where a replace ${replaceInserts ? 'inserts' : 'does not insert'}`, async () => {
      const site = new MemoryPlatform();
      site.records.replaceInserts = replaceInserts;
      const runtimes = new Runtimes(site.process());
      const record = { _key: 'm', model: 'm', mark: 'first', step: 'starting' } as never;
      await runtimes.insert(record);
      let clearing: Promise<void> | undefined;
      await runtimes.change(record, () => {
        clearing = new Runtimes(site.process()).clear(record);
        return { step: 'running' } as never;
      });
      await clearing;
      expect(site.records.all(RUNTIMES)).to.deep.equal([]);
      expect(await runtimes.change(record, () => ({ step: 'stopping' }) as never)).to.equal(undefined);
      expect(site.records.all(RUNTIMES)).to.deep.equal([]);
    });
  }
});

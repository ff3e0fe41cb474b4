import { expect } from 'chai';
import { search, startWorld, worlds } from './worlds.ts';

describe('search by words and by vectors', () => {
  for (const world of worlds()) {
    describe(world.name, function () {
      this.timeout(60_000);
      startWorld(world);

      it('puts a row with the words of the query before one that is near alone', async () => {
        await world.create('mixed', 2);
        await world.put('mixed', [
          { id: 'near', text: 'nothing of interest', vector: [1, 0], metadata: { team: 'a' } },
          { id: 'words', text: "the disk isn't full: ERR-4003", vector: [0.9, 0.4], metadata: { team: 'a' } },
          { id: 'closed', text: 'ERR-4003 disk full', vector: [0.9, 0.4], metadata: { team: 'b' } },
        ]);
        const query = { text: "disk ERR-4003 isn't \\ & | !", count: 2, vector: new Float32Array([1, 0]) };
        const filter = { equals: { key: 'team', value: 'a' } };
        const target = world.target('mixed');
        const ids = async (searchType: 'hybrid' | 'semantic') =>
          (await search(target, { ...query, filter, searchType })).map(({ id }) => id);
        expect(await ids('semantic')).to.deep.equal(['near', 'words']);
        expect(await ids('hybrid')).to.deep.equal(['words', 'near']);
      });
    });
  }
});

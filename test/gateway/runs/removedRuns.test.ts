import { expect } from 'chai';
import { CLAIMS, DECISIONS, RUNS, STEPS } from '../../../src/gateway/runs/documents/stored.ts';
import { RunRetention } from '../../../src/gateway/runs/retention.ts';
import { RunStore } from '../../../src/gateway/runs/runStore.ts';
import { type RunsApp, runsApp } from './runsApp.ts';

const COLLECTIONS = [RUNS, STEPS, DECISIONS, CLAIMS];

for (const replaceInserts of [false, true]) {
  describe(`a run that was removed, where a replace ${replaceInserts ? 'inserts' : 'needs the document'}`, () => {
    let runs: RunsApp;
    beforeEach(async () => {
      runs = await runsApp();
      runs.app.site.records.replaceInserts = replaceInserts;
    });
    const documentsOf = (id: string) =>
      COLLECTIONS.flatMap((name) => runs.stored(name).filter(({ run_id }) => run_id === id));
    const removeAll = (id: string) => {
      for (const name of COLLECTIONS) {
        const documents = runs.app.site.records.collection(name);
        for (const { _key, run_id } of runs.stored(name)) if (run_id === id) documents.delete(_key);
      }
    };
    const retention = (most: number) => {
      const stores = runs.app.site.process();
      return new RunRetention().clear(stores, new RunStore(stores), { days: 30, most }, async () => {});
    };

    it('stays gone though its model answers after that', async () => {
      const id = await runs.start();
      const answer = runs.app.llm.answer;
      runs.app.llm.answer = (call) => {
        removeAll(id);
        return answer(call);
      };
      const { status, json } = await runs.step(id);
      expect([status, json.error_code]).to.deep.equal([404, 'not_found']);
      expect(documentsOf(id)).to.deep.equal([]);
      expect((await runs.call('GET', `/${id}`)).status).to.equal(404);
    });

    it('stays gone though a tool answers after that', async () => {
      const id = await runs.start();
      runs.turns.push([{ name: 'Desk__echo', args: { text: 'hello' } }]);
      await runs.step(id);
      runs.app.peers.result = () => {
        removeAll(id);
        return { content: [] };
      };
      expect((await runs.step(id)).status).to.equal(404);
      expect(documentsOf(id)).to.deep.equal([]);
    });

    it('stays gone though its worker is noted after that', async () => {
      const store = new RunStore(runs.app.site.process());
      const claim = await store.claimJob({ _key: 'r' }, { round: 1, user: 'asker' });
      if (!claim) throw new Error('not claimed');
      removeAll('r');
      await store.noteJob({ ...claim, job_id: '1.2' });
      expect(documentsOf('r')).to.deep.equal([]);
    });

    it('is not removed by the retention while a process holds it', async () => {
      const [held, free] = [await runs.start(), await runs.start()];
      await runs.work(held);
      await runs.work(free);
      const store = new RunStore(runs.app.site.process());
      await store.hold(held, async (holder) => {
        const run = await store.run(held);
        if (!run) throw new Error('no run');
        await retention(0);
        expect(documentsOf(free)).to.deep.equal([]);
        await holder.saveRun({ ...run, message: 'written by its holder' });
        expect(runs.stored(RUNS)).to.have.length(1);
      });
      await retention(0);
      expect(documentsOf(held)).to.deep.equal([]);
    });

    it('cannot be written by whoever held it before', async () => {
      const id = await runs.start();
      const run = await runs.work(id).then(() => new RunStore(runs.app.site.process()).run(id));
      const store = new RunStore(runs.app.site.process());
      await store.hold(id, async (holder) => {
        removeAll(id);
        const writes = [
          () => holder.saveRun(run as never),
          () => holder.saveStep({ _key: `${id}.0001`, run_id: id, index: 1 } as never),
          () => holder.insertStep({ _key: `${id}.0002`, run_id: id, index: 2 } as never),
          () => holder.claimCall({ _key: `${id}.0002`, run_id: id, index: 2 } as never),
        ];
        for (const write of writes) {
          expect(
            await write().then(
              () => 'written',
              ({ code }) => code,
            ),
          ).to.equal('not_found');
        }
      });
      expect(documentsOf(id)).to.deep.equal([]);
    });
  });
}

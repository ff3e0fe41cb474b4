import { expect } from 'chai';
import { MIGRATIONS } from '../../src/app/dependencies/migrations.ts';
import { CAPABILITIES } from '../../src/contract/capabilities.ts';
import { StoreSchema } from '../../src/domain/records/storeSchema.ts';
import { table } from '../../src/table.ts';
import { MemoryApp } from '../support/memory/app.ts';
import { FaultPlan } from '../support/memory/faults.ts';

describe('a store with a newer schema', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.schema = new StoreSchema(MIGRATIONS);
    app.user('root', { capabilities: [...Object.keys(CAPABILITIES), 'admin_all_objects'] });
    write(MIGRATIONS.length + 1);
  });

  const write = (version: number) =>
    app.site.records.collection('ml_schema').set('store', JSON.stringify({ _key: 'store', version }));

  for (const { id, method, path, storeless } of table) {
    const behaviour = storeless ? 'is answered' : 'is refused, and nothing is read or written';
    it(`${id} ${behaviour}`, async () => {
      for (const sessionToken of ['root', 'reader']) {
        const faults = new FaultPlan();
        const body = method === 'GET' || method === 'DELETE' ? undefined : Buffer.from('{}');
        const request = { method, path: path.replaceAll(/\{[^}]*\}/g, 'x'), sessionToken, body };
        const { status, json } = await app.request(request, faults);
        if (storeless) {
          expect(status, JSON.stringify(json)).to.equal(200);
        } else {
          expect([status, json.error_code]).to.deep.equal([503, 'newer_schema']);
          expect(json.remedy).to.equal('Upgrade the app on this member.');
          expect(faults.trace).to.deep.equal(['get ml_schema']);
        }
      }
    });
  }

  it('is reported by the health of the app', async () => {
    const { json } = await app.call('reader', 'GET', '/health');
    expect(json).to.include({ store: 'newer_schema', secrets: 'ready' });
    write(MIGRATIONS.length);
    expect((await app.call('reader', 'GET', '/health')).json).to.include({ store: 'ready' });
  });

  it('is refused by a process that found it current, two seconds later at the latest', async () => {
    write(MIGRATIONS.length);
    expect((await app.call('reader', 'GET', '/experiments')).status).to.equal(200);
    write(MIGRATIONS.length + 1);
    app.site.clock.advance(2000);
    expect((await app.call('reader', 'GET', '/experiments')).json.error_code).to.equal('newer_schema');
  });
});

describe('a store of 0.2.0', () => {
  /** Experiments whose readers stand in the form of 0.1.0, and a history without messages beside the details. */
  async function oldStore() {
    const app = new MemoryApp();
    app.user('ben', { roles: ['analyst'] });
    app.user('cleo', { roles: ['-'] });
    const ids: string[] = [];
    for (const read of [['analyst'], ['*'], ['-'], []]) {
      const acl = { sharing: 'app', perms: { read, write: [] } };
      const body = { title: read.join() || 'own', type: 'smart_forecast', acl };
      const { json } = await app.call('editor', 'POST', '/experiments', body);
      ids.push(json.experiment_id);
      await app.call('editor', 'POST', `/experiments/${json.experiment_id}/history`, {
        action: 'note',
        message: 'Night',
      });
    }
    const rewrite = (collection: string, change: (doc: Record<string, unknown>) => object) => {
      for (const doc of app.site.records.all(collection)) {
        app.site.records.collection(collection).set(doc._key, JSON.stringify({ _key: doc._key, ...change(doc) }));
      }
    };
    const audiences: Record<string, unknown> = { analyst: 'a-hash', '*': '*', '-': ['--'], own: '-' };
    rewrite('ml_experiments', (doc) => ({ ...doc, audience: audiences[String(doc.title)] }));
    rewrite('ml_experiment_history', ({ message: _, ...doc }) => doc);
    app.schema = new StoreSchema(MIGRATIONS);
    return { app, id: ids[0] ?? '' };
  }
  const titles = async (app: MemoryApp, user: string) =>
    (await app.call(user, 'GET', '/experiments?count=0')).json.result.map(({ title }: { title: string }) => title);
  const expectMigrated = async (app: MemoryApp, id: string) => {
    expect(await titles(app, 'ben')).to.have.members(['analyst', '*']);
    expect(await titles(app, 'cleo')).to.have.members(['-', '*']);
    expect(await titles(app, 'editor')).to.have.length(4);
    const found = await app.call('ben', 'GET', `/experiments/${id}/history?search=night`);
    expect(found.json.pagination.total).to.equal(1);
    expect(app.site.records.all('ml_schema')).to.deep.equal([{ _key: 'store', version: MIGRATIONS.length }]);
  };

  it('is migrated by the first request, and versions of records stay', async () => {
    const { app, id } = await oldStore();
    await expectMigrated(app, id);
    for (const doc of app.site.records.all('ml_experiments')) expect(doc.version).to.equal(1);
  });

  it('is migrated although one document cannot be converted', async () => {
    const { app, id } = await oldStore();
    app.site.records.collection('ml_experiment_history').set('bad', '{"_key":"bad","details":"no JSON"}');
    await expectMigrated(app, id);
    expect(app.site.log.text()).to.include('not_migrated');
  });

  it('is migrated to the end after a crash at any call', async () => {
    const request = { path: '/ml/experiments', sessionToken: 'ben' };
    const counting = new FaultPlan();
    await (await oldStore()).app.request(request, counting);
    for (let at = 1; at <= counting.calls; at += 1) {
      const { app, id } = await oldStore();
      await app.request(request, new FaultPlan(at)).catch(() => {});
      // A dead process holds its leases for ten seconds.
      app.site.clock.advance(10_000);
      await expectMigrated(app, id);
    }
  });
});

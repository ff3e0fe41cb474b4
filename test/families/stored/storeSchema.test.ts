import { expect } from 'chai';
import { MIGRATIONS } from '../../../src/app/dependencies/migrations.ts';
import { CAPABILITIES } from '../../../src/contract/capabilities.ts';
import { BASE_VERSION, StoreSchema } from '../../../src/domain/records/storeSchema.ts';
import { table } from '../../../src/table.ts';
import { MemoryApp } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';

describe('a store with a newer schema', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.schema = new StoreSchema(MIGRATIONS);
    app.user('root', { capabilities: [...Object.keys(CAPABILITIES), 'admin_all_objects'] });
    write(BASE_VERSION + MIGRATIONS.length + 1);
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
    write(BASE_VERSION + MIGRATIONS.length);
    expect((await app.call('reader', 'GET', '/health')).json).to.include({ store: 'ready' });
  });

  it('is refused by a process that found it current, two seconds later at the latest', async () => {
    write(BASE_VERSION + MIGRATIONS.length);
    expect((await app.call('reader', 'GET', '/experiments')).status).to.equal(200);
    write(BASE_VERSION + MIGRATIONS.length + 1);
    app.site.clock.advance(2000);
    expect((await app.call('reader', 'GET', '/experiments')).json.error_code).to.equal('newer_schema');
  });
});

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMIN_PASSWORD, startTestPlatform, temporaryFolder } from '../../platform/test/support/platform.ts';
import { SplunkdClient } from '../../src/adapters/splunkd/client.ts';
import { splunkdRecords } from '../../src/adapters/splunkd/stores/recordStore.ts';
import { splunkdSecrets } from '../../src/adapters/splunkd/stores/secretStore.ts';
import { Fault } from '../../src/contract/codes/faults.ts';
import type { Doc, RecordStore } from '../../src/ports/stores/recordStore.ts';
import type { SecretStore } from '../../src/ports/stores/secretStore.ts';
import { rejection } from '../support/fault.ts';
import { memoryRecords, RecordData } from '../support/memory/recordStore.ts';
import { memorySecrets, SecretData } from '../support/memory/secretStore.ts';

interface Stores {
  records: RecordStore;
  secrets: SecretStore;
  stop(): Promise<void>;
}

interface Item extends Doc {
  n?: number;
  text?: string;
  inner?: { list: number[] };
}

/** The twins of the tests, and the adapters on the stores of the embedded platform: what holds for one holds for both. */
const WORLDS: Record<string, () => Promise<Stores>> = {
  'in memory': async () => ({
    records: memoryRecords(new RecordData()),
    secrets: memorySecrets(new SecretData()),
    stop: async () => undefined,
  }),
  'on the platform': async () => {
    const home = temporaryFolder();
    const app = join(home, 'etc/apps/ml_extension');
    const root = join(import.meta.dirname, '../..');
    cpSync(join(root, 'default'), join(app, 'default'), { recursive: true });
    cpSync(join(root, 'app/metadata'), join(app, 'metadata'), { recursive: true });
    const platform = await startTestPlatform({ home });
    const form = { username: 'admin', password: ADMIN_PASSWORD };
    const login = await platform.call('POST', '/services/auth/login?output_mode=json', { form, as: null });
    const client = new SplunkdClient(platform.url);
    return {
      records: splunkdRecords(client, login.json.sessionKey),
      secrets: splunkdSecrets(client, login.json.sessionKey),
      stop: async () => {
        await platform.close();
        rmSync(home, { recursive: true, force: true });
      },
    };
  },
};
const C = 'ml_agents';

for (const [world, open] of Object.entries(WORLDS)) {
  describe(`stores ${world}`, () => {
    let stores: Stores;
    let records: RecordStore;
    let secrets: SecretStore;
    before(async () => {
      stores = await open();
      ({ records, secrets } = stores);
    });
    after(() => stores.stop());
    beforeEach(() => records.removeWhere(C, {}));

    const keys = async (query: Record<string, unknown>) =>
      (await records.find<Item>(C, { query, sort: 'n:1' })).map((doc) => doc._key);

    it('insert takes a key once, and of many at once one', async () => {
      const inserted = await Promise.all([1, 2, 3, 4, 5].map((n) => records.insert<Item>(C, { _key: 'a', n })));
      expect(inserted.filter(Boolean)).to.have.length(1);
      expect(await records.insert<Item>(C, { _key: 'a' })).to.equal(false);
    });

    it('replace replaces the whole document, and only one that is there', async () => {
      expect(await records.replace<Item>(C, { _key: 'a', n: 1 })).to.equal(false);
      expect(await records.get(C, 'a')).to.equal(undefined);
      await records.insert<Item>(C, { _key: 'a', n: 1, text: 'x' });
      expect(await records.replace<Item>(C, { _key: 'a', inner: { list: [1, 2] } })).to.equal(true);
      expect(await records.get(C, 'a')).to.deep.equal({ _key: 'a', inner: { list: [1, 2] } });
    });

    it('saveAll inserts and replaces, each document as a whole', async () => {
      await records.insert<Item>(C, { _key: 'a', n: 1, text: 'x' });
      await records.saveAll<Item>(C, []);
      await records.saveAll<Item>(C, [
        { _key: 'a', n: 2 },
        { _key: 'b', n: 3 },
      ]);
      expect(await records.find<Item>(C, { sort: 'n:1' })).to.deep.equal([
        { _key: 'a', n: 2 },
        { _key: 'b', n: 3 },
      ]);
      const late = () => {
        throw new Fault('store_unavailable', 'too late');
      };
      expect((await rejection(records.saveAll<Item>(C, [{ _key: 'c' }], late), Error)).message).to.equal('too late');
      expect(await keys({})).to.deep.equal(['a', 'b']);
    });

    it('a document comes back as it went in; undefined does not survive', async () => {
      const key = 'k_20-.a';
      await records.insert(C, { _key: key, text: 'ä€𝄞\n"', n: 1.5, none: null, flag: false, gone: undefined } as Item);
      expect(await records.get(C, key)).to.deep.equal({ _key: key, text: 'ä€𝄞\n"', n: 1.5, none: null, flag: false });
    });

    it('there is no document of a key that none can have', async () => {
      await records.insert<Item>(C, { _key: 'a' });
      for (const key of ['.', '..', 'a\0', 'a/b', '/', '?', 'a b', '%61', '$']) {
        expect(await records.get(C, key), JSON.stringify(key)).to.equal(undefined);
      }
    });

    it('remove removes only a matching document and ignores a missing one', async () => {
      await records.insert<Item>(C, { _key: 'a', text: 'mine' });
      await records.remove(C, 'a', { text: 'theirs' });
      expect(await records.get(C, 'a')).not.to.equal(undefined);
      await records.remove(C, 'a', { text: 'mine' });
      expect(await records.get(C, 'a')).to.equal(undefined);
      await records.remove(C, 'a');
      await records.remove(C, 'a', { text: 'mine' });
    });

    it('find understands the queries that the app makes', async () => {
      for (const n of [1, 2, 3]) await records.insert<Item>(C, { _key: `k${n}`, n, text: n < 3 ? 'low' : 'high' });
      expect(await keys({ n: { $lt: 3 } })).to.deep.equal(['k1', 'k2']);
      expect(await keys({ text: 'low', n: { $gt: 1 } })).to.deep.equal(['k2']);
      expect(await keys({ $or: [{ _key: 'k1' }, { n: 3 }] })).to.deep.equal(['k1', 'k3']);
      expect(await keys({ text: { $ne: 'low' } })).to.deep.equal(['k3']);
      expect(await keys({})).to.have.length(3);
    });

    it('find sorts, skips, limits and projects; the key always comes along', async () => {
      for (const n of [2, 3, 1]) await records.insert<Item>(C, { _key: `k${n}`, n, text: 't' });
      const page = await records.find<Item>(C, { sort: 'n:-1', skip: 1, limit: 1, fields: ['n'] });
      expect(page).to.deep.equal([{ _key: 'k2', n: 2 }]);
    });

    it('gives all that match in chunks, in the order of keys, whatever is deleted meanwhile', async () => {
      const all = Array.from({ length: 450 }, (_, n) => `k${String(n).padStart(3, '0')}`);
      for (const [n, _key] of all.toReversed().entries())
        await records.insert<Item>(C, { _key, n, text: n % 2 ? 'odd' : 'even' });
      const seen: string[] = [];
      for await (const chunk of records.chunks<Item>(C, { fields: ['n'] })) {
        if (seen.length === 0) for (const key of all.slice(0, 40)) await records.remove(C, key);
        for (const doc of chunk) expect(doc).to.have.all.keys('_key', 'n');
        seen.push(...chunk.map(({ _key }) => _key));
      }
      expect(seen).to.deep.equal(all);
      expect((await records.find<Item>(C, { query: { text: 'odd' } })).map(({ n }) => (n ?? 0) % 2)).to.deep.equal(
        Array.from({ length: 205 }, () => 1),
      );
    });

    it('counts what matches', async () => {
      expect(await records.count(C)).to.equal(0);
      for (const n of [1, 2, 3]) await records.insert<Item>(C, { _key: `k${n}`, n });
      expect([await records.count(C), await records.count(C, { n: { $gte: 2 } })]).to.deep.equal([3, 2]);
    });

    it('answers queries longer than a request line', async () => {
      for (const n of [1, 2, 3]) await records.insert<Item>(C, { _key: `k${n}`, n });
      const $or = [...Array.from({ length: 3000 }, (_, n) => ({ text: `no such text ${n}` })), { n: 2 }, { n: 3 }];
      expect(await keys({ $or })).to.deep.equal(['k2', 'k3']);
      expect(await records.count(C, { $or })).to.equal(2);
      const page = await records.find<Item>(C, { query: { $or }, sort: 'n:-1', skip: 1, limit: 1, fields: ['n'] });
      expect(page).to.deep.equal([{ _key: 'k2', n: 2 }]);
    });

    it('sorts, filters and counts accelerated collections alike', async () => {
      const collection = 'ml_experiments';
      for (const n of [3, 1, 2]) {
        const item = {
          _key: `k${n}`,
          experiment_id: `k${n}`,
          title_key: `t${n % 2}`,
          owner: n < 3 ? 'ann' : 'ben',
          audience: '-',
        };
        await records.insert(collection, { ...item, type: 'x', status: 'draft', created_at: n });
      }
      const options = { query: { $or: [{ owner: 'ann' }, { audience: '*' }] }, sort: 'title_key:1,experiment_id:1' };
      expect(await records.find(collection, { ...options, fields: ['owner'] })).to.deep.equal([
        { _key: 'k2', owner: 'ann' },
        { _key: 'k1', owner: 'ann' },
      ]);
      expect(await records.count(collection, options.query)).to.equal(2);
      await records.removeWhere(collection, { owner: 'ann', created_at: { $gt: 1 } });
      expect((await records.find(collection, { sort: 'created_at:-1' })).map(({ _key }) => _key)).to.deep.equal([
        'k3',
        'k1',
      ]);
      await records.removeWhere(collection, {});
    });

    it('removeWhere removes what matches', async () => {
      for (const n of [1, 2, 3]) await records.insert<Item>(C, { _key: `k${n}`, n });
      await records.removeWhere(C, { n: { $gt: 1 } });
      expect(await keys({})).to.deep.equal(['k1']);
    });

    it('secrets of any length and text come back whole, under references that differ', async () => {
      const values = ['x', 'ä€𝄞\n:\\/"%', 'y'.repeat(255), 'z'.repeat(256), '€'.repeat(5000)];
      const refs: string[] = [];
      for (const value of values) {
        const ref = secrets.reference('things', value);
        await secrets.put(ref, value);
        refs.push(ref);
      }
      expect(new Set([...refs, secrets.reference('things', 'x')]).size).to.equal(values.length + 1);
      expect(await Promise.all(refs.map((ref) => secrets.get(ref)))).to.deep.equal(values);
      for (const ref of refs) {
        await secrets.remove(ref);
        await secrets.remove(ref);
        expect(await secrets.get(ref)).to.equal(undefined);
      }
    });

    it('say that they are ready', async () => {
      expect([await records.status(), await secrets.status()]).to.deep.equal(['ready', 'ready']);
    });
  });
}

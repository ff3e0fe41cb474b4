import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { KvStore } from '../../src/kv/store/store.ts';
import { PasswordStore } from '../../src/passwords/store.ts';
import { type Bench, makeBench } from '../support/stores.ts';

const DATA = '/servicesNS/nobody/search/storage/collections/data/things';
const AT = { app: 'search', collection: 'things', user: 'nobody' };

/** Writes in an endless loop; each line of output is one acknowledged write. */
const WRITER = `
  const { KvStore } = await import(process.argv[1]);
  const { PasswordStore } = await import(process.argv[2]);
  const kv = new KvStore(process.argv[3]);
  const passwords = new PasswordStore(process.argv[3]);
  const { writeSync } = await import('node:fs');
  for (let n = 0; ; n += 1) {
    kv.insert(${JSON.stringify(AT)}, 'k' + n, JSON.stringify({ n }));
    if (n % 10 === 0) passwords.insert({ app: 'search', realm: 'r', name: 'k' + n }, 'secret' + n);
    writeSync(1, n + '\\n');
  }`;

describe('embedded stores: durability and concurrency', () => {
  it('keep every acknowledged write through kill -9', async () => {
    const home = mkdtempSync(join(tmpdir(), 'kill-'));
    try {
      const sources = ['kv/store', 'passwords'].map(
        (name) => new URL(`../../src/${name}/store.ts`, import.meta.url).href,
      );
      const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, ...sources, home], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let last = -1;
      for await (const line of createInterface({ input: child.stdout })) {
        last = Number(line);
        if (last >= 500) child.kill('SIGKILL');
      }
      expect(last).to.be.at.least(500);
      const kv = new KvStore(home);
      const passwords = new PasswordStore(home);
      for (let n = 0; n <= last; n += 1) {
        expect(kv.get(AT, `k${n}`)?.doc).to.equal(`{"n":${n}}`);
        if (n % 10 !== 0) continue;
        expect(passwords.get({ app: 'search', realm: 'r', name: `k${n}` })?.clear).to.equal(`secret${n}`);
      }
      kv.close();
      passwords.close();
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  describe('with a running platform', () => {
    let bench: Bench;
    beforeEach(() => {
      bench = makeBench({ 'etc/apps/search/default/collections.conf': '[things]\n' });
    });
    afterEach(() => bench.close());

    it('let only one of a hundred inserts of a key succeed', async () => {
      const inserts = Array.from({ length: 100 }, (_, n) => bench.call('POST', DATA, { json: { _key: 'k', n } }));
      const statuses = (await Promise.all(inserts)).map((reply) => reply.status);
      expect(statuses.filter((status) => status === 201)).to.have.length(1);
      expect(statuses.filter((status) => status === 409)).to.have.length(99);
    });

    it('let only one take over a lease', async () => {
      await bench.call('POST', DATA, { json: { _key: 'lease', token: 'old' } });
      const query = encodeURIComponent('{"_key":"lease","token":"old"}');
      const takeOver = async (token: number) => {
        await bench.call('DELETE', `${DATA}?query=${query}`);
        return (await bench.call('POST', DATA, { json: { _key: 'lease', token } })).status;
      };
      const statuses = await Promise.all(Array.from({ length: 50 }, (_, n) => takeOver(n)));
      expect(statuses.filter((status) => status === 201)).to.have.length(1);
    });

    it('agree with a second platform on the same home', async () => {
      const second = new KvStore(bench.home);
      expect(second.insert(AT, 'k', '{}')).to.equal(true);
      expect((await bench.call('POST', DATA, { json: { _key: 'k' } })).status).to.equal(409);
      expect((await bench.call('DELETE', `${DATA}/k`)).status).to.equal(200);
      expect(second.get(AT, 'k')).to.equal(undefined);
      second.close();
    });

    it('find one of a hundred thousand documents by key without a scan', async () => {
      const store = new KvStore(bench.home);
      const docs = Array.from({ length: 100_000 }, (_, n) => ({
        key: `k${n}`,
        doc: JSON.stringify({ n, name: `x${n}` }),
      }));
      store.saveAll(AT, docs);
      store.close();
      const time = async (url: string, times: number): Promise<number> => {
        const before = performance.now();
        for (let n = 0; n < times; n += 1) expect((await bench.call('GET', url)).status).to.equal(200);
        return (performance.now() - before) / times;
      };
      const one = await time(`${DATA}/k77777`, 50);
      const byKey = await time(`${DATA}?query=${encodeURIComponent('{"_key":"k77777","n":77777}')}`, 50);
      const scan = await time(`${DATA}?query=${encodeURIComponent('{"n":{"$gt":99998}}')}`, 1);
      const equal = await time(`${DATA}?query=${encodeURIComponent('{"name":"x77777"}')}`, 3);
      if (process.env.SHOW_TIMES) console.log({ one, byKey, equal, scan });
      expect(one).to.be.lessThan(scan / 10);
      expect(byKey).to.be.lessThan(scan / 10);
      expect(equal).to.be.lessThan(scan);
    });

    it('refuse files of a newer version', () => {
      const home = mkdtempSync(join(tmpdir(), 'newer-'));
      const store = new KvStore(home);
      store.close();
      return import('node:sqlite').then(({ DatabaseSync }) => {
        const db = new DatabaseSync(join(home, 'var/lib/splunk/kvstore/kvstore.sqlite'));
        db.exec('PRAGMA user_version = 99');
        db.close();
        expect(() => new KvStore(home)).to.throw(/newer version/);
        rmSync(home, { recursive: true });
      });
    });
  });
});

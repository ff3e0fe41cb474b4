import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import {
  ADMIN_PASSWORD,
  startTestPlatform,
  type TestPlatform,
  temporaryFolder,
} from '../../platform/test/support/platform.ts';
import { SplunkdClient } from '../../src/adapters/splunkd/client.ts';
import { splunkdLookups } from '../../src/adapters/splunkd/stores/lookupFiles.ts';
import type { LookupFiles } from '../../src/ports/stores/lookupFiles.ts';
import { LookupData, memoryLookups } from '../support/memory/lookupFiles.ts';

interface World {
  as(user: string): Promise<LookupFiles>;
  stop(): Promise<void>;
  home?: string;
  platform?: TestPlatform;
}

const APP = 'ml_extension';

async function onPlatform(): Promise<World> {
  const home = temporaryFolder();
  mkdirSync(join(home, 'etc/apps', APP, 'metadata'), { recursive: true });
  writeFileSync(
    join(home, 'etc/apps', APP, 'metadata/default.meta'),
    '[]\naccess = read : [ * ], write : [ admin ]\nexport = none\n',
  );
  const platform = await startTestPlatform({ home });
  for (const name of ['ann', 'ben']) {
    const form = { name, password: 'password-of-all', roles: 'user' };
    expect((await platform.call('POST', '/services/authentication/users', { form })).status).to.equal(201);
  }
  return {
    home,
    platform,
    async as(user) {
      const form = { username: user, password: user === 'admin' ? ADMIN_PASSWORD : 'password-of-all' };
      const login = await platform.call('POST', '/services/auth/login?output_mode=json', { form, as: null });
      return splunkdLookups(new SplunkdClient(platform.url), login.json.sessionKey, home);
    },
    async stop() {
      await platform.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function inMemory(): Promise<World> {
  const data = new LookupData();
  data.admins.add('admin');
  return { as: async (user) => memoryLookups(data, user), stop: async () => {} };
}

/** The twin of the tests and the adapter on the embedded platform: what holds for one holds for both. */
for (const [where, open] of Object.entries({ 'in memory': inMemory, 'on the platform': onPlatform })) {
  describe(`lookup files ${where}`, () => {
    let world: World;
    let ann: LookupFiles;
    let ben: LookupFiles;
    let admin: LookupFiles;
    before(async () => {
      world = await open();
      [ann, ben, admin] = (await Promise.all(['ann', 'ben', 'admin'].map((user) => world.as(user)))) as [
        LookupFiles,
        LookupFiles,
        LookupFiles,
      ];
    });
    after(() => world.stop());

    const names = async (port: LookupFiles, prefix = '__mlspl_') =>
      (await port.list(prefix)).map(({ name }) => name).sort();
    const file = async (port: LookupFiles, name: string) => {
      const found = (await port.list(name)).find((one) => one.name === name);
      if (!found) throw new Error(`no ${name}`);
      return found;
    };
    const refusal = async (action: Promise<unknown>) =>
      action.then(
        () => 'done',
        (error) => error.code,
      );

    it('makes private files, seen by their user alone', async () => {
      const place = { name: '__mlspl_a.onnx', app: APP, owner: 'ann' };
      expect(await ann.create(place, Buffer.from('one'))).to.equal(true);
      expect(await ann.create(place, Buffer.from('two'))).to.equal(false);
      const { path, ...made } = await file(ann, '__mlspl_a.onnx');
      expect(path).to.be.a('string');
      expect(made).to.deep.equal({ name: '__mlspl_a.onnx', app: APP, owner: 'ann', sharing: 'user', canWrite: true });
      expect(await names(ben)).to.deep.equal([]);
      expect(await refusal(ben.create({ ...place, name: '__mlspl_b.onnx' }, Buffer.from('x')))).to.equal('acl_denied');
    });

    it('lists by the beginning of the name', async () => {
      await ann.create({ name: '__mlspl_ab.mlmodel', app: APP, owner: 'ann' }, Buffer.from('x'));
      await ann.create({ name: 'other.csv', app: APP, owner: 'ann' }, Buffer.from('x'));
      expect(await names(ann)).to.deep.equal(['__mlspl_a.onnx', '__mlspl_ab.mlmodel']);
      expect(await names(ann, '__mlspl_ab')).to.deep.equal(['__mlspl_ab.mlmodel']);
      expect(await names(ann, '')).to.deep.equal(['__mlspl_a.onnx', '__mlspl_ab.mlmodel', 'other.csv']);
    });

    it('reads size, time and beginning', async () => {
      const made = await file(ann, '__mlspl_a.onnx');
      expect((await ann.stat(made))?.size).to.equal(3);
      expect((await ann.stat(made))?.changedAt).to.be.greaterThan(1_700_000_000);
      expect(Buffer.from((await ann.head(made, 2)) ?? []).toString()).to.equal('on');
      const gone = { ...made, name: '__mlspl_no.onnx', path: `${made.path}.no` };
      expect(await ann.stat(gone)).to.equal(undefined);
      expect(await ann.head(gone, 2)).to.equal(undefined);
    });

    it('copies and replaces', async () => {
      const source = await file(ann, '__mlspl_a.onnx');
      expect(await ann.create({ name: '__mlspl_copy.onnx', app: APP, owner: 'ann' }, source)).to.equal(true);
      const copy = await file(ann, '__mlspl_copy.onnx');
      expect(Buffer.from((await ann.head(copy, 99)) ?? []).toString()).to.equal('one');
      expect(await ann.replace(copy, Buffer.from('three'))).to.equal(true);
      expect(Buffer.from((await ann.head(copy, 99)) ?? []).toString()).to.equal('three');
      expect(Buffer.from((await ann.head(source, 99)) ?? []).toString()).to.equal('one');
      expect(await ann.remove(copy)).to.equal(true);
      expect(await ann.remove(copy)).to.equal(false);
      expect(await ann.replace(copy, Buffer.from('x'))).to.equal(false);
    });

    it('makes files of the app where the platform lets them be made, read by all', async () => {
      const place = { name: '__mlspl_app.onnx', app: APP, owner: 'nobody' };
      expect(await refusal(ann.create(place, Buffer.from('x')))).to.equal('acl_denied');
      expect(await admin.create(place, Buffer.from('shared'))).to.equal(true);
      const seen = await file(ben, '__mlspl_app.onnx');
      expect(seen).to.include({ sharing: 'app', canWrite: false });
      expect(await refusal(ben.remove(seen))).to.equal('acl_denied');
      expect(await refusal(ben.replace(seen, Buffer.from('y')))).to.equal('acl_denied');
      expect(await ben.create({ name: '__mlspl_mine.onnx', app: APP, owner: 'ben' }, seen)).to.equal(true);
    });

    if (where === 'on the platform') {
      const staging = () => join(world.home ?? '', 'var/run/splunk/lookup_tmp');

      it('leaves nothing in the staging folder, and clears what a driver that died has left', async () => {
        expect(readdirSync(staging())).to.deep.equal([]);
        const [old, young, foreign] = ['ml_extension-old', 'ml_extension-young', 'theirs'].map((name) =>
          join(staging(), name),
        );
        for (const path of [old, young, foreign]) writeFileSync(path ?? '', 'x');
        const longAgo = Date.now() / 1000 - 7200;
        utimesSync(old ?? '', longAgo, longAgo);
        utimesSync(foreign ?? '', longAgo, longAgo);
        await ann.create({ name: '__mlspl_sweep.onnx', app: APP, owner: 'ann' }, Buffer.from('x'));
        expect(readdirSync(staging()).sort()).to.deep.equal(['ml_extension-young', 'theirs']);
        expect(
          await ann.create({ name: 'bad/name', app: APP, owner: 'ann' }, Buffer.from('x')).catch(() => 'refused'),
        ).to.equal('refused');
        expect(readdirSync(staging()).sort()).to.deep.equal(['ml_extension-young', 'theirs']);
      });

      it('does not follow a lookup that leads out of the configuration', async () => {
        const made = await file(ann, '__mlspl_a.onnx');
        const secret = join(world.home ?? '', 'var/secret');
        writeFileSync(secret, 'not for you');
        const link = join(dirname(made.path), '__mlspl_link.onnx');
        symlinkSync(secret, link);
        const crafted = { ...made, name: '__mlspl_link.onnx', path: link };
        expect(await ann.head(crafted, 99)).to.equal(undefined);
        expect(await ann.stat({ ...crafted, path: secret })).to.equal(undefined);
        expect(await refusal(ann.create({ name: '__mlspl_stolen.onnx', app: APP, owner: 'ann' }, crafted))).to.equal(
          'not_found',
        );
        expect(existsSync(join(dirname(made.path), '__mlspl_stolen.onnx'))).to.equal(false);
        expect(readFileSync(secret, 'utf8')).to.equal('not for you');
      });
    }
  });
}

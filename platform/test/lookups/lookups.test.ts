import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from 'chai';
import { type CallOptions, type Reply, startFixture, type TestPlatform } from '../support/platform.ts';

const SHARED = '/servicesNS/nobody/fixture/data/lookup-table-files';
const PRIVATE = '/servicesNS/alice/fixture/data/lookup-table-files';

describe('embedded lookup files', () => {
  let platform: TestPlatform;
  let stop: () => Promise<void>;
  let staging: string;

  before(async () => {
    ({ platform, stop } = await startFixture());
    staging = join(platform.home, 'var/run/splunk/lookup_tmp');
    for (const name of ['alice', 'bob']) {
      const form = { name, password: `${name}-secret`, roles: 'user' };
      await platform.call('POST', '/services/authentication/users', { form });
    }
  });
  after(() => stop());

  const call = (method: string, path: string, options?: CallOptions): Promise<Reply> =>
    platform.call(method, `${path}?output_mode=json`, options);
  const stage = (name: string, text: string): string => {
    writeFileSync(join(staging, name), text);
    return join(staging, name);
  };
  const names = (reply: Reply): string[] => reply.json.entry.map((entry: { name: string }) => entry.name);
  const alice = { as: 'alice:alice-secret' };
  const bob = { as: 'bob:bob-secret' };

  it('are shared by the app if nobody owns them', async () => {
    const made = await call('POST', SHARED, { form: { name: 'a.csv', 'eai:data': stage('x', 'k,v\n1,2\n') } });
    assert.strictEqual(made.status, 201);
    const [entry] = made.json.entry;
    assert.include(entry.acl, { app: 'fixture', owner: 'nobody', sharing: 'app' });
    const file = join(platform.home, 'etc/apps/fixture/lookups/a.csv');
    assert.strictEqual(entry.content['eai:data'], file);
    assert.strictEqual(readFileSync(file, 'utf8'), 'k,v\n1,2\n');
    assert.isFalse(existsSync(join(staging, 'x')));
    const again = await call('POST', SHARED, { form: { name: 'a.csv', 'eai:data': stage('x', '') } });
    assert.strictEqual(again.status, 409);
    const changed = await call('POST', `${SHARED}/a.csv`, { form: { 'eai:data': stage('x', 'new') } });
    assert.strictEqual(changed.status, 200);
    assert.strictEqual(readFileSync(file, 'utf8'), 'new');
    assert.include(names(await call('GET', PRIVATE, alice)), 'a.csv');
    assert.strictEqual((await call('DELETE', `${SHARED}/a.csv`, alice)).status, 403);
    assert.strictEqual((await call('DELETE', `${SHARED}/a.csv`)).status, 200);
    assert.isFalse(existsSync(file));
  });

  it('are private if a user owns them, until they are shared', async () => {
    const form = () => ({ name: 'mine.csv', 'eai:data': stage('y', 'mine') });
    assert.strictEqual((await call('POST', PRIVATE, { ...bob, form: form() })).status, 403);
    assert.strictEqual((await call('POST', PRIVATE, { ...alice, form: form() })).status, 201);
    const file = join(platform.home, 'etc/users/alice/fixture/lookups/mine.csv');
    assert.isTrue(existsSync(file));
    assert.strictEqual((await call('GET', `${PRIVATE}/mine.csv`, bob)).status, 404);
    assert.strictEqual((await call('GET', `${SHARED}/mine.csv`, alice)).status, 404);
    const share = { owner: 'nobody', sharing: 'app', 'perms.read': '*', 'perms.write': 'admin' };
    assert.strictEqual((await call('POST', `${PRIVATE}/mine.csv/acl`, { ...alice, form: share })).status, 403);
    assert.strictEqual((await call('POST', `${PRIVATE}/mine.csv/acl`, { form: share })).status, 200);
    assert.isFalse(existsSync(file));
    assert.strictEqual((await call('GET', `${SHARED}/mine.csv`, bob)).json.entry[0].acl.sharing, 'app');
  });

  it('come only from the staging folder, under plain names', async () => {
    symlinkSync('/etc/passwd', join(staging, 'link'));
    mkdirSync(join(staging, 'folder'), { recursive: true });
    writeFileSync(join(platform.home, 'var/run/splunk/outside'), '');
    const cases: [string, string | undefined, RegExp][] = [
      ['b.csv', '/etc/passwd', /somewhere else/],
      ['b.csv', `${staging}/../outside`, /somewhere else/],
      ['b.csv', `${staging}/link`, /not a file/],
      ['b.csv', `${staging}/folder`, /not a file/],
      ['b.csv', `${staging}/none`, /no such file/],
      ['b.csv', '', /eai:data/],
      ['b.csv', undefined, /eai:data/],
      ['../b.csv', stage('z', ''), /"name"/],
      ['.hidden', stage('z', ''), /"name"/],
    ];
    for (const [name, path, pattern] of cases) {
      const form: Record<string, string> = path === undefined ? { name } : { name, 'eai:data': path };
      const reply = await call('POST', SHARED, { form });
      assert.strictEqual(reply.status, 400, `${name} ${path}`);
      assert.match(reply.json.messages[0].text, pattern);
    }
  });

  it('of all users are listed only for an administrator with a wildcard', async () => {
    const everything = '/servicesNS/-/-/data/lookup-table-files';
    for (const [user, who] of [
      ['alice', alice],
      ['bob', bob],
    ] as const) {
      const form = { name: 'same.csv', 'eai:data': stage('s', user) };
      const path = `/servicesNS/${user}/fixture/data/lookup-table-files`;
      assert.strictEqual((await call('POST', path, { ...who, form })).status, 201);
    }
    const owners = (reply: Reply) =>
      reply.json.entry
        .filter(({ name }: { name: string }) => name === 'same.csv')
        .map(({ acl }: { acl: { owner: string } }) => acl.owner)
        .sort();
    assert.deepEqual(owners(await call('GET', everything)), ['alice', 'bob']);
    assert.deepEqual(owners(await call('GET', everything, bob)), ['bob']);
  });

  it('do not pass their access rules on to a later file of the same name', async () => {
    const form = () => ({ name: 'again.csv', 'eai:data': stage('a', 'x') });
    assert.strictEqual((await call('POST', SHARED, { form: form() })).status, 201);
    const rule = { owner: 'nobody', sharing: 'global', 'perms.read': 'admin', 'perms.write': 'admin' };
    assert.strictEqual((await call('POST', `${SHARED}/again.csv/acl`, { form: rule })).status, 200);
    assert.strictEqual((await call('GET', `${SHARED}/again.csv`, alice)).status, 404);
    assert.strictEqual((await call('DELETE', `${SHARED}/again.csv`)).status, 200);
    assert.strictEqual((await call('POST', SHARED, { form: form() })).json.entry[0].acl.sharing, 'app');
    assert.strictEqual((await call('GET', `${SHARED}/again.csv`, alice)).status, 200);
    const back = { owner: 'alice', sharing: 'user' };
    assert.strictEqual((await call('POST', `${SHARED}/again.csv/acl`, { form: rule })).status, 200);
    assert.strictEqual((await call('POST', `${SHARED}/again.csv/acl`, { form: back })).status, 200);
    const meta = readFileSync(join(platform.home, 'etc/apps/fixture/metadata/local.meta'), 'utf8');
    assert.notInclude(meta, 'again.csv');
  });
});

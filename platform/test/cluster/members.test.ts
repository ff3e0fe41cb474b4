import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from 'chai';
import { TestMembers } from '../support/members.ts';
import { until } from '../support/patience.ts';
import { call } from '../support/platform.ts';

const KV = '/servicesNS/nobody/fixture/storage/collections/data/things';
const PASSWORDS = '/servicesNS/nobody/fixture/storage/passwords';
const JSON_MODE = '?output_mode=json';

const password = (name: string, text: string) => ({ form: { name, realm: 'r', password: text } });
const entry = (name: string) => `${PASSWORDS}/${encodeURIComponent(`r:${name}:`)}${JSON_MODE}`;

describe('members of a cluster', () => {
  let members: TestMembers;

  before(async () => {
    members = await new TestMembers({ ML_CLOCK_SKEW_MS: '-600000', ML_MEMBERS: '3' }).start();
  });
  after(() => members.dispose());

  const secretOf = async (member: number, name: string): Promise<string | number> => {
    const { status, json } = await members.call(member, 'GET', entry(name));
    return status === 200 ? json.entry[0].content.clear_password : status;
  };

  const hasSecret = (member: number, name: string, expected: string | number) =>
    until(
      () => secretOf(member, name),
      (answer) => answer === expected,
    );

  it('print their addresses, the first one last', () => {
    const [one = '', two = '', three = ''] = members.urls;
    assert.strictEqual(members.stdout, `member 1 ${one}\nmember 2 ${two}\nmember 3 ${three}\nready ${one}\n`);
    assert.strictEqual(new Set(members.urls).size, 3);
  });

  it('are processes and servers of their own', async () => {
    const pids = await Promise.all([1, 2, 3].map((n) => members.pid(n)));
    assert.strictEqual(new Set([...pids, members.process?.pid]).size, 4);
    const info = await Promise.all([1, 2, 3].map((n) => members.call(n, 'GET', `/services/server/info${JSON_MODE}`)));
    const content = info.map(({ json }) => json.entry[0].content);
    assert.strictEqual(new Set(content.map(({ guid }) => guid)).size, 3);
    assert.strictEqual(new Set(content.map(({ serverName }) => serverName)).size, 3);
    const block = (await members.call(2, 'GET', '/services/echo')).json;
    assert.strictEqual(block.server.guid, content[1].guid);
    assert.strictEqual(block.server.servername, content[1].serverName);
    assert.strictEqual(block.server.rest_uri, members.urls[1]);
  });

  it('shows their pids only to administrators', async () => {
    assert.strictEqual((await members.call(2, 'GET', '/services/embedded/members', { as: null })).status, 401);
    await members.call(1, 'POST', '/services/authentication/users', {
      form: { name: 'plain', password: 'plain-password', roles: 'user' },
    });
    const as = 'plain:plain-password';
    assert.strictEqual((await members.call(2, 'GET', '/services/embedded/members', { as })).status, 403);
    // Other callers have no access.
    assert.strictEqual((await members.call(1, 'GET', '/services/embedded/cluster/kv')).status, 404);
    assert.strictEqual((await members.call(1, 'GET', '/services/embedded/cluster/changes?after=0')).status, 404);
  });

  it('know the same users, roles and sessions at once', async () => {
    const login = await members.call(1, 'POST', `/services/auth/login${JSON_MODE}`, {
      as: null,
      form: { username: 'plain', password: 'plain-password' },
    });
    const headers = { Authorization: `Splunk ${login.json.sessionKey}` };
    const context = `/services/authentication/current-context${JSON_MODE}`;
    assert.deepEqual((await members.call(2, 'GET', context, { as: null, headers })).json.entry[0].content.roles, [
      'user',
    ]);
    await members.call(3, 'POST', '/services/authorization/roles', { form: { name: 'fresh', imported_roles: 'user' } });
    await members.call(2, 'POST', '/services/authentication/users/plain', { form: { roles: ['user', 'fresh'] } });
    assert.deepEqual((await members.call(1, 'GET', context, { as: null, headers })).json.entry[0].content.roles, [
      'fresh',
      'user',
    ]);
    await members.call(3, 'DELETE', '/services/authentication/users/plain');
    assert.strictEqual((await members.call(1, 'GET', context, { as: null, headers })).status, 401);
  });

  it('share one KV store', async () => {
    const body = JSON.stringify({ _key: 'a', size: '12', text: 'ä' });
    assert.strictEqual((await members.call(2, 'POST', KV, { body })).status, 201);
    assert.deepEqual((await members.call(1, 'GET', `${KV}/a`)).json, {
      size: 12,
      text: 'ä',
      _user: 'nobody',
      _key: 'a',
    });
    const taken = await members.call(3, 'POST', `${KV}${JSON_MODE}`, { body });
    assert.strictEqual(taken.status, 409);
    assert.match(taken.json.messages[0].text, /already exists/);
    assert.strictEqual((await members.call(3, 'POST', KV, { body: '{"broken' })).status, 400);
    assert.deepEqual((await members.call(3, 'POST', `${KV}/batch_save`, { body: '[{"_key":"b","size":1}]' })).json, [
      'b',
    ]);
    const query = encodeURIComponent('{"size":{"$gt":1}}');
    assert.deepEqual(
      (await members.call(3, 'GET', `${KV}?query=${query}`)).json.map(({ _key }: { _key: string }) => _key),
      ['a'],
    );
    assert.strictEqual((await members.call(2, 'DELETE', `${KV}?query=${query}`)).status, 200);
    assert.strictEqual((await members.call(1, 'GET', `${KV}/a`)).status, 404);
    assert.strictEqual((await members.call(2, 'GET', `${KV}/a`, { as: null })).status, 401);
    const status = await members.call(2, 'GET', `/services/kvstore/status${JSON_MODE}`);
    assert.include(status.json.entry[0].content.current, { status: 'ready', standalone: false });
  });

  it('let one of many concurrent inserts win', async () => {
    const inserts = Array.from({ length: 32 }, (_, index) =>
      members.call((index % 3) + 1, 'POST', KV, { body: '{"_key":"race"}' }),
    );
    const statuses = (await Promise.all(inserts)).map(({ status }) => status);
    assert.strictEqual(statuses.filter((status) => status === 201).length, 1);
    assert.strictEqual(statuses.filter((status) => status === 409).length, 31);
  });

  it('replicate passwords after the delay and not before', async () => {
    const created = Date.now();
    assert.strictEqual((await members.call(2, 'POST', PASSWORDS, password('late', 's1'))).status, 201);
    assert.strictEqual(await secretOf(2, 'late'), 's1');
    assert.strictEqual(await secretOf(1, 'late'), 404);
    await hasSecret(1, 'late', 's1');
    assert.isAtLeast(Date.now() - created, 300);
    await hasSecret(3, 'late', 's1');
    await members.call(1, 'POST', entry('late'), { form: { password: 's2' } });
    await hasSecret(2, 'late', 's2');
    await members.call(3, 'DELETE', entry('late'));
    await hasSecret(1, 'late', 404);
    await hasSecret(2, 'late', 404);
  });

  it('converge when two change a password at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = `both-${round}`;
      await Promise.all([1, 2, 3].map((n) => members.call(n, 'POST', PASSWORDS, password(name, `of ${n}`))));
      await until(
        () => Promise.all([1, 2, 3].map((n) => secretOf(n, name))),
        (replies) => typeof replies[0] === 'string' && new Set(replies).size === 1,
      );
      await sleep(700);
      const later = await Promise.all([1, 2, 3].map((n) => secretOf(n, name)));
      assert.strictEqual(new Set(later).size, 1, later.join());
    }
  });

  it('replicate conf files, access rules and lookups', async () => {
    const conf = '/servicesNS/nobody/fixture/configs/conf-fixture';
    const value = async (n: number, stanza: string) => {
      const { status, json } = await members.call(n, 'GET', `${conf}/${stanza}${JSON_MODE}`);
      return status === 200 ? json.entry[0].content.size : status;
    };
    const hasValue = (n: number, stanza: string, expected: string | number) =>
      until(
        () => value(n, stanza),
        (answer) => answer === expected,
      );
    // Two stanzas of one file, each from another member: both stay.
    await Promise.all([
      members.call(1, 'POST', conf, { form: { name: 'one', size: '1' } }),
      members.call(2, 'POST', conf, { form: { name: 'two', size: '2' } }),
    ]);
    for (const n of [1, 2, 3]) {
      await hasValue(n, 'one', '1');
      await hasValue(n, 'two', '2');
    }
    await members.call(3, 'DELETE', `${conf}/one`);
    await hasValue(1, 'one', 404);
    await members.call(1, 'POST', `${conf}/two/acl`, {
      form: { owner: 'nobody', sharing: 'app', 'perms.read': 'admin', 'perms.write': 'admin' },
    });
    const read = async () =>
      (await members.call(2, 'GET', `${conf}/two/acl${JSON_MODE}`)).json.entry[0].acl.perms.read.join();
    await until(read, (roles) => roles === 'admin');

    const folder = join(members.home, 'members', '2', 'var', 'run', 'splunk', 'lookup_tmp');
    mkdirSync(folder, { recursive: true });
    const staged = join(folder, 'staged.csv');
    writeFileSync(staged, 'a,b\n1,2\n');
    const lookups = '/servicesNS/nobody/fixture/data/lookup-table-files';
    const made = await members.call(2, 'POST', lookups, { form: { name: 'model.csv', 'eai:data': staged } });
    assert.strictEqual(made.status, 201, made.text);
    const there = async () => (await members.call(1, 'GET', `${lookups}/model.csv`)).status;
    await until(there, (status) => status === 200);
    await members.call(1, 'DELETE', `${lookups}/model.csv`);
    await until(
      async () => (await members.call(2, 'GET', `${lookups}/model.csv`)).status,
      (status) => status === 404,
    );
  });

  it('shift the clock of drivers on all but the first', async () => {
    const clock = async (n: number) => (await members.call(n, 'GET', '/services/echo')).json;
    const [first, second] = [await clock(1), await clock(2)];
    assert.closeTo(first.now - Date.now(), 0, 5000);
    assert.closeTo(second.now - Date.now(), -600_000, 5000);
    assert.closeTo(second.made - second.now, 0, 50);
    // Monotonic time is not shifted.
    assert.isBelow(second.uptime, 60_000);
    // The member itself has the right time.
    const { headers } = await members.call(2, 'GET', '/services/server/info');
    assert.closeTo(Date.parse(String(headers.date)) - Date.now(), 0, 5000);
  });

  it('restart a killed member on its port, which catches up', async () => {
    const before = await members.pid(2, 1);
    await members.call(2, 'POST', PASSWORDS, password('last words', 'kept'));
    await members.signal(2, 'SIGKILL');
    await members.call(1, 'POST', PASSWORDS, password('while away', 'w'));
    await sleep(600);
    // No member had polled the dead one yet.
    const early = await secretOf(1, 'last words');
    await until(
      () =>
        members.call(2, 'GET', '/services/server/info').then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 200,
    );
    assert.notStrictEqual(await members.pid(2, 1), before);
    assert.strictEqual(await secretOf(2, 'last words'), 'kept');
    await hasSecret(1, 'last words', 'kept');
    await hasSecret(2, 'while away', 'w');
    assert.oneOf(early, [404, 'kept']);
    assert.match(members.stderr, /Member 2 ended by SIGKILL; restarting in 1000 ms\./);
  });

  it('answer 503 while the holder of the KV store is down, and lose no acknowledged write', async () => {
    const acknowledged: string[] = [];
    let stop = false;
    const writer = (async () => {
      for (let index = 0; !stop; index += 1) {
        const key = `k${index}`;
        const { status } = await members.call(2, 'POST', KV, { body: JSON.stringify({ _key: key }) });
        if (status === 201) acknowledged.push(key);
        else assert.strictEqual(status, 503);
      }
    })();
    await until(
      async () => acknowledged.length,
      (count) => count > 20,
      20_000,
    );
    await members.signal(1, 'SIGKILL');
    await sleep(300);
    const down = await members.call(2, 'GET', `${KV}${JSON_MODE}`);
    assert.strictEqual(down.status, 503);
    assert.strictEqual(down.json.messages[0].text, 'KV Store is initializing. Please try again later.');
    const info = await members.call(2, 'GET', `/services/server/info${JSON_MODE}`);
    assert.strictEqual(info.json.entry[0].content.kvStoreStatus, 'starting');
    await until(
      () => members.call(3, 'GET', KV).then(({ status }) => status),
      (status) => status === 200,
    );
    await sleep(200);
    stop = true;
    await writer;
    const keys = new Set(
      (await members.call(3, 'GET', `${KV}?limit=0`)).json.map(({ _key }: { _key: string }) => _key),
    );
    assert.isAbove(acknowledged.length, 20);
    assert.deepEqual(
      acknowledged.filter((key) => !keys.has(key)),
      [],
    );
  });

  it('wait for a stopped member, and continue when it does', async () => {
    await members.signal(1, 'SIGSTOP');
    const pending = members.call(2, 'POST', KV, { body: '{"_key":"frozen"}' });
    let isDone = false;
    void pending.then(() => {
      isDone = true;
    });
    await sleep(700);
    assert.isFalse(isDone);
    assert.strictEqual((await members.call(3, 'POST', PASSWORDS, password('meanwhile', 'm'))).status, 201);
    await hasSecret(2, 'meanwhile', 'm');
    await members.signal(1, 'SIGCONT');
    assert.strictEqual((await pending).status, 201);
    await hasSecret(1, 'meanwhile', 'm');
  });

  it('end with their parent, and keep everything for the next start', async () => {
    await members.call(3, 'POST', PASSWORDS, password('kept', 'k'));
    const pids = await Promise.all([1, 2, 3].map((n) => members.pid(n, 1)));
    const urls = members.urls;
    await members.end('SIGKILL');
    await until(
      async () => pids.filter((pid) => existsSync(`/proc/${pid}/stat`)),
      (left) => left.length === 0,
    );
    for (const url of urls)
      await call(url, 'GET', '/services').then(
        () => assert.fail('it still answers'),
        () => {},
      );
    await members.start();
    await hasSecret(2, 'kept', 'k');
    assert.strictEqual((await members.call(2, 'GET', `${KV}/race`)).status, 200);
    assert.include(readdirSync(join(members.home, 'members')), '3');
    assert.strictEqual(await members.end(), 0);
    // The only output is about the kills: no warning, no stack trace.
    const lines = members.stderr.split('\n').filter((line) => line !== '');
    assert.deepEqual(
      lines.filter((line) => !/^Member \d ended by SIGKILL; restarting in \d+ ms\.$/.test(line)),
      [],
    );
  });
});

import { rmSync } from 'node:fs';
import { assert } from 'chai';
import {
  ADMIN_PASSWORD,
  type CallOptions,
  type Reply,
  startFixture,
  startTestPlatform,
  type TestPlatform,
  temporaryFolder,
} from '../support/platform.ts';

const USERS = '/services/authentication/users';
const ROLES = '/services/authorization/roles';

describe('embedded users and roles', () => {
  let platform: TestPlatform;
  let stop: () => Promise<void>;

  before(async () => {
    ({ platform, stop } = await startFixture());
    await call('POST', USERS, { form: { name: 'alice', password: 'alice-secret', roles: 'fixture_user' } });
  });
  after(() => stop());

  const call = (method: string, path: string, options?: CallOptions): Promise<Reply> =>
    platform.call(method, `${path}${path.includes('?') ? '&' : '?'}output_mode=json`, options);
  const alice = { as: 'alice:alice-secret' };
  const text = (reply: Reply): string => reply.json.messages[0].text;

  it('merge the roles and capabilities of the apps into the built-in ones', async () => {
    const role = (await call('GET', `${ROLES}/fixture_user`)).json.entry[0].content;
    assert.deepEqual(role.imported_roles, ['user']);
    assert.deepEqual(role.capabilities, ['run_fixture']);
    assert.include(role.imported_capabilities, 'search');
    assert.strictEqual(role.srchJobsQuota, 3);
    const names = (await call('GET', `${ROLES}?count=0`)).json.entry.map((entry: { name: string }) => entry.name);
    assert.includeMembers(names, ['admin', 'power', 'user', 'can_delete', 'splunk-system-role', 'fixture_user']);
    const all = (await call('GET', '/services/authorization/capabilities')).json.entry[0];
    assert.strictEqual(all.name, 'capabilities');
    assert.includeMembers(all.content.capabilities, ['run_fixture', 'admin_all_objects', 'run_custom_command']);
    const context = (await call('GET', '/services/authentication/current-context', alice)).json.entry[0].content;
    assert.include(context.capabilities, 'run_custom_command');
    assert.notInclude(context.capabilities, 'admin_all_objects');
  });

  it('create, change and remove a user', async () => {
    const form = {
      name: 'Bob',
      password: 'bob-secret',
      roles: ['power', 'user'],
      realname: 'Bob <B>',
      email: 'b@x.example',
    };
    const made = await call('POST', USERS, { form });
    assert.strictEqual(made.status, 201);
    assert.strictEqual(made.json.entry[0].name, 'bob');
    assert.deepEqual(made.json.entry[0].content.roles, ['power', 'user']);
    assert.notInclude(made.text, 'bob-secret');
    const again = await call('POST', USERS, { form });
    assert.strictEqual(again.status, 409);
    const changed = await call('POST', `${USERS}/bob`, { form: { realname: 'Robert', roles: 'user', tz: 'UTC' } });
    assert.include(changed.json.entry[0].content, { realname: 'Robert', email: 'b@x.example', tz: 'UTC' });
    const single = await call('GET', `${USERS}/bob`);
    assert.hasAllKeys(single.json.entry[0].fields, ['required', 'optional', 'wildcard']);
    for (const path of ['authentication/users/admin', 'authorization/roles/user', 'apps/local/search']) {
      const { fields, content } = (await platform.call('GET', `/services/${path}?output_mode=json`)).json.entry[0];
      // The public Python client looks every required field up in the content.
      for (const name of fields.required) assert.property(content, name, path);
      assert.notInclude(fields.optional, 'name', path);
      assert.deepEqual(content['eai:attributes'].requiredFields, fields.required);
    }
    const picked = async (path: string) =>
      (await platform.call('GET', `/services/${path}?output_mode=json&f=roles&f=real*`)).json.entry[0].content;
    const fields = ['roles', 'realname', 'eai:acl'];
    assert.hasAllKeys(await picked('authentication/users'), fields);
    assert.hasAllKeys(await picked('authentication/users/admin'), [...fields, 'eai:attributes']);
    assert.property(single.json.entry[0].content, 'eai:attributes');
    assert.strictEqual((await call('DELETE', `${USERS}/bob`)).status, 200);
    assert.strictEqual((await call('GET', `${USERS}/bob`)).status, 404);
    assert.strictEqual((await call('GET', USERS, { as: 'bob:bob-secret' })).status, 401);
    assert.strictEqual((await call('DELETE', `${USERS}/bob`)).status, 400);
  });

  it('name the bad argument', async () => {
    const good = { name: 'carol', password: 'carol-secret', roles: 'user' };
    const cases: [Record<string, string>, RegExp][] = [
      [{ ...good, password: 'short' }, /Password did not meet complexity requirements/],
      [{ name: 'carol', roles: 'user' }, /password/],
      [{ name: 'carol', password: 'carol-secret' }, /roles/],
      [{ ...good, roles: 'nosuch' }, /"roles".*nosuch/],
      [{ ...good, roles: 'constructor' }, /"roles".*constructor/],
      [{ ...good, colour: 'red' }, /"colour" is not supported/],
      [{ ...good, name: 'nobody' }, /reserved/],
      [{ ...good, name: 'a b' }, /"name"/],
      [{ ...good, name: 'a/b' }, /"name"/],
      [{ ...good, name: '' }, /Cannot perform action "POST" without a target name/],
    ];
    for (const [form, pattern] of cases) {
      const reply = await call('POST', USERS, { form });
      assert.strictEqual(reply.status, 400, JSON.stringify(form));
      assert.match(text(reply), pattern);
      assert.notInclude(reply.text, 'carol-secret');
    }
    assert.match(text(await call('DELETE', USERS)), /Cannot perform action "DELETE" without a target name to act on\./);
    assert.match(text(await call('DELETE', `${USERS}/admin`)), /cannot remove the user you are logged in as/);
  });

  it('demand capabilities', async () => {
    const refused: [string, string, Record<string, string> | undefined, string][] = [
      ['GET', USERS, undefined, 'edit_user OR list_all_users'],
      ['GET', `${USERS}/admin`, undefined, 'edit_user OR list_all_users'],
      ['POST', USERS, { name: 'x', password: 'long-enough', roles: 'admin' }, 'edit_user'],
      ['POST', `${USERS}/alice`, { roles: 'admin' }, 'edit_user'],
      ['DELETE', `${USERS}/alice`, undefined, 'edit_user'],
      ['POST', ROLES, { name: 'x' }, 'edit_roles'],
      ['POST', `${ROLES}/user`, { capabilities: 'admin_all_objects' }, 'edit_roles'],
      ['POST', '/services/authorization/tokens', { name: 'admin', audience: 'x' }, 'edit_tokens_all'],
      ['POST', '/services/apps/local', { name: 'x' }, 'edit_local_apps OR admin_all_objects'],
    ];
    for (const [method, path, form, capability] of refused) {
      const reply = await call(method, path, { ...alice, ...(form ? { form } : {}) });
      assert.strictEqual(reply.status, 403, `${method} ${path}`);
      assert.strictEqual(
        text(reply),
        `You (user=alice) do not have permission to perform this operation (requires capability: ${capability}).`,
      );
    }
    assert.strictEqual((await call('GET', `${USERS}/alice`, alice)).status, 200);
  });

  it('let users change their own password with the old one, which ends other sessions', async () => {
    await call('POST', USERS, { form: { name: 'dave', password: 'dave-secret', roles: 'user' } });
    const login = { as: null, form: { username: 'dave', password: 'dave-secret', output_mode: 'json' } };
    const key = (await platform.call('POST', '/services/auth/login', login)).json.sessionKey;
    const as = { as: 'dave:dave-secret' };
    assert.match(
      text(await call('POST', `${USERS}/dave`, { ...as, form: { password: 'dave-second' } })),
      /oldpassword/,
    );
    const wrong = await call('POST', `${USERS}/dave`, { ...as, form: { password: 'dave-second', oldpassword: 'x' } });
    assert.match(text(wrong), /oldpassword/);
    const done = await call('POST', `${USERS}/dave`, {
      ...as,
      form: { password: 'dave-second', oldpassword: 'dave-secret' },
    });
    assert.strictEqual(done.status, 200);
    assert.strictEqual((await call('GET', `${USERS}/dave`, as)).status, 401);
    assert.strictEqual((await call('GET', `${USERS}/dave`, { as: 'dave:dave-second' })).status, 200);
    const old = { as: null, headers: { Authorization: `Splunk ${key}` } };
    assert.strictEqual((await call('GET', `${USERS}/dave`, old)).status, 401);
  });

  it('create, change and remove a role', async () => {
    const form = {
      name: 'auditor',
      imported_roles: 'user',
      capabilities: ['list_all_users', 'run_fixture'],
      srchJobsQuota: '7',
    };
    const made = await call('POST', ROLES, { form });
    assert.strictEqual(made.status, 201);
    assert.strictEqual(made.json.entry[0].content.srchJobsQuota, 7);
    assert.strictEqual((await call('POST', ROLES, { form })).status, 409);
    await call('POST', `${USERS}/alice`, { form: { roles: 'auditor' } });
    assert.strictEqual((await call('GET', USERS, alice)).status, 200);
    await call('POST', `${ROLES}/auditor`, { form: { capabilities: 'run_fixture' } });
    assert.strictEqual((await call('GET', USERS, alice)).status, 403);
    assert.match(text(await call('DELETE', `${ROLES}/auditor`)), /in use by the user "alice"/);
    await call('POST', `${USERS}/alice`, { form: { roles: 'fixture_user' } });
    assert.strictEqual((await call('DELETE', `${ROLES}/auditor`)).status, 200);
    assert.strictEqual((await call('GET', `${ROLES}/auditor`)).status, 404);
    for (const [bad, pattern] of [
      [{ name: 'Upper' }, /role name/],
      [{ name: 'r', capabilities: 'no_such_capability' }, /no_such_capability/],
      [{ name: 'r', imported_roles: 'nosuch' }, /nosuch/],
      [{ name: 'r', srchJobsQuota: 'many' }, /srchJobsQuota/],
    ] as [Record<string, string>, RegExp][]) {
      const reply = await call('POST', ROLES, { form: bad });
      assert.strictEqual(reply.status, 400, JSON.stringify(bad));
      assert.match(text(reply), pattern);
    }
    assert.strictEqual((await call('DELETE', `${ROLES}/admin`)).status, 400);
  });

  it('keep users, roles and changes of built-in roles over a restart', async () => {
    const home = temporaryFolder();
    let restarted = await startTestPlatform({ home });
    await restarted.call('POST', USERS, { form: { name: 'erin', password: 'erin-secret', roles: 'power' } });
    await restarted.call('POST', ROLES, { form: { name: 'extra', capabilities: 'list_all_users' } });
    await restarted.call('POST', `${ROLES}/user`, { form: { capabilities: ['search', 'list_health'] } });
    const login = { as: null, form: { username: 'erin', password: 'erin-secret', output_mode: 'json' } };
    const key = (await restarted.call('POST', '/services/auth/login', login)).json.sessionKey;
    await restarted.close();
    restarted = await startTestPlatform({ home, adminPassword: ADMIN_PASSWORD });
    const role = (await restarted.call('GET', `${ROLES}/user?output_mode=json`)).json.entry[0].content;
    assert.deepEqual(role.capabilities, ['list_health', 'search']);
    assert.strictEqual((await restarted.call('GET', `${ROLES}/extra`)).status, 200);
    const who = { as: null, headers: { Authorization: `Splunk ${key}` } };
    const context = await restarted.call('GET', '/services/authentication/current-context?output_mode=json', who);
    assert.strictEqual(context.json.entry[0].content.username, 'erin');
    await restarted.close();
    rmSync(home, { recursive: true });
  });
});

import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from 'chai';
import {
  type CallOptions,
  type Reply,
  startTestPlatform,
  type TestPlatform,
  temporaryFolder,
} from './support/platform.ts';

const GUESTBOOK = join(import.meta.dirname, 'fixtures', 'guestbook');
const NS = '/servicesNS/nobody/guestbook';
const GUEST = { as: 'ada:ada-of-tests' };

/** An app that has nothing to do with the one this project ships. */
describe('a foreign app', () => {
  let home: string;
  let platform: TestPlatform;

  const start = async (): Promise<void> => {
    platform = await startTestPlatform({ home, app: GUESTBOOK });
  };
  const call = (method: string, path: string, options?: CallOptions): Promise<Reply> =>
    platform.call(method, `${path}?output_mode=json`, options);
  const sign = (town: string, nights: number, options: CallOptions): Promise<Reply> =>
    call('POST', `${NS}/guestbook`, { ...options, body: JSON.stringify({ town, nights }) });

  before(async () => {
    home = temporaryFolder();
    await start();
    for (const [name, roles] of [
      ['ada', 'guest'],
      ['bob', 'user'],
    ] as const) {
      const form = { name, password: `${name}-of-tests`, roles };
      assert.strictEqual((await call('POST', '/services/authentication/users', { form })).status, 201);
    }
    const form = { realm: 'house', name: 'seal', password: 'a lion and a key' };
    assert.strictEqual((await call('POST', `${NS}/storage/passwords`, { form })).status, 201);
  });
  after(async () => {
    await platform.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('is listed under its own name and version', async () => {
    const { json } = await call('GET', '/services/apps/local/guestbook');
    assert.include(json.entry[0].content, { label: 'Guest book', version: '2.1.0' });
  });

  it('serves its endpoint to callers with its own capability', async () => {
    assert.strictEqual((await sign('Bergen', 3, GUEST)).status, 201);
    assert.strictEqual((await sign('Ghent', 1, GUEST)).status, 201);
    assert.strictEqual((await sign('Bergen', 2, GUEST)).status, 201);
    assert.strictEqual((await sign('Ghent', 9, { as: 'bob:bob-of-tests' })).status, 403);
    assert.strictEqual((await sign('Ghent', 9, { as: null })).status, 401);
  });

  it('reads its collection as the caller and its password as the system', async () => {
    const { status, json } = await call('GET', `${NS}/guestbook`, { as: 'bob:bob-of-tests' });
    assert.strictEqual(status, 200);
    const visits = json.visits.map(({ town, nights, guest }: Record<string, unknown>) => [town, nights, guest]);
    assert.deepEqual(visits, [
      ['Bergen', 3, 'ada'],
      ['Bergen', 2, 'ada'],
      ['Ghent', 1, 'ada'],
    ]);
    assert.strictEqual(json.seal, createHash('sha256').update('a lion and a key').digest('hex'));
  });

  it('has its collection, with typed fields and an access rule', async () => {
    const data = `${NS}/storage/collections/data/visits`;
    const body = JSON.stringify({ town: 'Ghent', nights: '4' });
    const made = await call('POST', data, { ...GUEST, body, headers: { 'Content-Type': 'application/json' } });
    assert.strictEqual(made.status, 201, made.text);
    assert.strictEqual((await call('GET', `${data}/${made.json._key}`)).json.nights, 4);
    const refused = { as: 'bob:bob-of-tests', body, headers: { 'Content-Type': 'application/json' } };
    assert.strictEqual((await call('POST', data, refused)).status, 403);
    assert.strictEqual((await call('DELETE', `${data}/${made.json._key}`, GUEST)).status, 200);
  });

  it('has its passwords, visible only with the capability', async () => {
    const entry = `${NS}/storage/passwords/house%3Aseal%3A`;
    assert.strictEqual((await call('GET', entry)).json.entry[0].content.clear_password, 'a lion and a key');
    assert.strictEqual((await call('GET', entry, GUEST)).status, 403);
  });

  it('has its own lookup and those that users add', async () => {
    const lookups = `${NS}/data/lookup-table-files`;
    const staged = join(home, 'var/run/splunk/lookup_tmp/rooms.csv');
    writeFileSync(staged, 'room,beds\n1,2\n');
    const made = await call('POST', lookups, { form: { name: 'rooms.csv', 'eai:data': staged } });
    assert.strictEqual(made.status, 201, made.text);
    const { json } = await call('GET', lookups);
    const names = json.entry.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['rooms.csv', 'towns.csv']);
  });

  it('runs its search command', async () => {
    const form = { search: '| nights | search town=Bergen', exec_mode: 'oneshot' };
    const { status, json, text } = await call('POST', `${NS}/search/jobs`, { ...GUEST, form });
    assert.strictEqual(status, 200, text);
    assert.deepEqual(json.messages, []);
    assert.deepEqual(json.results, [{ town: 'Bergen', nights: '5' }]);
  });

  it('keeps everything over a restart', async () => {
    await platform.close();
    await start();
    const { json } = await call('GET', `${NS}/guestbook`, GUEST);
    assert.lengthOf(json.visits, 3);
    assert.lengthOf((await call('GET', `${NS}/data/lookup-table-files`)).json.entry, 2);
  });
});

import { assert } from 'chai';
import { startFixture, type TestPlatform, writeFiles } from '../support/platform.ts';

const FAULTS = '/services/embedded/faults';
const KV = '/servicesNS/nobody/search/storage/collections/data/things';
const PASSWORDS = '/servicesNS/nobody/search/storage/passwords';

for (const tls of [false, true]) {
  describe(`fault switch${tls ? ' over TLS' : ''}`, () => {
    let platform: TestPlatform;
    let stop: () => Promise<void>;
    before(async () => {
      ({ platform, stop } = await startFixture({ tls }));
      writeFiles(`${platform.home}/etc/apps/search`, { 'default/collections.conf': '[things]\n' });
    });
    after(() => stop());
    afterEach(() => set({ kvstore: 'ok', passwords: 'ok' }));

    const set = (form: Record<string, string>) => platform.call('POST', FAULTS, { form });
    const insert = (key: string) => platform.call('POST', KV, { body: JSON.stringify({ _key: key }) });
    const there = async (key: string) => (await platform.call('GET', `${KV}/${key}`)).status;
    const broken = (call: Promise<{ status: number }>): Promise<string> =>
      call.then(
        ({ status }) => `answered ${status}`,
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );

    it('shows the current faults to administrators, and names unknown ones', async () => {
      assert.deepEqual((await set({ kvstore: 'reset:30', passwords: 'slow:5' })).json, {
        kvstore: 'reset:30',
        passwords: 'slow:5',
      });
      assert.deepEqual((await platform.call('GET', FAULTS)).json, { kvstore: 'reset:30', passwords: 'slow:5' });
      for (const wrong of ['reset', 'reset:101', 'reset:-1', 'reset_after:x', 'slow', 'slow:700000', 'broken', '']) {
        const reply = await set({ kvstore: wrong });
        assert.strictEqual(reply.status, 400, wrong);
        assert.include(reply.text, 'kvstore');
      }
      assert.strictEqual((await platform.call('GET', FAULTS)).json.kvstore, 'reset:30');
      await set({ kvstore: 'down' });
      const info = (await platform.call('GET', '/services/server/info?output_mode=json')).json.entry[0].content;
      assert.strictEqual(info.kvStoreStatus, 'starting');
      const form = { name: 'mallory', password: 'mallory-secret', roles: 'power' };
      await platform.call('POST', '/services/authentication/users', { form });
      assert.strictEqual((await platform.call('GET', FAULTS, { as: 'mallory:mallory-secret' })).status, 403);
    });

    it('shows a KV store that is disabled or starting, in its answers and its status', async () => {
      const content = async (path: string) =>
        (await platform.call('GET', `/services/${path}?output_mode=json`)).json.entry[0].content;
      for (const [mode, status, text] of [
        ['disabled', 500, 'Unsupported Operation - KVStore disabled on instance'],
        ['starting', 503, 'KV Store is initializing. Please try again later.'],
      ] as const) {
        assert.deepEqual((await set({ kvstore: mode })).json, { kvstore: mode, passwords: 'ok' });
        assert.strictEqual((await platform.call('GET', FAULTS)).json.kvstore, mode);
        const reply = await platform.call('GET', `${KV}?output_mode=json`);
        assert.strictEqual(reply.status, status);
        assert.deepEqual(reply.json, { messages: [{ type: 'ERROR', text }] });
        const { current } = await content('kvstore/status');
        assert.deepInclude(current, { status: mode, disabled: mode === 'disabled' });
        assert.strictEqual((await content('server/info')).kvStoreStatus, mode);
        assert.strictEqual((await content('server/settings')).kvStoreDisabled, mode === 'disabled');
        const wrong = await set({ passwords: mode });
        assert.strictEqual(wrong.status, 400);
        assert.include(wrong.text, 'passwords');
        assert.notInclude(wrong.text, 'disabled');
      }
      await set({ kvstore: 'ok' });
      assert.deepInclude((await content('kvstore/status')).current, { status: 'ready', disabled: false });
    });

    it('resets connections before the work', async () => {
      await set({ kvstore: 'reset:100' });
      assert.strictEqual(await broken(insert('before')), 'ECONNRESET');
      assert.strictEqual(await broken(platform.call('GET', KV)), 'ECONNRESET');
      // The other store is not affected.
      assert.strictEqual((await platform.call('GET', PASSWORDS)).status, 200);
      await set({ kvstore: 'ok' });
      assert.strictEqual(await there('before'), 404);
    });

    it('resets connections after the work, whether refused or done', async () => {
      await set({ kvstore: 'reset_after:100', passwords: 'reset_after:100' });
      assert.strictEqual(await broken(insert('after')), 'ECONNRESET');
      assert.strictEqual(await broken(insert('after')), 'ECONNRESET');
      const form = { name: 'n', realm: 'r', password: 'p' };
      assert.strictEqual(await broken(platform.call('POST', PASSWORDS, { form })), 'ECONNRESET');
      await set({ kvstore: 'ok', passwords: 'ok' });
      assert.strictEqual(await there('after'), 200);
      assert.strictEqual((await platform.call('GET', `${PASSWORDS}/r%3An%3A`)).status, 200);
    });

    it('resets a percentage of the calls', async () => {
      await set({ kvstore: 'reset:50' });
      const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => broken(insert(`share-${index}`))));
      const lost = outcomes.filter((answer) => answer === 'ECONNRESET').length;
      assert.isAbove(lost, 20);
      assert.isBelow(lost, 80);
      assert.strictEqual(outcomes.filter((answer) => answer === 'answered 201').length, 100 - lost);
      await set({ kvstore: 'reset:0' });
      assert.strictEqual((await insert('never')).status, 201);
    });
  });
}

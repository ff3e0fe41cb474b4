import { rmSync } from 'node:fs';
import { assert } from 'chai';
import { startTestPlatform, type TestPlatform, temporaryFolder, writeFiles } from '../support/platform.ts';

describe('embedded saved searches', () => {
  const home = temporaryFolder();
  let platform: TestPlatform;
  before(async () => {
    writeFiles(home, {
      'etc/apps/watch/default/savedsearches.conf':
        '[default]\ndispatch.latest_time = now\n\n[Nightly look]\nsearch = | makeresults\ndisabled = 1\nenableSched = 1\ncron_schedule = 0 3 * * *\n\n[By hand]\nsearch = | makeresults count=2\n',
    });
    platform = await startTestPlatform({ home });
  });
  after(async () => {
    await platform.close();
    rmSync(home, { recursive: true, force: true });
  });
  const get = async (path: string) =>
    (await platform.call('GET', `/servicesNS/nobody/watch/saved/searches${path}?output_mode=json`)).json;

  it("are listed with the app's settings", async () => {
    const { entry } = await get('');
    assert.deepEqual(
      entry.map(({ name }: { name: string }) => name),
      ['By hand', 'Nightly look'],
    );
  });

  it('are read one by one, with the defaults of the file', async () => {
    const [{ content, acl }] = (await get('/Nightly%20look')).entry;
    assert.include(content, {
      search: '| makeresults',
      disabled: true,
      is_scheduled: true,
      cron_schedule: '0 3 * * *',
      'dispatch.latest_time': 'now',
    });
    assert.include(acl, { app: 'watch', sharing: 'app' });
    assert.equal((await get('/By%20hand')).entry[0].content.is_scheduled, false);
    const missing = await platform.call('GET', '/servicesNS/nobody/watch/saved/searches/none');
    assert.equal(missing.status, 404);
  });
});

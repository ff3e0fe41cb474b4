import { assert } from 'chai';
import { TestMembers } from '../support/members.ts';
import { until } from '../support/patience.ts';
import { Browser } from '../support/web.ts';

const CONTEXT = '/services/authentication/current-context?output_mode=json';

describe('the web side of a cluster', () => {
  const members = new TestMembers({ ML_WEB_PORT: '0' });

  before(() => members.start());
  after(() => members.dispose());

  it('is served by the first member, at the same port after it was killed', async () => {
    const lines = members.stdout.split('\n').map((line) => line.split(' ')[0]);
    assert.deepEqual(lines, ['web', 'member', 'member', 'ready', '']);
    const browser = new Browser(/^web (\S+)$/m.exec(members.stdout)?.[1] ?? '');
    await browser.login();
    assert.strictEqual((await browser.raw('GET', CONTEXT)).status, 200);
    const settings = async (member: number) =>
      (await members.call(member, 'GET', '/services/server/settings?output_mode=json')).json.entry[0].content;
    assert.include(await settings(1), { startwebserver: true, httpport: browser.port });
    assert.include(await settings(2), { startwebserver: false });
    await members.signal(2, 'SIGKILL');
    assert.strictEqual((await browser.raw('GET', CONTEXT)).status, 200);
    await until(
      () => members.call(2, 'GET', CONTEXT).catch(() => undefined),
      (reply) => reply?.status === 200,
      20_000,
    );
    await members.signal(1, 'SIGKILL');
    const again = await until(
      () => browser.raw('GET', CONTEXT).catch(() => undefined),
      (reply) => reply?.status === 200,
      20_000,
    );
    assert.strictEqual(again?.json.entry[0].content.username, 'admin');
  });
});

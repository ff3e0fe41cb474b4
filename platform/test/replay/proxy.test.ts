import { expect } from 'chai';
import { isExposed } from '../../src/web/expose.ts';
import { startFixture, type TestPlatform, writeFiles } from '../support/platform.ts';
import { Browser } from '../support/web.ts';
import { recordedFacts } from './recorded.ts';

interface Rule {
  about: string;
  client?: string;
  splunkd_receives?: string;
  driver_path_info?: string;
}

const { rules } = recordedFacts<{ rules: Rule[] }>('proxy.json');
const { patterns } = recordedFacts<{ patterns: Record<string, string> }>('webExpose.json');

describe('embedded platform: published facts of the proxy of Splunk Web', () => {
  let platform: TestPlatform;
  let stop: () => Promise<void>;
  let browser: Browser;
  before(async () => {
    ({ platform, stop } = await startFixture({ web: { port: 0 } }));
    const webConf = '[expose:echo]\npattern = echo/**\nmethods = GET,POST,PUT,DELETE\n';
    writeFiles(`${platform.home}/etc/apps/fixture`, { 'default/web.conf': webConf });
    browser = new Browser(platform.web?.url ?? '');
    await browser.login();
  });
  after(() => stop());

  it('quotes the path again', async () => {
    const rule = rules.find(({ splunkd_receives }) => splunkd_receives !== undefined);
    const path = rule?.client?.replace('/ml/', '/echo/') ?? '';
    const { status, json } = await browser.get(path);
    expect([status, json.path_info]).to.deep.equal([200, rule?.driver_path_info]);
  });

  it('keeps its own arguments to itself', async () => {
    const { json } = await browser.get('/en-US/splunkd/__raw/services/echo/x?a=1&_=17&oid=2');
    expect(json.query).to.deep.equal([['a', '1']]);
  });

  it('exposes what Splunk Web does, of what there is', () => {
    for (const [pattern, methods] of Object.entries(patterns)) {
      const path = pattern.replaceAll('**', 'a/b').replaceAll('*', 'a').split('/');
      for (const method of methods.split(','))
        expect(isExposed([], method, path), `${method} ${pattern}`).to.equal(true);
      expect(isExposed([], 'PUT', path), `PUT ${pattern}`).to.equal(false);
    }
    for (const path of ['search/v2/jobs', 'kvstore/status', 'storage/passwords/a/b', 'configs/conf-x/a/b', 'echo'])
      expect(isExposed([], 'GET', path.split('/')), path).to.equal(false);
  });
});

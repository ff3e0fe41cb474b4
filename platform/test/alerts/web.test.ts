import { expect } from 'chai';
import { Alerting, PASSWORD } from '../support/alerting.ts';
import { Browser } from '../support/web.ts';

const SAVED = '/servicesNS/-/-/saved/searches';

describe('embedded platform: alerts through Splunk Web', () => {
  const alerting = new Alerting({ web: { port: 0 } });
  const page = async (user: string): Promise<Browser> => {
    const browser = new Browser(alerting.platform.web?.url ?? '');
    await browser.login(user, PASSWORD);
    return browser;
  };

  it('are listed, made, dispatched and removed', async () => {
    const browser = await page('ann');
    const form = { name: 'seen', search: '| makeresults', actions: 'note', 'action.note.param.agent': 'helper' };
    const own = '/servicesNS/ann/acting/saved/searches';
    expect((await browser.raw('POST', own, { form })).status).to.equal(201);
    const list = await browser.raw('GET', `${SAVED}?output_mode=json&count=0&search=actions%3Dnote`);
    const [{ name, content, acl }] = list.json.entry;
    expect({ name, app: acl.app, owner: acl.owner }).to.deep.equal({ name: 'seen', app: 'acting', owner: 'ann' });
    expect(content).to.include({ actions: 'note', 'action.note.param.agent': 'helper' });
    const run = await browser.raw('POST', `${own}/seen/dispatch?output_mode=json`, { form: { trigger_actions: '1' } });
    expect(run.status, run.text).to.equal(201);
    const [{ json } = { json: undefined }] = await alerting.awaited(1);
    expect(json.sid).to.equal(run.json.sid);
    expect(json.results_link).to.equal(
      `${alerting.platform.web?.url.replace(/\/$/, '')}/app/acting/@go?sid=${run.json.sid}`,
    );
    expect((await browser.raw('DELETE', `${own}/seen`)).status).to.equal(200);
  });

  it('have actions that are listed, and changed nowhere', async () => {
    const browser = await page('bob');
    const list = await browser.raw('GET', '/servicesNS/-/acting/alerts/alert_actions?output_mode=json&count=0');
    const names = list.json.entry.map(({ name }: { name: string }) => name);
    expect(names).to.include.members(['note', 'xml']).and.not.include('secret');
    const note = await browser.raw('GET', '/servicesNS/-/acting/alerts/alert_actions/note?output_mode=json');
    expect(note.json.entry[0].content).to.include({ label: 'Note', maxtime: '5m', payload_format: 'json' });
    const change = await browser.raw('POST', '/servicesNS/-/acting/alerts/alert_actions/note', {
      form: { label: 'x' },
    });
    expect(change.status).to.equal(405);
  });

  it('have a scheduler that pages do not reach', async () => {
    const browser = new Browser(alerting.platform.web?.url ?? '');
    await browser.login();
    expect((await browser.raw('POST', '/services/embedded/scheduler')).status).to.equal(404);
  });
});

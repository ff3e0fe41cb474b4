import { join } from 'node:path';
import { expect } from 'chai';
import { Alerting, recordsOf } from '../support/alerting.ts';
import { messagesOf } from '../support/searchJobs.ts';

const JOBS = '/servicesNS/bob/acting/search/jobs';
const TWO = '| makeresults count=2 | streamstats count as n | table n';

describe('embedded platform: sendalert', () => {
  const alerting = new Alerting();
  const { post } = alerting;
  const oneshot = (search: string, user = 'bob') =>
    post(JOBS.replace('bob', user), { search, exec_mode: 'oneshot', count: '0' }, user);

  it('runs an action over the rows, which go on', async () => {
    const reply = await oneshot(
      `${TWO} | sendalert note param.agent="other one" param.n="$result.n$" | eval after=n+1`,
    );
    expect(reply.json.results).to.deep.equal([
      { n: '1', after: '2' },
      { n: '2', after: '3' },
    ]);
    const [{ json, args } = { json: undefined, args: '' }, ...others] = alerting.payloads();
    expect(others).to.deep.equal([]);
    expect(args).to.equal('--execute');
    expect(json).to.include({ app: 'acting', owner: 'bob', search_name: '', search_uri: '' });
    expect(json.sid).to.match(/^\d+\.\d+$/);
    expect(json.results_file).to.match(new RegExp(`/dispatch/${json.sid}/sendalert_temp_results\\.csv\\.gz$`));
    expect(json.configuration).to.deep.equal({ from_default: 'd', agent: 'other one', text: ' of ', n: '1' });
    expect(json.result).to.deep.equal({ n: '1' });
    expect(json).to.not.have.property('result_id');
    await alerting.logged('Invoking modular alert action=note for search=""', 'owner="bob" type="adhoc"');
  });

  it('gives the rows of a job that stays', async () => {
    const { json } = await post(
      JOBS,
      { search: `${TWO} | sendalert note results_link="https://x/y"`, exec_mode: 'blocking' },
      'bob',
    );
    const [first] = alerting.payloads();
    expect(first?.json).to.include({ sid: json.sid, results_link: 'https://x/y' });
    expect(
      recordsOf(join(alerting.home, 'var/run/splunk/dispatch', json.sid, 'sendalert_temp_results.csv.gz')),
    ).to.deep.equal([
      ['n', '__mv_n'],
      ['1', ''],
      ['2', ''],
    ]);
  });

  it('runs once where there are no rows', async () => {
    await oneshot('| makeresults | where false() | sendalert note');
    expect(alerting.payloads().map(({ json }) => json.result)).to.deep.equal([{}]);
  });

  it('fails the search where the action fails', async () => {
    const words = async (search: string) => messagesOf(await oneshot(search));
    expect(await words(`${TWO} | sendalert fails`)).to.equal(
      "FATAL Error in 'sendalert' command: Alert script returned error code 7.",
    );
    expect(await words(`${TWO} | sendalert nowhere`)).to.equal(
      `FATAL Error in 'sendalert' command: Alert action "nowhere" not found.`,
    );
    expect(await words(`${TWO} | sendalert missing`)).to.equal(
      `FATAL Error in 'sendalert' command: Alert action script for action "missing" not found.`,
    );
    expect(await words(`${TWO} | sendalert hangs`)).to.equal(
      "FATAL Error in 'sendalert' command: Alert script execution failed.",
    );
  });

  it('refuses wrong arguments', async () => {
    const words = async (search: string) => messagesOf(await oneshot(search));
    expect(await words(`${TWO} | sendalert`)).to.contain('You must specify an alert action.');
    expect(await words(`${TWO} | sendalert note other`)).to.contain("The argument 'other' is invalid.");
    expect(await words(`${TWO} | sendalert note results_path=x`)).to.contain(
      "does not support the option 'results_path'",
    );
    expect(alerting.payloads()).to.deep.equal([]);
  });

  it('needs the capability, which users have', async () => {
    const form = { name: 'plain', capabilities: ['search'] } as unknown as Record<string, string>;
    expect((await post('/services/authorization/roles', form, 'admin')).status).to.equal(201);
    const user = { name: 'eve', password: 'changed-it', roles: 'plain' };
    expect((await post('/services/authentication/users', user, 'admin')).status).to.equal(201);
    const reply = await oneshot(`${TWO} | sendalert note`, 'eve');
    expect(reply.status).to.equal(400);
    expect(messagesOf(reply)).to.contain("capability='run_sendalert' required to run this command='sendalert'");
    expect(alerting.payloads()).to.deep.equal([]);
  });

  it('is ended with its job', async () => {
    const { json } = await post(JOBS, { search: `${TWO} | sendalert stubborn` }, 'bob');
    await alerting.logged('Invoking modular alert action=stubborn', json.sid);
    expect((await alerting.remove(`/services/search/jobs/${json.sid}`, 'bob')).status).to.equal(200);
    await alerting.logged('action=stubborn - Execution of alert action script failed: a signal ended it');
  });
});

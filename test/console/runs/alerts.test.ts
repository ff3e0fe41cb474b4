import { expect } from 'chai';

interface Search {
  name: string;
  acl: { app: string; owner: string; sharing: string };
  content: object;
}
interface Alerts {
  alertsOf(agent: string, searches: readonly Search[]): object[];
}
interface Answers {
  answerSearch(run: { run_id: string; started_at: number }, place: { index: string; sourcetype: string }): string;
}
interface Urls {
  alertUrl(owner: string, app: string, name: string): string;
}

// The types of the pages are compiled separately.
const load = (name: string) => import(new URL(`../../../console/${name}.ts`, import.meta.url).href);
const { alertsOf } = (await load('views/agents/savedAlerts')) as Alerts;
const { answerSearch } = (await load('views/agents/runs/answerSearch')) as Answers;

const AGENT = 'action.ml_agent.param.agent';

function search(name: string, content: object = {}, acl: Partial<Search['acl']> = {}): Search {
  const settings = { actions: 'ml_agent', [AGENT]: 'triage', cron_schedule: '*/5 * * * *', is_scheduled: true };
  return {
    name,
    acl: { app: 'search', owner: 'anna', sharing: 'user', ...acl },
    content: { disabled: false, ...settings, ...content },
  };
}

describe('alerts that start an agent, in the console', () => {
  const names = (searches: Search[]) => alertsOf('triage', searches).map((alert) => (alert as Search).name);

  it('are those whose action is switched on and has its exact name, in the order of their names', () => {
    const searches = [
      search('Zero disks', { actions: 'email, ml_agent' }),
      search('Full disks'),
      search('No action', { actions: 'email' }),
      search('Another action', { actions: 'ml_agent_of_others' }),
      search('Another agent', { [AGENT]: 'triage2' }),
      search('No agent', { [AGENT]: undefined }),
      search('Nothing', { actions: undefined }),
    ];
    expect(names(searches)).to.deep.equal(['Full disks', 'Zero disks']);
    expect(names([])).to.deep.equal([]);
  });

  it('have their schedule and state, also where the platform writes booleans as numbers', () => {
    const asText = { is_scheduled: '1', disabled: '1' };
    expect(alertsOf('triage', [search('a', asText), search('b', { is_scheduled: '0', disabled: '0' })])).to.deep.equal([
      { name: 'a', app: 'search', owner: 'anna', cron: '*/5 * * * *', isDisabled: true },
      { name: 'b', app: 'search', owner: 'anna', cron: undefined, isDisabled: false },
    ]);
  });

  it('are found at nobody once they are shared', () => {
    const shared = [search('a', {}, { sharing: 'app' }), search('b', {}, { sharing: 'global' })];
    expect(alertsOf('triage', shared).map((alert) => (alert as { owner: string }).owner)).to.deep.equal([
      ...['nobody', 'nobody'],
    ]);
  });
});

describe('addresses of alerts and answers in the console', () => {
  const globals = globalThis as { window?: object };
  let alertUrl: Urls['alertUrl'];

  before(async () => {
    globals.window = { location: { pathname: '/en-GB/app/ml_extension/agents' } };
    ({ alertUrl } = (await load('views/agents/alertUrl')) as Urls);
  });
  after(() => {
    delete globals.window;
  });

  it('lead to the page of the alert, whose path the query has encoded once more', () => {
    expect(alertUrl('anna', 'search', 'Full disks')).to.equal(
      '/en-GB/app/search/alert?s=%2FservicesNS%2Fanna%2Fsearch%2Fsaved%2Fsearches%2FFull%2520disks',
    );
    const hostile = alertUrl('no&body', 'my app', 'a/b?c=#d "e" %41 <f>');
    expect(hostile).to.match(/^\/en-GB\/app\/my%20app\/alert\?s=[^&?#/"<> ]+$/);
    const path = new URL(hostile, 'http://localhost').searchParams.get('s') ?? '';
    expect(path.split('/').map(decodeURIComponent)).to.deep.equal([
      ...['', 'servicesNS', 'no&body', 'my app', 'saved', 'searches', 'a%2Fb?c=#d "e" %41 <f>'],
    ]);
  });

  it('search for one event, from the start of its run on', () => {
    const place = { index: 'summary', sourcetype: 'ml_extension:answer' };
    expect(answerSearch({ run_id: 'r1', started_at: 1_790_000_000.7 }, place)).to.equal(
      'index="summary" sourcetype="ml_extension:answer" run_id="r1" earliest=1790000000',
    );
    expect(answerSearch({ run_id: 'r1', started_at: 1 }, { ...place, sourcetype: 'a" OR "b' })).to.include(
      'sourcetype="a\\" OR \\"b"',
    );
  });
});

import type { Site } from './site.ts';

const INDEX = 'web';
/** The alert that starts the agent. */
export const ALERT = 'A service fails';
const FAILURES = 'demo:requests';

/** Requests of the last minutes: milliseconds that they took, and their status. */
const REQUESTS: readonly (readonly [service: string, host: string, status: number, ms: number])[] = [
  ['checkout', 'web-1', 200, 240],
  ['catalogue', 'web-2', 200, 35],
  ['checkout', 'web-1', 503, 9020],
  ['checkout', 'web-1', 503, 9011],
  ['catalogue', 'web-2', 200, 41],
  ['checkout', 'web-1', 503, 9034],
];

/** The search finds what fails now, and its action gives each service to the agent once a day. */
const alertOf = (agent: string) => ({
  search: `search index=${INDEX} sourcetype=${FAILURES} status>499 | stats count as errors max(ms) as slowest_ms by service host`,
  description: 'Services that answer with errors; starts the agent of the demo',
  ...{ 'dispatch.earliest_time': '-15m', 'dispatch.latest_time': 'now' },
  ...{ is_scheduled: '1', cron_schedule: '*/5 * * * *' },
  ...{ counttype: 'number of events', relation: 'greater than', quantity: '0', 'alert.digest_mode': '1' },
  ...{ actions: 'ml_agent', 'action.ml_agent': '1' },
  'action.ml_agent.param.agent': agent,
  'action.ml_agent.param.input':
    'The service {service} fails on {host}: {errors} errors in 15 minutes, the slowest after {slowest_ms} ms. Find out why, and restart it if that helps.',
  ...{ 'action.ml_agent.param.key': '{service}', 'action.ml_agent.param.suppress': '1d' },
  'action.ml_agent.param.index': 'summary',
});

/** Sends the events of an outage, and makes the alert that finds it. */
export async function makeOutage(site: Site, agent: string): Promise<void> {
  await site.makeIndex(INDEX);
  for (const [service, host, status, ms] of REQUESTS) {
    await site.receive({ index: INDEX, host, sourcetype: FAILURES }, `service=${service} status=${status} ms=${ms}`);
  }
  await site.saveSearch(ALERT, alertOf(agent));
}

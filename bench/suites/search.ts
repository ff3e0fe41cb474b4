import { setTimeout as pause } from 'node:timers/promises';
import { gatewayPlatform, MOUNT } from '../../test/e2e/gateway/gatewayPlatform.ts';
import { expectStatus, type TestPlatform } from '../../test/support/e2e/platform.ts';
import type { Bench } from '../bench.ts';

const CALLS = 40;
/** The first calls of a process read macros, lookups and settings, which are kept for a while. */
const WARM_UP = 10;
const FIRST_POLL_MS = 20;
const LONGEST_POLL_MS = 2000;
/** As long as a small search of events takes: the job is done after the third or fourth poll. */
const SEARCH =
  '| makeresults count=50000 | streamstats count as n | eval host="web-".(n%20) | stats count avg(n) by host | sort host';
/** Done at the first poll. */
const SHORTEST = '| makeresults | eval a=1';

/** What a search of a tool takes beside the same search as a job that its caller dispatches, polls and reads. */
export async function search(bench: Bench): Promise<void> {
  const platform = await gatewayPlatform({ ML_TLS: '0' });
  try {
    const tool = { name: 'hosts', search: SEARCH };
    expectStatus(await platform.ml('anna', 'POST', '/search_tools', tool), 200, 'the tool');
    const rows = [
      ['search__spl', () => call(platform, 'spl', { search: SEARCH }), SEARCH, 1.2],
      ['a published search', () => call(platform, 'hosts', {}), SEARCH, 1.2],
      [
        'search__spl, a search that takes no time',
        () => call(platform, 'spl', { search: SHORTEST }),
        SHORTEST,
        undefined,
      ],
    ] as const;
    for (const [what, ours, text, aim] of rows) {
      const base = () => job(platform, text);
      for (let run = 0; run < WARM_UP; run += 1) {
        await ours();
        await base();
      }
      const comparison = { what, against: 'the same job, polled alike', ...(aim === undefined ? {} : { aim }) };
      await bench.times(comparison, CALLS, ours, base);
    }
  } finally {
    await platform.dispose();
  }
}

async function call(platform: TestPlatform, tool: string, args: object): Promise<void> {
  const reply = await platform.call('anna', 'POST', `${MOUNT}/search`, { tool, arguments: args });
  expectStatus(reply, 200, tool);
}

/** A job as the tools run theirs, with the same pauses. */
async function job(platform: TestPlatform, text: string): Promise<void> {
  const jobs = '/servicesNS/anna/search/search/jobs';
  const form = {
    ...{ search: text, exec_mode: 'normal', earliest_time: '-24h', latest_time: 'now', max_time: '60' },
    ...{ auto_cancel: '30', preview: '0', status_buckets: '0', label: 'bench' },
  };
  const started = await platform.admin('POST', jobs, form, 'anna');
  expectStatus(started, 201, 'a job');
  const { sid } = started.json;
  for (let wait = FIRST_POLL_MS; ; wait = Math.min(2 * wait, LONGEST_POLL_MS)) {
    await pause(wait);
    const { json } = await platform.admin('GET', `${jobs}/${sid}`, undefined, 'anna');
    if (json.entry[0].content.isDone === true) break;
  }
  const results = `/servicesNS/anna/search/search/v2/jobs/${sid}/results?count=200&offset=0`;
  expectStatus(await platform.admin('GET', results, undefined, 'anna'), 200, 'the results');
}

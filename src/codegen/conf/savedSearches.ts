import { EXPIRING_DAYS } from '../../contract/families/connectionHealth.ts';
import { RUN_SOURCETYPE } from '../../contract/families/runs.ts';
import { USAGE_INDEX } from '../../contract/families/usage.ts';
import { confFile, stanza } from './conf.ts';
import { USAGE_SEARCHES, usageEvents } from './usageSearches.ts';

/** Disabled by default; the site enables them and adds actions. */
const DISABLED = { disabled: '1', enableSched: '1', is_visible: '1' };

const ANY_ROW = { counttype: 'number of events', relation: 'greater than', quantity: '0', 'alert.track': '1' };

const ALERT = {
  ...DISABLED,
  'dispatch.earliest_time': '-1m',
  'dispatch.latest_time': 'now',
  ...ANY_ROW,
  'alert.digest_mode': '1',
};

/** One alert for each row, once: a row stays as long as its event is in the time range, and its repetitions are suppressed for as long. */
const ALERT_OF_RUNS = {
  ...DISABLED,
  'dispatch.earliest_time': '-24h',
  'dispatch.latest_time': 'now',
  ...ANY_ROW,
  'alert.digest_mode': '0',
  'alert.suppress': '1',
  'alert.suppress.period': '24h',
};

const RUN_EVENTS = `index=${USAGE_INDEX} sourcetype=${RUN_SOURCETYPE}`;

export function savedsearchesConf(): string {
  return confFile(
    stanza('ML connections that fail', {
      search: '| mlhealth check=true | where state="failing" OR state="reauth_required"',
      description:
        'Tests the saved connections of all families, and finds those that fail, and those that somebody has to sign in to again.',
      cron_schedule: '*/15 * * * *',
      'alert.severity': '4',
      ...ALERT,
    }),
    stanza(`ML credentials that expire within ${EXPIRING_DAYS} days`, {
      // Without an expiry the field is empty, which SPL compares as less than a number.
      search: `| mlhealth | where isnum(expires_in_days) AND expires_in_days <= ${EXPIRING_DAYS}`,
      description: `Finds tokens and certificates of connections that expire within ${EXPIRING_DAYS} days, or have expired. Tests nothing.`,
      cron_schedule: '7 6 * * *',
      'alert.severity': '3',
      ...ALERT,
    }),
    ...USAGE_SEARCHES.map(({ name, description, pipeline, cron, earliest, latest }) =>
      stanza(name, {
        search: `${usageEvents()} ${pipeline}`,
        description,
        cron_schedule: cron,
        ...DISABLED,
        'dispatch.earliest_time': earliest,
        'dispatch.latest_time': latest,
      }),
    ),
    stanza('ML runs that wait for approval', {
      // The last event of a run has its state.
      search: `${RUN_EVENTS} | sort 0 - time | dedup run_id | where state="waiting_for_approval" | rename "waiting{}.tool" AS tools time AS since | eval tools=mvjoin(tools, ", ") | table _time since run_id agent user tools`,
      description: 'Runs of agents that wait for a person, and the tools of the calls to decide about.',
      cron_schedule: '*/5 * * * *',
      'alert.severity': '3',
      ...ALERT_OF_RUNS,
      'alert.suppress.fields': 'run_id,since',
    }),
    stanza('ML runs that failed or hold unverified claims', {
      search: `${RUN_EVENTS} (state=failed OR unverified>0) | sort 0 - time | table _time run_id agent user state error_code unverified`,
      description:
        'Runs of agents that failed, and those whose answer has claims that the data of the run do not have.',
      cron_schedule: '*/15 * * * *',
      'alert.severity': '4',
      ...ALERT_OF_RUNS,
      'alert.suppress.fields': 'run_id',
    }),
  );
}

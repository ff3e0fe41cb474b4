import { EXPIRING_DAYS } from '../../contract/families/connectionHealth.ts';
import { confFile, stanza } from './conf.ts';
import { USAGE_SEARCHES, usageEvents } from './usageSearches.ts';

/** Disabled by default; the site enables them and adds actions. */
const DISABLED = { disabled: '1', enableSched: '1', is_visible: '1' };

const ALERT = {
  ...DISABLED,
  'dispatch.earliest_time': '-1m',
  'dispatch.latest_time': 'now',
  counttype: 'number of events',
  relation: 'greater than',
  quantity: '0',
  'alert.track': '1',
  'alert.digest_mode': '1',
};

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
  );
}

import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import { savedSearches } from '../../api/platform.ts';
import { useRead } from '../../api/queries.ts';
import { Stack } from '../../app/styles.ts';
import { alertUrl } from '../../app/url.ts';
import { DataTable } from '../../parts/table/DataTable.tsx';
import { StateBadge } from '../../parts/text/Badge.tsx';
import { ReadState } from '../../parts/work.tsx';
import { ALERT_FIELDS, ALERT_FILTER, alertsOf, type SavedAlert } from './savedAlerts.ts';

const HEADS = [{ label: 'Alert' }, { label: 'App' }, { label: 'Schedule' }, { label: 'State' }];

/** The alerts that start an agent; a read that fails leaves the rest of the panel as it is. */
export function AgentAlerts({ agent }: { agent: string }) {
  const read = useRead({
    queryKey: ['saved searches', 'alerts'],
    queryFn: ({ signal }) => savedSearches(ALERT_FILTER, ALERT_FIELDS, signal),
  });
  const alerts = read.data && alertsOf(agent, read.data);
  return (
    <section aria-label="Alerts">
      <Stack>
        <Heading level={3} style={{ margin: 0 }}>
          Alerts
        </Heading>
        <ReadState read={read} what="the alerts" />
        {alerts?.length === 0 && <small>No alert that you may see starts this agent.</small>}
        {alerts && alerts.length > 0 && (
          <DataTable
            label={`Alerts of ${agent}`}
            heads={HEADS}
            rows={alerts.map((alert) => ({ key: keyOf(alert), cells: cellsOf(alert) }))}
          />
        )}
      </Stack>
    </section>
  );
}

const keyOf = ({ owner, app, name }: SavedAlert): string => [owner, app, name].join('/');

const cellsOf = ({ owner, app, name, cron, isDisabled }: SavedAlert) => [
  <Link key="alert" to={alertUrl(owner, app, name)} openInNewContext>
    {name}
  </Link>,
  app,
  cron === undefined ? 'not scheduled' : <code key="cron">{cron}</code>,
  isDisabled ? (
    <StateBadge key="state" tone="outline">
      disabled
    </StateBadge>
  ) : (
    <StateBadge key="state" tone="success">
      enabled
    </StateBadge>
  ),
];

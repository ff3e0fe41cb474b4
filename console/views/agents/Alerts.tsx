import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import { read } from '../../api/platform.ts';
import { useRead } from '../../api/queries.ts';
import { Stack } from '../../app/styles.ts';
import { DataTable } from '../../parts/table/DataTable.tsx';
import { StateBadge } from '../../parts/text/Badge.tsx';
import { ReadState } from '../../parts/work.tsx';
import { alertUrl } from './alertUrl.ts';
import { ALERT_TERMS, alertsOf, type SavedAlert } from './savedAlerts.ts';

/** The namespace of all apps and users. */
const EVERYWHERE = 'servicesNS/-/-';

const HEADS = [{ label: 'Alert' }, { label: 'App' }, { label: 'Schedule' }, { label: 'State' }];

/** The alerts that start an agent; a read that fails leaves the rest of the panel as it is. */
export function AgentAlerts({ agent }: { agent: string }) {
  const alertsRead = useRead({
    queryKey: ['saved searches', 'alerts'],
    queryFn: ({ signal }) => read('saved/searches', signal, EVERYWHERE, `&${ALERT_TERMS}`),
  });
  const alerts = alertsRead.data && alertsOf(agent, alertsRead.data.entry);
  return (
    <section aria-label="Alerts">
      <Stack>
        <Heading level={3} style={{ margin: 0 }}>
          Alerts
        </Heading>
        <ReadState read={alertsRead} what="the alerts" />
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

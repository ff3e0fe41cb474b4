import Message from '@splunk/react-ui/Message';
import { keepPreviousData } from '@tanstack/react-query';
import { USAGE_INDEX } from '../../../../src/contract/families/usage.ts';
import { readSettings } from '../../../api/platform.ts';
import { useRead } from '../../../api/queries.ts';
import { useWho } from '../../../api/rights.ts';
import { Row, Stack } from '../../../app/styles.ts';
import { useUrl } from '../../../app/url.ts';
import { Action } from '../../../parts/Action.tsx';
import { Empty } from '../../../parts/table/States.tsx';
import { Code } from '../../../parts/text/Code.tsx';
import { formatCount } from '../../../parts/text/format.ts';
import { Time } from '../../../parts/text/Time.tsx';
import { ReadState } from '../../../parts/work.tsx';
import { askedIn } from './asked.ts';
import { ByGroup, OverTime } from './Charts.tsx';
import { Controls } from './Controls.tsx';
import { readReport } from './report.ts';
import { Totals } from './Totals.tsx';

const POLL_MS = 60_000;
const SEES_ALL = 'list_ml_usage';

export default function Uses() {
  const [url] = useUrl();
  const asked = askedIn(url);
  const { range, from, until, by, interval } = asked;
  const read = useRead({
    queryKey: ['usage', { range, from, until, by, interval }],
    queryFn: ({ signal }) => readReport(asked, Date.now() / 1000, signal),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
  const { data, dataUpdatedAt, isPlaceholderData, refetch } = read;
  const index = useIndex();
  return (
    <Stack>
      <Row>
        <Controls asked={asked} />
        <Row style={{ marginLeft: 'auto', justifyContent: 'flex-end' }}>
          {dataUpdatedAt > 0 && (
            <small>
              Updated <Time at={dataUpdatedAt / 1000} />
            </small>
          )}
          <Action label="Refresh" onClick={() => refetch()} />
        </Row>
      </Row>
      <Whose />
      <ReadState read={read} what="the usage" />
      {data?.total.requests === 0 && <NoUse />}
      {data && data.total.requests > 0 && (
        <Stack style={{ gap: 24 }}>
          <Totals total={data.total} show={asked.show} />
          {data.isTruncated && (
            <Message type="warning">
              Too many groups for one report: the charts leave some out. Choose a shorter time, longer sums or another
              grouping.
            </Message>
          )}
          {asked.show === 'cost' && data.total.unpriced > 0 && (
            <Message type="info">
              {formatCount(data.total.unpriced)} requests have no price and are not in the cost. A site can add prices
              in ml_prices.conf.
            </Message>
          )}
          <OverTime show={asked.show} report={data} isStale={isPlaceholderData} index={index} />
          <ByGroup show={asked.show} report={data} isStale={isPlaceholderData} index={index} />
        </Stack>
      )}
    </Stack>
  );
}

function NoUse() {
  return (
    <Empty title="No usage in this time">
      <p>Choose a longer time, or ask a model: with a client of the gateway, or with a search such as</p>
      <Code>{'| makeresults | mlchat prompt="Say hello"'}</Code>
    </Empty>
  );
}

/** Says that only own uses are shown, where that is so. */
function Whose() {
  const { data: who } = useWho();
  if (!who || who.capabilities.includes(SEES_ALL)) return null;
  return <small>This is your own usage. The capability {SEES_ALL} shows that of all users.</small>;
}

/** The roles that may read the settings of the app. */
const SETTINGS_READERS = ['admin', 'sc_admin'];
const ANY_INDEX = '(index=* OR index=_*)';

/** The part of a search for the index with an event of each use; empty if no events are sent, or while that is unknown. */
function useIndex(): string {
  const { data: who } = useWho();
  const mayRead = who?.roles.some((role) => SETTINGS_READERS.includes(role)) ?? false;
  const { data, error } = useRead({
    queryKey: ['settings', 'gateway'],
    queryFn: ({ signal }) => readSettings('gateway', signal),
    staleTime: 60_000,
    retry: false,
    enabled: mayRead,
  });
  if (!who || (mayRead && data === undefined && !error)) return '';
  if (!data) return ANY_INDEX;
  const index = (data.usage_index ?? USAGE_INDEX).trim();
  return index === '' ? '' : `index=${index}`;
}

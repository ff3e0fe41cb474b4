import Heading from '@splunk/react-ui/Heading';
import { PageControl } from '@splunk/react-ui/Paginator';
import { variables } from '@splunk/themes';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect } from 'react';
import styled from 'styled-components';
import type { Experiment, HistoryEntry } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Row, Spacer, Stack } from '../../app/styles.ts';
import { useUrl } from '../../app/url.ts';
import { Action } from '../../parts/Action.tsx';
import type { Filter } from '../../parts/panel/resource.ts';
import { Filters, filtersIn } from '../../parts/table/Filters.tsx';
import { StateBadge } from '../../parts/text/Badge.tsx';
import { Code } from '../../parts/text/Code.tsx';
import { Fold } from '../../parts/text/Fold.tsx';
import { durationWords, formatCount } from '../../parts/text/format.ts';
import { Time } from '../../parts/text/Time.tsx';
import { ReadState } from '../../parts/work.tsx';
import { Statistics } from './Statistics.tsx';
import { ACTIONS, OUTCOMES } from './words.tsx';

const PAGE_SIZE = 10;
/** The app's own limit. */
const MOST_ENTRIES = 1000;
const DAY_S = 86_400;
const PAGE = 'history_page';

/** Words -> days. */
const SINCE: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

const FILTERS: readonly Filter[] = [
  { name: 'history_action', label: 'Action', options: ACTIONS },
  { name: 'history_status', label: 'Outcome', options: OUTCOMES },
  {
    name: 'history_since',
    label: 'Since',
    options: { day: 'a day ago', week: '7 days ago', month: '30 days ago', year: 'a year ago' },
  },
];

/** The history of an experiment with its statistics, newest first. */
export default function History({ experiment: { experiment_id, version } }: { experiment: Experiment }) {
  const [url, go] = useUrl();
  const { history_action, history_status, history_since } = filtersIn(url, FILTERS);
  const page = Math.max(1, Number(url.get(PAGE)) || 1);
  // The filters belong to this experiment.
  useEffect(
    () => () =>
      go({ ...Object.fromEntries(FILTERS.map(({ name }) => [name, undefined])), [PAGE]: undefined }, 'replace'),
    [go],
  );
  const read = async (count: number, offset: number, signal: AbortSignal) => {
    const days = SINCE[history_since ?? ''];
    const query = {
      count,
      offset,
      ...(history_action ? { action: history_action } : {}),
      ...(history_status ? { status: history_status } : {}),
      ...(days ? { earliest: String(Math.round(Date.now() / 1000) - days * DAY_S) } : {}),
    };
    return ml.call('listExperimentHistory', { params: { experiment_id }, query: query as object }, { signal });
  };
  const query = [experiment_id, version, history_action, history_status, history_since];
  const list = useRead({
    queryKey: ['experiments', 'history', ...query, page],
    queryFn: ({ signal }) => read(PAGE_SIZE, (page - 1) * PAGE_SIZE, signal),
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData, refetch } = list;
  const statistics = useRead({
    queryKey: ['experiments', 'history', ...query, 'statistics'],
    queryFn: async ({ signal }) => (await read(MOST_ENTRIES, 0, signal)).result.reverse(),
    placeholderData: keepPreviousData,
  });
  const total = data?.pagination.total ?? 0;
  const pages = Math.ceil(total / PAGE_SIZE);
  useEffect(() => {
    if (!isPlaceholderData && pages > 0 && page > pages) go({ [PAGE]: String(pages) }, 'replace');
  }, [isPlaceholderData, pages, page, go]);
  return (
    <section aria-label="Runs and changes">
      <Stack>
        <Row>
          <Heading level={3} style={{ margin: 0 }}>
            Runs and changes
          </Heading>
          <Spacer />
          <Action
            label="Refresh"
            onClick={() => {
              refetch();
              statistics.refetch();
            }}
          />
        </Row>
        <Row>
          <Filters filters={FILTERS} page={PAGE} />
        </Row>
        <ReadState read={list} what="the history" />
        {statistics.data && <Statistics entries={statistics.data} />}
        {data?.result.length === 0 && <div>No entries match.</div>}
        <Line aria-label="History, newest first" aria-busy={isPlaceholderData}>
          {data?.result.map((entry) => (
            <Entry key={entry.history_id} entry={entry} />
          ))}
        </Line>
        {total > 0 && (
          <Row>
            <small>
              {formatCount(total)} {total === 1 ? 'entry' : 'entries'}
            </small>
            <Spacer />
            {pages > 1 && (
              <PageControl
                current={page}
                totalPages={pages}
                onChange={(_event, { page: next }) => go({ [PAGE]: next === 1 ? undefined : String(next) })}
              />
            )}
          </Row>
        )}
      </Stack>
    </section>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { action, status, timestamp, user, message, search, models, duration_ms, statistics, sid } = entry;
  const has = statistics && Object.keys(statistics).length > 0;
  return (
    <li>
      <Row>
        <StateBadge tone={status === 'fail' ? 'error' : action === 'note' ? 'outline' : 'success'}>
          {status === 'fail' ? `${ACTIONS[action]}: failed` : ACTIONS[action]}
        </StateBadge>
        <small>
          <Time at={timestamp} /> by {user}
          {duration_ms !== undefined && `, took ${durationWords(duration_ms)}`}
        </small>
      </Row>
      {message && <div style={{ whiteSpace: 'pre-wrap' }}>{message}</div>}
      {models && models.length > 0 && <small>Models: {models.join(', ')}</small>}
      {has && (
        <div>
          {Object.entries(statistics)
            .map(([name, value]) => `${name} ${wordOf(value)}`)
            .join(', ')}
        </div>
      )}
      {(search || sid) && (
        <Fold title="The search">
          {sid && <small>Job {sid}</small>}
          {search && <Code>{search}</Code>}
        </Fold>
      )}
    </li>
  );
}

const wordOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const Line = styled.ol`
  display: flex;
  flex-direction: column;
  gap: 12px;
  margin: 0;
  padding: 0 0 0 12px;
  list-style: none;
  border-left: 2px solid ${variables.neutral300};
`;

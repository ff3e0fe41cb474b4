import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import styled from 'styled-components';
import { ml } from '../../../api/client.ts';
import { useRead } from '../../../api/queries.ts';
import { Columns, Row, Spacer, Stack } from '../../../app/styles.ts';
import { viewUrl } from '../../../app/url.ts';
import TimeBars from '../../../parts/chart/TimeBars.tsx';
import { DataTable } from '../../../parts/table/DataTable.tsx';
import { formatCount } from '../../../parts/text/format.ts';
import { ReadState } from '../../../parts/work.tsx';
import { spanOf, timeWords } from '../../usage/uses/time.ts';
import { failedIn, hoursOf } from './day.ts';

const POLL_MS = 60_000;
const TITLE = 'Last 24 hours';
const NUMBERS = 'Requests by hour';
const TABLE_ID = 'last-24-hours';

async function readDay(signal: AbortSignal) {
  const span = spanOf('24h', Date.now() / 1000);
  const query = {
    // There are few operations, so the reply has all hours however many models were asked.
    ...{ by: 'operation', interval: 'hour' as const },
    ...{ earliest: String(span.earliest), latest: String(span.latest) },
  };
  const { result, total } = await ml.call('getUsage', { query }, { signal });
  return { span, result, total };
}

/** Requests and failures by hour as a chart, with the same numbers as a table. */
export function Day() {
  const read = useRead({
    queryKey: ['usage', 'day'],
    queryFn: ({ signal }) => readDay(signal),
    refetchInterval: POLL_MS,
  });
  const { data } = read;
  return (
    <section aria-label={TITLE}>
      <Stack>
        <Row>
          <Heading level={2} style={{ margin: 0 }}>
            {TITLE}
          </Heading>
          <Spacer />
          <Link to={viewUrl('usage', { range: '24h' })}>Usage of the last 24 hours</Link>
        </Row>
        <ReadState read={read} what="the usage" />
        {data?.total.requests === 0 && <div>Nothing was used.</div>}
        {data && data.total.requests > 0 && <Numbers {...data} />}
      </Stack>
    </section>
  );
}

function Numbers({ span, result, total }: Awaited<ReturnType<typeof readDay>>) {
  const stack = hoursOf(result, span);
  const words = (time: number) => timeWords(time, 'hour');
  const hours = stack.points.map(({ at, total: requests }, place) => ({
    at,
    requests,
    failed: failedIn(stack, place),
  }));
  const failures = `${formatCount(total.failed)} failed`;
  return (
    <>
      <div>
        {formatCount(total.requests)} {total.requests === 1 ? 'request' : 'requests'},{' '}
        {total.failed === 0 ? (
          'none failed'
        ) : (
          <Link to={viewUrl('usage', { range: '24h', by: 'model', show: 'failed' })}>{failures}</Link>
        )}
      </div>
      <Columns>
        <TimeBars name={NUMBERS} stack={stack} details={TABLE_ID} timeWords={words} format={formatCount} />
        <Hours id={TABLE_ID}>
          <DataTable
            label={NUMBERS}
            heads={['Hour', 'Requests', 'Failures'].map((label) => ({ label }))}
            rows={hours
              .filter(({ requests }) => requests > 0)
              .reverse()
              .map(({ at, requests, failed }) => ({
                key: String(at),
                cells: [words(at), formatCount(requests), formatCount(failed)],
              }))}
          />
        </Hours>
      </Columns>
    </>
  );
}

/** As tall as the chart and its legend. The table in it can be focused, for scrolling with the keyboard. */
const Hours = styled.div`
  max-height: 300px;
  overflow-y: auto;
`;

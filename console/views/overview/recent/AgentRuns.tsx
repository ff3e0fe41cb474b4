import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import type { ReactNode } from 'react';
import type { Run } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { useRead } from '../../../api/queries.ts';
import { useRefusal, useWho } from '../../../api/rights.ts';
import { Columns, Stack } from '../../../app/styles.ts';
import { viewUrl } from '../../../app/url.ts';
import { RUNS_KEY } from '../../../parts/runs/data.ts';
import { RunState } from '../../../parts/runs/RunState.tsx';
import { contentText, firstWords, titleOfRun } from '../../../parts/runs/words.ts';
import { DataTable } from '../../../parts/table/DataTable.tsx';
import { Time } from '../../../parts/text/Time.tsx';
import { ReadState } from '../../../parts/work.tsx';

const POLL_MS = 60_000;
const MOST = 5;

/** The newest runs of agents, and the newest that failed. */
export function AgentRuns() {
  const { isPending } = useWho();
  const isRefused = useRefusal()('listRuns') !== undefined;
  const read = useRead({
    queryKey: [RUNS_KEY, 'recent'],
    // One after the other: a driver serves one request at a time.
    queryFn: async ({ signal }) => ({
      newest: await ml.call('listRuns', { query: { count: MOST } }, { signal }),
      failed: await ml.call('listRuns', { query: { state: 'failed', count: MOST } }, { signal }),
    }),
    enabled: !isPending && !isRefused,
    refetchInterval: POLL_MS,
  });
  const { data, error } = read;
  if (isRefused || (!data && !error)) return null;
  return (
    <>
      <ReadState read={read} what="the runs" />
      {data && data.newest.result.length > 0 && (
        <Columns>
          <Runs title="Newest runs" label="State" list={data.newest} query={{}} cell={RunState} />
          <Runs title="Failed runs" label="Error" list={data.failed} query={{ state: 'failed' }} cell={Reason} />
        </Columns>
      )}
    </>
  );
}

interface RunsProps {
  title: string;
  /** Label of the column between the run and its start. */
  label: string;
  list: { result: readonly Run[]; pagination: { total: number } };
  /** Query of the list with all of them. */
  query: Record<string, string>;
  cell(props: { of: Run }): ReactNode;
}

function Runs({ title, label, list: { result, pagination }, query, cell: Cell }: RunsProps) {
  if (result.length === 0) return null;
  return (
    <section aria-label={title}>
      <Stack>
        <Heading level={2} style={{ margin: 0 }}>
          {title}
        </Heading>
        <DataTable
          label={title}
          heads={[{ label: 'Run' }, { label }, { label: 'Started' }]}
          rows={result.map((run) => ({
            key: run.run_id,
            cells: [
              <div key="run">
                <Link to={viewUrl('agents', { tab: 'runs', name: run.run_id })}>{titleOfRun(run)}</Link>
                <div>
                  <small>{firstWords(run)}</small>
                </div>
              </div>,
              <Cell key="cell" of={run} />,
              <Time key="started" at={run.started_at} />,
            ],
          }))}
        />
        {pagination.total > result.length && (
          <Link to={viewUrl('agents', { tab: 'runs', ...query })}>{`All ${pagination.total}`}</Link>
        )}
      </Stack>
    </section>
  );
}

function Reason({ of: { message = '', error_code } }: { of: Run }) {
  return (
    <>
      <div>{contentText(message)}</div>
      <code>{error_code}</code>
    </>
  );
}

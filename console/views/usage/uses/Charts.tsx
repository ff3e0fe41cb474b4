import { lazyPart } from '../../../parts/lazyPart.tsx';
import { Loading } from '../../../parts/table/States.tsx';
import { costWords, durationWords, formatCount } from '../../../parts/text/format.ts';
import { ChartAndTable } from './ChartAndTable.tsx';
import { GROUPS, MEASURES, type MeasureName } from './measures.ts';
import { groupOf, type Report, ranked, stackIn } from './report.ts';
import { searchByGroup, searchOverTime } from './search.ts';
import { type Interval, timeWords } from './time.ts';

// Only this view needs the library of charts.
const TimeBars = lazyPart(() => import('../../../parts/chart/TimeBars.tsx'), <Loading what="the chart" />);
const RankBars = lazyPart(() => import('../../../parts/chart/RankBars.tsx'), <Loading what="the chart" />);

interface ChartProps {
  show: MeasureName;
  report: Report;
  isStale: boolean;
  /** The term for the index of the events; empty if none are sent. */
  index: string;
}

const NOTHING = {
  requests: 'No requests in this time.',
  failed: 'No failures in this time.',
  tokens: 'No tokens in this time.',
  cost: 'Nothing in this time has a price.',
} as const;

/** Hours are in the reader's zone, as all times of the pages; longer sums are of UTC. */
const timeHead = (interval: Interval): string =>
  interval === 'hour' ? 'Hour' : interval === 'day' ? 'Day (UTC)' : 'Month (UTC)';

export function OverTime({ show, report, isStale, index }: ChartProps) {
  const { label, format } = MEASURES[show];
  const { by, interval, span } = report;
  const stack = stackIn(report, show);
  const title = `${label} over time, by ${GROUPS[by][0].toLowerCase()}`;
  const words = (time: number) => timeWords(time, interval);
  const filled = stack.points.filter(({ total }) => total > 0).reverse();
  return (
    <ChartAndTable
      title={title}
      id="over-time"
      heads={[{ label: timeHead(interval) }, { label: 'Total' }, ...stack.names.map((name) => ({ label: name }))]}
      rows={filled.map(({ at, total, values }) => ({
        key: String(at),
        cells: [words(at), format(total), ...values.map(format)],
      }))}
      page="page"
      isStale={isStale}
      search={index === '' ? undefined : searchOverTime({ ...span, index, by }, show, interval)}
    >
      {stack.names.length === 0 ? (
        NOTHING[show]
      ) : (
        <TimeBars key={title} name={title} stack={stack} details="over-time" timeWords={words} format={format} />
      )}
    </ChartAndTable>
  );
}

export function ByGroup({ show, report, isStale, index }: ChartProps) {
  const { label, of, format } = MEASURES[show];
  const { by, span } = report;
  const [groupName] = GROUPS[by];
  const rows = ranked(report, show);
  const title = `${label} by ${groupName.toLowerCase()}`;
  const ranks = rows.map((row) => ({ name: groupOf(row, by), value: of(row) })).filter(({ value }) => value > 0);
  return (
    <ChartAndTable
      title={title}
      id="by-group"
      heads={[groupName, 'Requests', 'Failures', 'Input tokens', 'Output tokens', 'Cost', 'Upstream', 'Overhead'].map(
        (name) => ({
          label: name,
        }),
      )}
      rows={rows.map((row) => ({
        key: groupOf(row, by),
        cells: [
          groupOf(row, by),
          ...[row.requests, row.failed, row.input_tokens, row.output_tokens].map(formatCount),
          costWords(row.cost),
          durationWords(row.upstream_ms_mean),
          durationWords(row.overhead_ms_mean),
        ],
      }))}
      page="groups"
      isStale={isStale}
      search={index === '' ? undefined : searchByGroup({ ...span, index, by }, show)}
    >
      {ranks.length === 0 ? NOTHING[show] : <RankBars name={title} ranks={ranks} details="by-group" format={format} />}
    </ChartAndTable>
  );
}

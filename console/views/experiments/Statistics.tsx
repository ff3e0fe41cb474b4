import Button from '@splunk/react-ui/Button';
import Heading from '@splunk/react-ui/Heading';
import { useState } from 'react';
import type { HistoryEntry } from '../../../client/src/index.ts';
import { Row, Stack } from '../../app/styles.ts';
import { DataTable } from '../../parts/table/DataTable.tsx';
import { Fold } from '../../parts/text/Fold.tsx';
import { Time } from '../../parts/text/Time.tsx';
import { LineChart, type Point } from './LineChart.tsx';
import { ACTIONS } from './words.tsx';

/** The first charts; the others follow on request. */
const FIRST = 4;
/** Together with the list a page has at most 100 rows. */
const MOST_ROWS = 50;
const DEEPEST = 4;

interface Measurement extends Point {
  id: string;
  action: HistoryEntry['action'];
}

/** Numeric statistics as lines and numbers. @param entries oldest first */
export function Statistics({ entries }: { entries: readonly HistoryEntry[] }) {
  const [hasAll, setHasAll] = useState(false);
  const [open, setOpen] = useState<string>();
  const series = [...seriesOf(entries)];
  if (series.length === 0) return null;
  const visible = hasAll ? series : series.slice(0, FIRST);
  return (
    <section aria-label="Statistics">
      <Stack>
        <Heading level={4} style={{ margin: 0 }}>
          Statistics
        </Heading>
        {visible.map(([name, points]) => (
          <Statistic
            key={name}
            name={name}
            points={points}
            isOpen={name === open}
            onToggle={(isOpen) => setOpen(isOpen ? name : undefined)}
          />
        ))}
        {series.length > FIRST && (
          <Row>
            <Button label={hasAll ? 'Show fewer' : `Show all ${series.length}`} onClick={() => setHasAll(!hasAll)} />
          </Row>
        )}
      </Stack>
    </section>
  );
}

interface StatisticProps {
  name: string;
  points: readonly Measurement[];
  isOpen: boolean;
  onToggle(isOpen: boolean): void;
}

function Statistic({ name, points, isOpen, onToggle }: StatisticProps) {
  const newest = points.slice(-MOST_ROWS).reverse();
  return (
    <div>
      <LineChart name={name} points={points} />
      <Fold title={`Numbers of ${name}`} isOpen={isOpen} onToggle={onToggle}>
        <DataTable
          label={`Numbers of ${name}`}
          heads={[{ label: 'Time' }, { label: 'Action' }, { label: name }]}
          rows={newest.map(({ id, at, action, value }) => ({
            key: id,
            cells: [<Time key="at" at={at} isExact />, ACTIONS[action], String(value)],
          }))}
        />
        {points.length > MOST_ROWS && (
          <small>
            The newest {MOST_ROWS} of {points.length}
          </small>
        )}
      </Fold>
    </div>
  );
}

/** Name or path of a statistic -> values. */
function seriesOf(entries: readonly HistoryEntry[]): Map<string, Measurement[]> {
  const series = new Map<string, Measurement[]>();
  for (const { history_id: id, timestamp: time, action, statistics = {} } of entries) {
    for (const [name, value] of numbersIn(statistics)) {
      const points = series.get(name) ?? [];
      points.push({ id, at: time, action, value });
      series.set(name, points);
    }
  }
  return series;
}

function numbersIn(value: object, before = '', depth = 0): [name: string, value: number][] {
  if (depth === DEEPEST || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]): [string, number][] => {
    if (typeof member === 'number') return [[before + key, member]];
    return typeof member === 'object' && member !== null ? numbersIn(member, `${before}${key}.`, depth + 1) : [];
  });
}

import { PageControl } from '@splunk/react-ui/Paginator';
import { useState } from 'react';
import { Stack } from '../../app/styles.ts';
import { FAMILIES } from '../../parts/families.ts';
import { DataTable } from '../../parts/table/DataTable.tsx';
import { StateBadge, type Tone } from '../../parts/text/Badge.tsx';
import type { Differences } from './difference.ts';
import { type ImportPlan, keyOf, type PlannedRecord } from './documents.ts';

const PAGE_SIZE = 50;

const ACTIONS: Readonly<Record<PlannedRecord['action'], readonly [words: string, tone: Tone]>> = {
  create: ['create', 'success'],
  update: ['update', 'info'],
  unchanged: ['unchanged', 'outline'],
  skip: ['skipped', 'outline'],
  blocked: ['blocked', 'error'],
};

const OUTCOMES: Readonly<Record<NonNullable<PlannedRecord['outcome']>, readonly [words: string, tone: Tone]>> = {
  done: ['done', 'success'],
  failed: ['failed', 'error'],
  not_reached: ['not reached yet', 'warning'],
};

/** Unchanged records come last. */
export function PlanTable({
  planned: { result, mode },
  differences,
}: {
  planned: ImportPlan;
  differences: Differences;
}) {
  const [page, setPage] = useState(1);
  const rows = [...result].sort((a, b) => Number(a.action === 'unchanged') - Number(b.action === 'unchanged'));
  const pages = Math.ceil(rows.length / PAGE_SIZE);
  const current = Math.min(page, Math.max(pages, 1));
  return (
    <Stack>
      <DataTable
        label={mode === 'plan' ? 'Plan' : 'Outcome'}
        heads={[
          { label: 'Kind' },
          { label: 'Name' },
          { label: mode === 'plan' ? 'Action' : 'Outcome' },
          { label: 'Changes' },
          { label: 'Problems' },
        ]}
        rows={rows.slice((current - 1) * PAGE_SIZE, current * PAGE_SIZE).map((record) => {
          const [words, tone] = record.outcome ? OUTCOMES[record.outcome] : ACTIONS[record.action];
          return {
            key: keyOf(record),
            cells: [
              FAMILIES[record.family].labels[0],
              record.name,
              <StateBadge key="action" tone={tone}>
                {words}
              </StateBadge>,
              <Lines key="changes" of={differences.get(keyOf(record)) ?? record.changed} />,
              <Problems key="problems" of={record} />,
            ],
          };
        })}
      />
      {pages > 1 && (
        <PageControl current={current} totalPages={pages} onChange={(_event, change) => setPage(change.page)} />
      )}
    </Stack>
  );
}

function Lines({ of: lines }: { of: readonly string[] }) {
  if (lines.length === 0) return <>–</>;
  return (
    <>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </>
  );
}

function Problems({ of: { problems, missing_secrets, error_code } }: { of: PlannedRecord }) {
  if (problems.length + missing_secrets.length === 0) return <>{error_code ?? '–'}</>;
  return (
    <>
      {problems.map(({ field, message }) => (
        <div key={`${field} ${message}`}>{field === '$record' ? message : `${field}: ${message}`}</div>
      ))}
      {missing_secrets.map((path) => (
        <div key={path}>Missing secret: {path}</div>
      ))}
    </>
  );
}

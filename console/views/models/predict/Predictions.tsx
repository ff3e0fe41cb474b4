import type { Reply } from '../../../../client/src/index.ts';
import { DataTable } from '../../../parts/table/DataTable.tsx';
import { formatCount } from '../../../parts/text/format.ts';
import { FoldedSpl } from '../../../parts/text/Spl.tsx';
import { Warnings } from '../../../parts/Warnings.tsx';
import { cellText, type Rows } from './rows.ts';
import { searchFor } from './search.ts';

/** Rows and columns of the table; more would make the page slow. */
const MOST_SHOWN = 200;
const MOST_COLUMNS = 40;

interface PredictionsProps {
  rows: Rows;
  reply: Reply<'predict'>;
}

/** Predictions beside the rows that they were made from, and why others have none. */
export function Predictions({ rows, reply }: PredictionsProps) {
  const { model, result, errors, warnings = [] } = reply;
  const here = rows.slice(0, MOST_SHOWN);
  const [predictions, fields] = [namesIn(result.slice(0, MOST_SHOWN)), namesIn(here)];
  const predicted = predictions.slice(0, MOST_COLUMNS);
  const given = fields.slice(0, MOST_COLUMNS);
  const failures = new Map(errors.map(({ row, error_code, message }) => [row, `${error_code}: ${message}`]));
  const heads = [
    { label: 'Row' },
    ...predicted.map((name) => ({ label: given.includes(name) ? `${name} (predicted)` : name })),
    ...(errors.length > 0 ? [{ label: 'Error' }] : []),
    ...given.map((label) => ({ label })),
  ];
  const done = rows.length - errors.length;
  return (
    <section aria-label={`Predictions of ${model}`}>
      <Warnings texts={warnings} />
      <p role="status">
        {`${formatCount(done)} of ${formatCount(rows.length)} rows have a prediction.`}
        {rows.length > MOST_SHOWN && ` The first ${MOST_SHOWN} are shown.`}
        {Math.max(predictions.length, fields.length) > MOST_COLUMNS &&
          ` Of their columns, the first ${MOST_COLUMNS} are shown.`}
      </p>
      <DataTable
        label={`Predictions of ${model}`}
        heads={heads}
        rows={here.map((row, index) => ({
          key: String(index),
          cells: [
            String(index + 1),
            ...predicted.map((name) => cellIn(result[index], name)),
            ...(errors.length > 0 ? [failures.get(index) ?? ''] : []),
            ...given.map((name) => cellIn(row, name)),
          ],
        }))}
      />
      {rows[0] && <FoldedSpl title="In a search" search={searchFor(model, rows[0])} />}
    </section>
  );
}

type Fields = Readonly<Record<string, unknown>> | null | undefined;

/** Fields may be called like what every object has. */
const cellIn = (fields: Fields, name: string): string =>
  cellText(fields && Object.hasOwn(fields, name) ? fields[name] : undefined);

const namesIn = (records: readonly Fields[]): string[] => [
  ...new Set(records.flatMap((record) => Object.keys(record ?? {}))),
];

import { RowsTable } from '../../../parts/search/RowsTable.tsx';
import { rowsIn } from '../../../parts/search/resultText.ts';
import { ShownText } from '../ShownText.tsx';

interface SearchRowsProps {
  /** Name of the tool. */
  name: string;
  /** CSV and remarks, as the model reads them. */
  text: string;
}

/** The rows of a search as a table, and remarks as text. */
export function SearchRows({ name, text }: SearchRowsProps) {
  const label = `Result of ${name}`;
  const result = rowsIn(text);
  if (!result) return <ShownText label={label} value={text} />;
  const { fields, rows, notes } = result;
  return (
    <>
      <RowsTable label={label} fields={fields} rows={rows} />
      {notes !== '' && <ShownText label={`Remarks on the result of ${name}`} value={notes} />}
    </>
  );
}

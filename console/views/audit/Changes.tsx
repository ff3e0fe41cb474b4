import Heading from '@splunk/react-ui/Heading';
import type { AuditChange } from '../../../client/src/index.ts';
import { DataTable } from '../../parts/table/DataTable.tsx';

/** The changed fields. Values of secrets are never stored. */
export default function Changes({ changes }: { changes: readonly AuditChange[] }) {
  if (changes.length === 0) return null;
  return (
    <section aria-label="Changes">
      <Heading level={3}>Changes</Heading>
      <DataTable
        label="Changes"
        heads={[{ label: 'Field' }, { label: 'Before' }, { label: 'After' }]}
        rows={changes.map(({ field, before, after, secret }) => ({
          key: field,
          cells: [
            field === '*' ? 'other fields' : field,
            secret === undefined ? words(before) : secret === 'set' ? '–' : 'a secret',
            secret === undefined ? words(after) : secret === 'removed' ? 'removed' : `a secret, ${secret}`,
          ],
        }))}
      />
    </section>
  );
}

function words(value: unknown): string {
  if (value === undefined) return '–';
  if (value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import Heading from '@splunk/react-ui/Heading';
import { Stack } from '../../app/styles.ts';
import { FAMILIES } from '../../parts/families.ts';
import { Field } from '../../parts/form/Field.tsx';
import { keyOf, type PlannedRecord, type TypedSecrets } from './documents.ts';

interface MissingSecretsProps {
  records: readonly PlannedRecord[];
  typed: TypedSecrets;
  onChange(typed: TypedSecrets): void;
}

/** Asks for secrets that the document and the store lack. They are not stored in the browser. */
export function MissingSecrets({ records, typed, onChange }: MissingSecretsProps) {
  const secrets = records.map((record) => {
    // Typed secrets stay editable.
    const paths = [...new Set([...record.missing_secrets, ...Object.keys(typed[keyOf(record)] ?? {})])];
    return { key: keyOf(record), about: `${FAMILIES[record.family].labels[0]} ${record.name}`, paths: paths.sort() };
  });
  const asked = secrets.filter(({ paths }) => paths.length > 0);
  if (asked.length === 0) return null;
  return (
    <section aria-label="Missing secrets" style={{ maxWidth: 600 }}>
      <Stack>
        <Heading level={3}>Missing secrets</Heading>
        <div>Enter the secrets of these records, or add them later in each record.</div>
        {asked.flatMap(({ key, about, paths }) =>
          paths.map((path) => (
            <Field
              key={`${key} ${path}`}
              field={{ path: `${key} ${path}`, label: `${path} of ${about}`, help: '' }}
              facts={{ path, kind: 'text', secret: true }}
              value={typed[key]?.[path] ?? ''}
              onChange={(value) => onChange({ ...typed, [key]: { ...typed[key], [path]: String(value ?? '') } })}
            />
          )),
        )}
      </Stack>
    </section>
  );
}

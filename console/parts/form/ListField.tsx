import Button from '@splunk/react-ui/Button';
import { variables } from '@splunk/themes';
import type { ComponentType } from 'react';
import styled from 'styled-components';
import { Row, Spacer, Stack } from '../../app/styles.ts';
import { type FieldProps, factsOf } from './spec.ts';

type Entry = Readonly<Record<string, unknown>>;

/** An ordered list of objects. Unknown fields of an entry are kept. */
export function ListField({
  field,
  facts,
  value,
  error,
  onChange,
  Field,
}: FieldProps & { Field: ComponentType<FieldProps> }) {
  const { one, fields, control } = field.entries ?? { one: 'Entry', fields: [] };
  const known = new Map((facts.fields ?? []).map((fact) => [fact.path, fact]));
  const entries = Array.isArray(value) ? (value as readonly Entry[]) : [];
  const replace = (at: number, changed: unknown) =>
    onChange(entries.map((entry, index) => (index === at ? changed : entry)));
  const swap = (at: number) => {
    const next = [...entries];
    next.splice(at, 2, ...entries.slice(at, at + 2).reverse());
    onChange(next);
  };
  const beginning = Object.fromEntries(fields.flatMap(({ path, initial }) => (initial ? [[path, initial]] : [])));
  return (
    <Stack>
      {entries.map((entry, at) => {
        const name = `${one} ${at + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have nothing else that tells them apart
          <Box key={`${entries.length}-${at}`} aria-label={name}>
            <Stack>
              <Row>
                <strong>{name}</strong>
                <Spacer />
                {at > 0 && <Button label="Up" aria-label={`Move ${name} up`} onClick={() => swap(at - 1)} />}
                {at + 1 < entries.length && (
                  <Button label="Down" aria-label={`Move ${name} down`} onClick={() => swap(at)} />
                )}
                <Button
                  label="Remove"
                  aria-label={`Remove ${name}`}
                  onClick={() => onChange(entries.filter((_entry, index) => index !== at))}
                />
              </Row>
              {control?.({ field, facts, value: entry, error, onChange: (changed) => replace(at, changed ?? {}) }) ??
                fields.map((inner) => (
                  <Field
                    key={inner.path}
                    field={inner}
                    facts={factsOf(inner, known)}
                    value={entry[inner.path]}
                    onChange={(field) => replace(at, changed(entry, inner.path, field))}
                  />
                ))}
            </Stack>
          </Box>
        );
      })}
      <div>
        <Button label={`Add ${one.toLowerCase()}`} onClick={() => onChange([...entries, beginning])} />
      </div>
    </Stack>
  );
}

function changed(entry: Entry, path: string, value: unknown): Entry {
  const { [path]: _, ...others } = entry;
  return value === undefined || value === '' ? others : { ...others, [path]: value };
}

const Box = styled.fieldset`
  margin: 0;
  padding: 12px;
  min-width: 0;
  border: 1px solid ${variables.neutral300};
`;

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
  const factsByPath = new Map((facts.fields ?? []).map((fact) => [fact.path, fact]));
  const entries = Array.isArray(value) ? (value as readonly Entry[]) : [];
  const replace = (position: number, changed: unknown) =>
    onChange(entries.map((entry, index) => (index === position ? changed : entry)));
  const swap = (position: number) => {
    const next = [...entries];
    next.splice(position, 2, ...entries.slice(position, position + 2).reverse());
    onChange(next);
  };
  const beginning = Object.fromEntries(fields.flatMap(({ path, initial }) => (initial ? [[path, initial]] : [])));
  return (
    <Stack>
      {entries.map((entry, place) => {
        const name = `${one} ${place + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have nothing else that tells them apart
          <Box key={`${entries.length}-${place}`} aria-label={name}>
            <Stack>
              <Row>
                <strong>{name}</strong>
                <Spacer />
                {place > 0 && <Button label="Up" aria-label={`Move ${name} up`} onClick={() => swap(place - 1)} />}
                {place + 1 < entries.length && (
                  <Button label="Down" aria-label={`Move ${name} down`} onClick={() => swap(place)} />
                )}
                <Button
                  label="Remove"
                  aria-label={`Remove ${name}`}
                  onClick={() => onChange(entries.filter((_entry, index) => index !== place))}
                />
              </Row>
              {control?.({ field, facts, value: entry, error, onChange: (changed) => replace(place, changed ?? {}) }) ??
                fields.map((inner) => (
                  <Field
                    key={inner.path}
                    field={inner}
                    facts={factsOf(inner, factsByPath)}
                    value={entry[inner.path]}
                    onChange={(field) => replace(place, changed(entry, inner.path, field))}
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

import Button from '@splunk/react-ui/Button';
import { useState } from 'react';
import type { OperationId } from '../../client/src/index.ts';
import { Stack } from '../app/styles.ts';
import { FIELDS } from '../generated/fields.ts';
import { Field } from './form/Field.tsx';
import type { Values } from './form/facts.ts';
import type { Place } from './form/spec.ts';

interface TestOptionsProps {
  operation: OperationId;
  places: readonly Place[];
  values: Values;
  onChange(values: Values): void;
}

/**
 * What can be chosen for a test. Most people never do, so it is folded away: behind a button, since the library's dialogs keep Tab from
 * what comes after a `summary`.
 */
export function TestOptions({ operation, places, values, onChange }: TestOptionsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [facts] = useState(() => new Map((FIELDS[operation] ?? []).map((fact) => [fact.path, fact])));
  return (
    <div>
      <Button label="How it is tested" appearance="subtle" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} />
      {isOpen && (
        <Stack style={{ padding: '12px 0 0 16px' }}>
          {places.map((place) => (
            <Field
              key={place.path}
              place={place}
              facts={facts.get(place.path) ?? { path: place.path, kind: 'text' }}
              value={values[place.path]}
              onChange={(value) => onChange({ ...values, [place.path]: value })}
            />
          ))}
        </Stack>
      )}
    </div>
  );
}

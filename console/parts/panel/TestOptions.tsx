import { useState } from 'react';
import type { OperationId } from '../../../client/src/index.ts';
import { FIELDS } from '../../generated/fields.ts';
import { Field } from '../form/Field.tsx';
import type { Values } from '../form/facts.ts';
import type { Place } from '../form/spec.ts';
import { Fold } from '../text/Fold.tsx';

interface TestOptionsProps {
  operation: OperationId;
  places: readonly Place[];
  values: Values;
  onChange(values: Values): void;
}

/** What can be chosen for a test. Most people never do. */
export function TestOptions({ operation, places, values, onChange }: TestOptionsProps) {
  const [facts] = useState(() => new Map((FIELDS[operation] ?? []).map((fact) => [fact.path, fact])));
  return (
    <Fold title="Test options">
      {places.map((place) => (
        <Field
          key={place.path}
          place={place}
          facts={facts.get(place.path) ?? { path: place.path, kind: 'text' }}
          value={values[place.path]}
          onChange={(value) => onChange({ ...values, [place.path]: value })}
        />
      ))}
    </Fold>
  );
}

import { useState } from 'react';
import type { OperationId } from '../../../client/src/index.ts';
import { FIELDS } from '../../generated/fields.ts';
import { Field } from '../form/Field.tsx';
import type { Values } from '../form/facts.ts';
import type { FormField } from '../form/spec.ts';
import { Fold } from '../text/Fold.tsx';

interface TestOptionsProps {
  operation: OperationId;
  fields: readonly FormField[];
  values: Values;
  onChange(values: Values): void;
}

export function TestOptions({ operation, fields, values, onChange }: TestOptionsProps) {
  const [facts] = useState(() => new Map((FIELDS[operation] ?? []).map((fact) => [fact.path, fact])));
  return (
    <Fold title="Test options">
      {fields.map((field) => (
        <Field
          key={field.path}
          field={field}
          facts={facts.get(field.path) ?? { path: field.path, kind: 'text' }}
          value={values[field.path]}
          onChange={(value) => onChange({ ...values, [field.path]: value })}
        />
      ))}
    </Fold>
  );
}

import TextArea from '@splunk/react-ui/TextArea';
import { useState } from 'react';
import type { FieldProps } from './spec.ts';
import { InvalidJson } from './values.ts';

/** Any value as JSON. */
export function JsonField({
  value,
  error,
  onChange,
  id,
  describedBy,
}: FieldProps & { id?: string; describedBy?: string }) {
  const [text, setText] = useState(() => textOf(value));
  const change = (typed: string) => {
    setText(typed);
    try {
      onChange(typed.trim() === '' ? undefined : JSON.parse(typed));
    } catch {
      onChange(new InvalidJson(typed));
    }
  };
  return (
    <TextArea
      {...(id === undefined ? {} : { inputId: id })}
      {...(describedBy === undefined ? {} : { describedBy })}
      value={text}
      error={error !== undefined || value instanceof InvalidJson}
      spellCheck={false}
      style={{ width: '100%' }}
      rowsMin={3}
      rowsMax={16}
      onChange={(_event, { value: typed }) => change(typed)}
    />
  );
}

function textOf(value: unknown): string {
  if (value instanceof InvalidJson) return value.text;
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
}

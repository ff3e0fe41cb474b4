import TextArea from '@splunk/react-ui/TextArea';
import { useState } from 'react';
import type { FieldProps } from './spec.ts';
import { BROKEN } from './values.ts';

/** Any value as JSON. */
export function JsonField({
  value,
  error,
  onChange,
  id,
  describedBy,
}: FieldProps & { id?: string; describedBy?: string }) {
  const [text, setText] = useState(() => (value === undefined || value === null ? '' : JSON.stringify(value, null, 2)));
  const change = (typed: string) => {
    setText(typed);
    try {
      onChange(typed.trim() === '' ? undefined : JSON.parse(typed));
    } catch {
      onChange(BROKEN);
    }
  };
  return (
    <TextArea
      {...(id === undefined ? {} : { inputId: id })}
      {...(describedBy === undefined ? {} : { describedBy })}
      value={text}
      error={error !== undefined || value === BROKEN}
      spellCheck={false}
      style={{ width: '100%' }}
      rowsMin={3}
      rowsMax={16}
      onChange={(_event, { value: typed }) => change(typed)}
    />
  );
}

import TextArea from '@splunk/react-ui/TextArea';
import { useState } from 'react';
import { InvalidJson } from '../../../parts/form/values.ts';

interface JsonTextProps {
  value: unknown;
  /** @param value undefined if the text is empty; `InvalidJson` while it is not JSON */
  onChange(value: unknown): void;
  labelledBy?: string;
  describedBy?: string;
}

/** Any value as JSON. ControlGroup labels it. */
export function JsonText({ value, onChange, ...labels }: JsonTextProps) {
  const [text, setText] = useState(() => {
    if (value instanceof InvalidJson) return value.text;
    return value === undefined ? '' : JSON.stringify(value, null, 2);
  });
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
      {...labels}
      value={text}
      error={value instanceof InvalidJson}
      spellCheck={false}
      style={{ width: '100%' }}
      rowsMin={3}
      rowsMax={16}
      onChange={(_event, { value: typed }) => change(typed)}
    />
  );
}

/** Whether some text in the value is not JSON. */
export function hasInvalidJson(value: unknown): boolean {
  if (value instanceof InvalidJson) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInvalidJson);
}

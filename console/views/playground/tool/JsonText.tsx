import TextArea from '@splunk/react-ui/TextArea';
import { useState } from 'react';

/** Text that is not JSON yet. */
class NotJson {}

interface JsonTextProps {
  value: unknown;
  /** @param value undefined if the text is empty; `NotJson` while it is none */
  onChange(value: unknown): void;
  labelledBy?: string;
  describedBy?: string;
}

/** Any value as JSON. ControlGroup labels it. */
export function JsonText({ value, onChange, ...labels }: JsonTextProps) {
  const [text, setText] = useState(() =>
    value === undefined || value instanceof NotJson ? '' : JSON.stringify(value, null, 2),
  );
  const change = (typed: string) => {
    setText(typed);
    try {
      onChange(typed.trim() === '' ? undefined : JSON.parse(typed));
    } catch {
      onChange(new NotJson());
    }
  };
  return (
    <TextArea
      {...labels}
      value={text}
      error={value instanceof NotJson}
      spellCheck={false}
      style={{ width: '100%' }}
      rowsMin={3}
      rowsMax={16}
      onChange={(_event, { value: typed }) => change(typed)}
    />
  );
}

/** Whether some text in the value is not JSON. */
export function hasNotJson(value: unknown): boolean {
  if (value instanceof NotJson) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNotJson);
}

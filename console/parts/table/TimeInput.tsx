import { variables } from '@splunk/themes';
import { useId } from 'react';
import styled from 'styled-components';

interface TimeInputProps {
  label: string;
  /** ISO 8601 or epoch seconds; empty = none. */
  value: string;
  /** @param value ISO 8601 in UTC; empty = none */
  onChange(value: string): void;
}

/** A time in the reader's zone. */
export function TimeInput({ label, value, onChange }: TimeInputProps) {
  const id = useId();
  return (
    <TimeLabel>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        value={localText(value)}
        onChange={({ target }) => onChange(target.value === '' ? '' : new Date(target.value).toISOString())}
      />
    </TimeLabel>
  );
}

/** Local time to the minute, as the input expects. */
function localText(value: string): string {
  const date = new Date(/^[\d.]+$/.test(value) ? Number(value) * 1000 : value);
  if (value === '' || Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const TimeLabel = styled.div`
  display: flex;
  gap: 6px;
  font-size: ${variables.fontSize};
  align-items: center;

  input {
    box-sizing: border-box;
    min-height: 32px;
    padding: 4px 8px;
    font: inherit;
    color: ${variables.contentColorActive};
    color-scheme: ${variables.colorScheme};
    background: ${variables.interactiveColorBackground};
    border: 1px solid ${variables.interactiveColorBorder};
    border-radius: 3px;
  }
  input:focus-visible {
    outline: 2px solid ${variables.focusColor};
    outline-offset: 1px;
  }
`;

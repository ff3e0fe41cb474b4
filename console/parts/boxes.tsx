import ControlGroup from '@splunk/react-ui/ControlGroup';
import NumberControl from '@splunk/react-ui/Number';
import TextArea from '@splunk/react-ui/TextArea';
import type { KeyboardEvent } from 'react';

interface NumberBoxProps {
  label: string;
  help?: string;
  value: number | undefined;
  min: number;
  max?: number;
  /** Without it, whole numbers. */
  step?: number;
  onChange(value: number | undefined): void;
}

/** A number with its label, outside of forms of records. */
export function NumberBox({ label, help, value, min, max, step, onChange }: NumberBoxProps) {
  return (
    <ControlGroup label={label} labelPosition="top" {...(help === undefined ? {} : { help })}>
      <NumberControl
        value={value}
        min={min}
        {...(max === undefined ? {} : { max })}
        {...(step === undefined ? { roundTo: 0 } : { step })}
        onChange={(_event, change) => onChange(change.value)}
      />
    </ControlGroup>
  );
}

interface TextBoxProps {
  label: string;
  help?: string;
  value: string;
  /** Fewest and most lines that are shown. */
  rows: readonly [fewest: number, most: number];
  spellCheck?: boolean;
  hasError?: boolean;
  onChange(value: string): void;
  onKeyDown?(event: KeyboardEvent): void;
}

/** Text of several lines with its label, outside of forms of records. */
export function TextBox(props: TextBoxProps) {
  const { label, help, value, rows, spellCheck, hasError = false, onChange, onKeyDown } = props;
  return (
    <ControlGroup label={label} labelPosition="top" {...(help === undefined ? {} : { help })}>
      <TextArea
        value={value}
        error={hasError}
        {...(spellCheck === undefined ? {} : { spellCheck })}
        style={{ width: '100%' }}
        rowsMin={rows[0]}
        rowsMax={rows[1]}
        onChange={(_event, change) => onChange(change.value)}
        {...(onKeyDown === undefined ? {} : { onKeyDown })}
      />
    </ControlGroup>
  );
}

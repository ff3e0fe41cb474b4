import Button from '@splunk/react-ui/Button';
import Text from '@splunk/react-ui/Text';
import { useState } from 'react';
import { Row, Stack } from '../../app/styles.ts';
import type { FieldProps } from './spec.ts';
import { STORED } from './values.ts';

type Entry = [name: string, value: unknown];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A map such as headers. Each stored secret is kept or replaced. */
export function MapField({ field, facts, value, onChange }: FieldProps) {
  // Rows without a name are not part of the value.
  const [rows, setRows] = useState<Entry[]>(() => (isObject(value) ? Object.entries(value) : []));
  const change = (next: Entry[]) => {
    setRows(next);
    onChange(Object.fromEntries(next.filter(([name]) => name.trim() !== '')));
  };
  const put = (position: number, entry: Entry) => change(rows.map((row, index) => (index === position ? entry : row)));
  return (
    <Stack>
      {rows.map(([name, entry], place) => {
        const about = name || `entry ${place + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row's name changes while it is typed
          <Row key={place}>
            <div style={{ flex: '1 1 140px' }}>
              <Text
                value={name}
                aria-label={`Name of ${about} in ${field.label}`}
                disabled={entry === STORED}
                onChange={(_event, { value: typed }) => put(place, [typed, entry])}
              />
            </div>
            <div style={{ flex: '2 1 200px' }}>
              {entry === STORED ? (
                <Row>
                  <span>Stored.</span>
                  <Button label={`Replace ${about}`} onClick={() => put(place, [name, ''])} />
                </Row>
              ) : (
                <Text
                  value={typeof entry === 'string' ? entry : ''}
                  aria-label={`Value of ${about} in ${field.label}`}
                  {...(facts.secret ? { type: 'password', autoComplete: 'new-password' } : {})}
                  onChange={(_event, { value: typed }) => put(place, [name, typed])}
                />
              )}
            </div>
            <Button label={`Remove ${about}`} onClick={() => change(rows.filter((_row, index) => index !== place))} />
          </Row>
        );
      })}
      <div>
        <Button label={`Add to ${field.label}`} onClick={() => change([...rows, ['', '']])} />
      </div>
    </Stack>
  );
}

import Button from '@splunk/react-ui/Button';
import Text from '@splunk/react-ui/Text';
import TextArea from '@splunk/react-ui/TextArea';
import { useRef } from 'react';
import styled from 'styled-components';
import { Row } from '../../app/styles.ts';
import type { FieldProps } from './spec.ts';
import { STORED } from './values.ts';

/** Hides the text of a text area. */
const Hidden = styled.div`
  textarea {
    -webkit-text-security: disc;
  }
`;

/** A stored secret is neither shown nor sent, which keeps it until it is replaced or removed. */
export function SecretField({ field, value, error, onChange }: FieldProps) {
  const wasStored = useRef(value === STORED);
  if (value === STORED)
    return (
      <Row>
        <span>Stored.</span>
        <Button label={`Replace ${field.label}`} onClick={() => onChange('')} />
        <Button label={`Remove ${field.label}`} onClick={() => onChange(null)} />
      </Row>
    );
  if (value === null)
    return (
      <Row>
        <span>Will be removed.</span>
        <Button label={`Keep ${field.label}`} onClick={() => onChange(STORED)} />
      </Row>
    );
  const text = typeof value === 'string' ? value : '';
  const common = { error: error !== undefined, value: text, spellCheck: false };
  return (
    <Row>
      <Hidden style={{ flex: '1 1 240px' }}>
        {field.area ? (
          // An input would join the lines of a key.
          <TextArea
            {...common}
            autoComplete="off"
            rowsMin={3}
            rowsMax={6}
            inputId={`secret-${field.path}`}
            aria-label={field.label}
            onChange={(_event, change) => onChange(change.value)}
          />
        ) : (
          <Text
            {...common}
            type="password"
            autoComplete="new-password"
            passwordVisibilityToggle
            inputId={`secret-${field.path}`}
            aria-label={field.label}
            onChange={(_event, change) => onChange(change.value)}
          />
        )}
      </Hidden>
      {wasStored.current && (
        <>
          <Button label={`Keep ${field.label}`} onClick={() => onChange(STORED)} />
          <Button label={`Remove ${field.label}`} onClick={() => onChange(null)} />
        </>
      )}
    </Row>
  );
}

import Button from '@splunk/react-ui/Button';
import Text from '@splunk/react-ui/Text';
import TextArea from '@splunk/react-ui/TextArea';
import { useRef } from 'react';
import styled from 'styled-components';
import { Row } from '../../app/styles.ts';
import type { FieldProps } from './spec.ts';
import { STORED } from './values.ts';

/** Shows dots in place of what is typed. */
const Hidden = styled.div`
  textarea {
    -webkit-text-security: disc;
  }
`;

/**
 * A secret that is stored is not shown, and not sent: it stays unless somebody replaces or removes it. What is typed lives in the
 * form alone.
 */
export function SecretField({ field, value, error, onChange }: FieldProps) {
  // What was stored when the form was opened stays so until it is saved.
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
          // A password's input would take the lines of a key together.
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

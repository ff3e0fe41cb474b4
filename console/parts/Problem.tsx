import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import type { ReactNode } from 'react';
import { told } from '../api/problems.ts';

/** What went wrong, what a person can do about it, and what leads to it in the log. */
export function Problem({ error, onRetry, note }: { error: unknown; onRetry?: () => void; note?: ReactNode }) {
  const { message, code, remedy, requestId } = told(error);
  return (
    <Message type="error" appearance="fill" role="alert">
      <strong>{message}</strong>
      {note && <div>{note}</div>}
      {remedy && <div>{remedy}</div>}
      <small>
        {code && <code>{code}</code>}
        {requestId && (
          <>
            {' '}
            request <code>{requestId}</code>
          </>
        )}
      </small>
      {onRetry && (
        <div>
          <Button label="Retry" onClick={onRetry} />
        </div>
      )}
    </Message>
  );
}

import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import type { ReactNode } from 'react';
import { told } from '../api/problems.ts';
import { askNow } from '../api/queries.ts';

const LOST = 'What you asked for may have been done all the same: look before you repeat it.';

interface ProblemProps {
  error: unknown;
  /** Reads again: what passes by itself is told without alarm then, and asked for meanwhile. */
  onRetry?: () => void;
  note?: ReactNode;
  /** `note` says what has become of the change. */
  isLookedUp?: boolean;
}

/** What went wrong, what a person can do about it, and what leads to it in the log. */
export function Problem({ error, onRetry, note, isLookedUp = false }: ProblemProps) {
  const { message, code, remedy, requestId, mayBeDone, isPassing } = told(error);
  const isQuiet = isPassing && onRetry !== undefined;
  return (
    <Message
      type={isQuiet ? 'warning' : 'error'}
      appearance={isQuiet ? 'default' : 'fill'}
      role={isQuiet ? undefined : 'alert'}
    >
      <strong>{message}</strong>
      {note && <div>{note}</div>}
      {remedy && !isQuiet && <div>{remedy}</div>}
      {mayBeDone && !onRetry && !isLookedUp && <div>{LOST}</div>}
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
          <Button label="Retry" onClick={isQuiet ? askNow : onRetry} />
        </div>
      )}
    </Message>
  );
}

import Button from '@splunk/react-ui/Button';
import Link from '@splunk/react-ui/Link';
import Message from '@splunk/react-ui/Message';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { describeError } from '../api/problems.ts';
import { retryFailed } from '../api/queries.ts';
import { type RecordPlace, remedyLink } from './remedies.ts';

const LOST = 'The change may have been made. Check before you repeat it.';

interface ProblemProps {
  error: unknown;
  /** Retries the read; temporary failures are then shown as warnings. */
  onRetry?: () => void;
  note?: ReactNode;
  /** `note` has the outcome of the change. */
  isOutcomeKnown?: boolean;
  /** The record of the call: failures of a connection link to its form. */
  record?: RecordPlace;
  /** Replaces field names by labels. */
  inWords?(message: string): string;
}

const same = (message: string): string => message;

/** A failure with its remedy and the request id for the log. */
export function Problem({ error, onRetry, note, isOutcomeKnown = false, record, inWords = same }: ProblemProps) {
  const { message, code, remedy, requestId, mayBeDone, isPassing } = describeError(error);
  const isQuiet = isPassing && onRetry !== undefined;
  const link = remedyLink(code, record);
  const client = useQueryClient();
  const isForbidden = (error as { status?: number } | undefined)?.status === 403;
  // After a 403 the permissions are read again, except one whose own refusal this may be: it would be read without end.
  useEffect(() => {
    if (!isForbidden) return;
    for (const key of ['who', 'roles', 'flags'])
      client.invalidateQueries({ queryKey: [key], predicate: ({ state }) => state.status !== 'error' });
  }, [isForbidden, client]);
  return (
    <Message
      type={isQuiet ? 'warning' : 'error'}
      appearance={isQuiet ? 'default' : 'fill'}
      role={isQuiet ? undefined : 'alert'}
    >
      <strong>{inWords(message)}</strong>
      {note && <div>{note}</div>}
      {remedy && !isQuiet && <div>{inWords(remedy)}</div>}
      {link && (
        <div>
          <Link to={link.to}>{link.label}</Link>
        </div>
      )}
      {mayBeDone && !onRetry && !isOutcomeKnown && <div>{LOST}</div>}
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
          <Button label="Retry" onClick={isQuiet ? retryFailed : onRetry} />
        </div>
      )}
    </Message>
  );
}

import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { told } from '../api/problems.ts';

interface ProblemProps {
  error: unknown;
  onRetry?: () => void;
  note?: ReactNode;
  /** The message in the words of a form. */
  inWords?(message: string): string;
}

const same = (message: string): string => message;

/** What went wrong, what a person can do about it, and what leads to it in the log. */
export function Problem({ error, onRetry, note, inWords = same }: ProblemProps) {
  const { message, code, remedy, requestId } = told(error);
  const client = useQueryClient();
  const isForbidden = (error as { status?: number }).status === 403;
  // What somebody may do has changed since it was last asked: what they may not is dimmed at once.
  useEffect(() => {
    if (isForbidden) for (const key of ['who', 'roles', 'flags']) client.invalidateQueries({ queryKey: [key] });
  }, [isForbidden, client]);
  return (
    <Message type="error" appearance="fill" role="alert">
      <strong>{inWords(message)}</strong>
      {note && <div>{note}</div>}
      {remedy && <div>{inWords(remedy)}</div>}
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

import Link from '@splunk/react-ui/Link';
import Message from '@splunk/react-ui/Message';
import { isResolvedInForm } from '../remedies.ts';
import type { TestResult } from './resource.ts';

interface TestOutcomeProps {
  result: TestResult;
  note?: string;
  /** Opens the form of the record; absent inside that form, and for those who may not change it. */
  onEdit?: (() => void) | undefined;
  /** A message in the words of a form. */
  inWords?(message: string): string;
}

export function TestOutcome({ result, note, onEdit, inWords = (message) => message }: TestOutcomeProps) {
  const { success, message, error_code, remedy, ms, details } = result;
  return (
    <Message type={success ? 'success' : 'error'} appearance="fill" role="status">
      <strong>{success ? `It works${ms === undefined ? '' : ` (${Math.round(ms)} ms)`}` : 'The test failed'}</strong>
      {message && <div>{inWords(message)}</div>}
      {remedy && <div>{inWords(remedy)}</div>}
      {onEdit && isResolvedInForm(error_code) && (
        <div>
          <Link onClick={onEdit}>Edit the connection</Link>
        </div>
      )}
      {error_code && (
        <small>
          <code>{error_code}</code>
        </small>
      )}
      {details}
      {note && <div>{note}</div>}
    </Message>
  );
}

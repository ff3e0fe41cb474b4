import Message from '@splunk/react-ui/Message';
import type { TestResult } from './resource.ts';

interface TestOutcomeProps {
  result: TestResult;
  note?: string;
  /** A message in the words of a form. */
  inWords?(message: string): string;
}

export function TestOutcome({ result, note, inWords = (message) => message }: TestOutcomeProps) {
  const { success, message, error_code, remedy, ms, details } = result;
  return (
    <Message type={success ? 'success' : 'error'} appearance="fill" role="status">
      <strong>{success ? `It works${ms === undefined ? '' : ` (${Math.round(ms)} ms)`}` : 'The test failed'}</strong>
      {message && <div>{inWords(message)}</div>}
      {remedy && <div>{inWords(remedy)}</div>}
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

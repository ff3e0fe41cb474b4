import Message from '@splunk/react-ui/Message';
import type { TestResult } from './resource.ts';

/** What a test has found, and whether anything was saved with it. */
export function TestOutcome({ result, note }: { result: TestResult; note?: string }) {
  const { success, message, error_code, remedy, ms, details } = result;
  return (
    <Message type={success ? 'success' : 'error'} appearance="fill" role="status">
      <strong>
        {success ? `It works${ms === undefined ? '' : ` (${Math.round(ms)} ms)`}` : 'The test has failed'}
      </strong>
      {message && <div>{message}</div>}
      {remedy && <div>{remedy}</div>}
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

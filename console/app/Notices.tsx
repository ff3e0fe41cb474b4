import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import { describeError } from '../api/problems.ts';
import { retryFailed, useIsPageActive, useTemporaryFailure } from '../api/queries.ts';
import { StatusArea } from './styles.ts';

/** Temporary failures and the pause of the page. */
export function Notices() {
  const failure = useTemporaryFailure();
  const isActive = useIsPageActive();
  return (
    <StatusArea>
      {failure && <FailureNotice error={failure} />}
      {!isActive && (
        <Message type="info">Paused after ten minutes without activity. Updates resume when you use the page.</Message>
      )}
    </StatusArea>
  );
}

const GOES_ON = 'This page may show earlier data. It retries automatically and keeps your input.';

function FailureNotice({ error }: { error: unknown }) {
  const { code, message, remedy } = describeError(error);
  // The code has the reason behind it.
  const isStore = code?.startsWith('store_unavailable') === true;
  return (
    <Message type="warning" appearance="fill">
      <strong>{isStore ? 'The record store is unavailable.' : message}</strong>
      {isStore && <div>{message}.</div>}
      <div>{GOES_ON}</div>
      {remedy && <div>{remedy}</div>}
      <div style={{ marginTop: 8 }}>
        <Button label="Retry now" onClick={retryFailed} />
      </div>
    </Message>
  );
}

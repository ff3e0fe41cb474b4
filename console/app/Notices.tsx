import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import { told } from '../api/problems.ts';
import { askNow, useIsLookedAt, usePassingTrouble } from '../api/queries.ts';
import { Said } from './styles.ts';

/** What is true of the whole page for now: that it cannot read, or that it has stopped asking. In the same words for as long as it lasts. */
export function Notices() {
  const trouble = usePassingTrouble();
  const isLookedAt = useIsLookedAt();
  return (
    <Said>
      {trouble && <Trouble error={trouble} />}
      {!isLookedAt && (
        <Message type="info">Paused after ten minutes without activity. Updates resume when you use the page.</Message>
      )}
    </Said>
  );
}

const GOES_ON = 'This page may show earlier data. It retries automatically and keeps your input.';

function Trouble({ error }: { error: unknown }) {
  const { code, message, remedy } = told(error);
  return (
    <Message type="warning" appearance="fill">
      <strong>{code === 'store_unavailable' ? 'The record store is unavailable.' : message}</strong>
      <div>{GOES_ON}</div>
      {remedy && <div>{remedy}</div>}
      <div style={{ marginTop: 8 }}>
        <Button label="Ask now" onClick={askNow} />
      </div>
    </Message>
  );
}

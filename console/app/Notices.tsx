import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import { told } from '../api/problems.ts';
import { askNow, useIsLookedAt, usePassingTrouble } from '../api/queries.ts';

/** What is true of the whole page for now: that it cannot read, or that it has stopped asking. In the same words for as long as it lasts. */
export function Notices() {
  const trouble = usePassingTrouble();
  const isLookedAt = useIsLookedAt();
  return (
    <div role="status">
      {trouble && (
        <Message type="warning" appearance="fill">
          <strong>{whatIsAway(trouble)}</strong>
          <div>
            What is shown may be old. This page asks again by itself, in longer and longer pauses, and what you have
            typed stays.
          </div>
          <Button label="Ask now" onClick={askNow} />
        </Message>
      )}
      {!isLookedAt && (
        <Message type="info">
          Paused: nobody has touched this page for ten minutes. It goes on as soon as somebody does.
        </Message>
      )}
    </div>
  );
}

function whatIsAway(error: unknown): string {
  const { code, message } = told(error);
  return code === 'store_unavailable' ? 'The store of the records cannot be used at the moment.' : message;
}

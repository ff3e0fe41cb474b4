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
        <Message type="info">
          Paused: nobody has touched this page for ten minutes. It goes on as soon as somebody does.
        </Message>
      )}
    </Said>
  );
}

const GOES_ON =
  'What is shown may be old. This page asks again by itself, in longer and longer pauses, and what you have typed stays.';

function Trouble({ error }: { error: unknown }) {
  const { code, message, remedy } = told(error);
  return (
    <Message type="warning" appearance="fill">
      <strong>
        {code === 'store_unavailable' ? 'The store of the records cannot be used at the moment.' : message}
      </strong>
      <div>{GOES_ON}</div>
      {remedy && <div>{remedy}</div>}
      <div style={{ marginTop: 8 }}>
        <Button label="Ask now" onClick={askNow} />
      </div>
    </Message>
  );
}

import { Row, Stack } from '../../../app/styles.ts';
import { Action } from '../../../parts/Action.tsx';
import { TextBox } from '../../../parts/boxes.tsx';
import { useText } from '../../../parts/form/draft/useText.ts';
import { ask, stop } from './ask.ts';
import type { Settings } from './settings.ts';
import { useConversation, waitingIn } from './turns.ts';

interface ComposerProps {
  settings: Settings;
  hasRuns: boolean;
  refusal: string | undefined;
}

/** Where the next question is written. */
export function Composer({ settings, hasRuns, refusal }: ComposerProps) {
  const [text, setText] = useText('playground message');
  const { live, turns } = useConversation();
  const waiting = waitingIn(turns);
  const busy = live ?? waiting?.id;
  const reason = refusal ?? (live === undefined && waiting ? 'Decide about the calls above first' : undefined);
  const send = () => {
    if (reason !== undefined || busy !== undefined || text.trim() === '') return;
    setText('');
    void ask(text, settings, hasRuns);
  };
  return (
    <Stack>
      <TextBox
        label="Message"
        help="Ctrl+Enter sends"
        value={text}
        rows={[3, 14]}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
        }}
      />
      <Row>
        <Action label="Send" appearance="primary" busy={live !== undefined} refusal={reason} onClick={send} />
        {busy !== undefined && <Action label="Stop" onClick={() => void stop(busy)} />}
      </Row>
    </Stack>
  );
}

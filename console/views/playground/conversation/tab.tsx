import Button from '@splunk/react-ui/Button';
import Message from '@splunk/react-ui/Message';
import { useEffect, useRef } from 'react';
import { useRefusal } from '../../../api/rights.ts';
import { Row, Stack } from '../../../app/styles.ts';
import { useUrl } from '../../../app/url.ts';
import { useKeptFocus } from '../../../parts/panel/focus.ts';
import { SwitchedOff } from '../../../parts/SwitchedOff.tsx';
import { Columns } from '../Columns.ts';
import { useModels } from '../servers.ts';
import { Composer } from './Composer.tsx';
import { Controls } from './Controls.tsx';
import { SnippetButtons } from './SnippetButtons.tsx';
import { addressOf, type Settings, settingsIn } from './settings.ts';
import { TurnView } from './TurnView.tsx';
import { forget, useConversation, waitingIn } from './turns.ts';

/** The alias that is asked unless another model is chosen. */
const DEFAULT = 'default';

export default function ConversationTab() {
  const [url, go] = useUrl();
  const models = useModels().data;
  const chosen = settingsIn(url);
  const hasDefault = models?.some(({ id }) => id === DEFAULT) ?? false;
  const settings = chosen.model === '' && hasDefault ? { ...chosen, model: DEFAULT } : chosen;
  const put = (change: Partial<Settings>) => go(addressOf({ ...settings, ...change }), 'replace');
  const refusal = useRefusal();
  const { turns, live, system, settings: last } = useConversation();
  // A run that nobody sees would wait forever.
  const isBusy = live !== undefined || waitingIn(turns) !== undefined;
  const isLost = last !== undefined && chosen.model === '';
  // After another tab the conversation goes on as it was.
  useEffect(() => {
    if (isLost) go(addressOf(last), 'replace');
  }, [isLost, last, go]);
  const noRuns = refusal('startRun');
  const column = useRef<HTMLDivElement>(null);
  const log = useRef<HTMLDivElement>(null);
  useKeptFocus(column, log);
  return (
    <Stack style={{ marginTop: 12 }}>
      <SwitchedOff operations={['createChatCompletion']} />
      {noRuns !== undefined && (
        <Message type="info">
          {noRuns}, which tools need. Answers come without tools here, and have to arrive within 30 seconds.
        </Message>
      )}
      <Columns>
        <Controls settings={settings} hasRuns={noRuns === undefined} onChange={put} />
        <Stack ref={column} style={{ minWidth: 0 }}>
          <Stack ref={log} role="log" aria-label="Conversation" tabIndex={-1} style={{ gap: 20 }}>
            {turns.map((turn) => (
              <TurnView key={turn.id} turn={turn} isLive={turn.id === live} />
            ))}
          </Stack>
          <Composer
            settings={settings}
            hasRuns={noRuns === undefined}
            refusal={refusal('createChatCompletion') ?? (settings.model === '' ? 'Choose a model first' : undefined)}
          />
          <Row>
            {turns.length > 0 && <Button label="New conversation" disabled={isBusy} onClick={forget} />}
            <SnippetButtons question={turns.at(-1)?.question} settings={settings} system={system} />
          </Row>
          <small>A conversation is kept in this page alone and ends when you leave or reload it.</small>
        </Stack>
      </Columns>
    </Stack>
  );
}

import Message from '@splunk/react-ui/Message';
import { Row, Spacer, Stack } from '../../../app/styles.ts';
import { Action } from '../../../parts/Action.tsx';
import { StateBadge } from '../../../parts/text/Badge.tsx';
import { Diff } from '../../../parts/text/Diff.tsx';
import { Fold } from '../../../parts/text/Fold.tsx';
import { withVisibleCharacters } from '../../../parts/text/visible.ts';
import { type Definition, isWaiting, mayBeAccepted, type Tool, textsOf } from './waiting.ts';

interface AcceptProps {
  onAccept(tools: readonly Tool[]): void;
  busy: boolean;
  refusal: string | undefined;
}

/** How many tools wait, and a button for all of them. */
export function WaitingTools({ tools, onAccept, busy, refusal }: { tools: readonly Tool[] } & AcceptProps) {
  const waiting = tools.filter(isWaiting);
  if (waiting.length === 0) return null;
  const acceptable = waiting.filter(mayBeAccepted);
  return (
    <Message type="warning" appearance="fill">
      <Row>
        <span>
          <strong>{waiting.length === 1 ? '1 tool waits' : `${waiting.length} tools wait`} for acceptance.</strong> Look
          at what the server says of {waiting.length === 1 ? 'it' : 'them'}: a model follows it.
        </span>
        <Spacer />
        {acceptable.length > 0 && (
          <Action
            label="Accept all"
            name="Accept all tools"
            onClick={() => onAccept(acceptable)}
            busy={busy}
            refusal={refusal}
          />
        )}
      </Row>
    </Message>
  );
}

/** Why one tool waits, and a button to accept it. Nothing for an accepted one. */
export function WaitingTool({ tool, onAccept, busy, refusal }: { tool: Tool } & AcceptProps) {
  if (!isWaiting(tool)) return null;
  const { name, change, flags = [] } = tool;
  return (
    <Stack style={{ padding: '8px 0' }}>
      <Row>
        <StateBadge tone="warning">{change ? 'changed since it was accepted' : 'not accepted'}</StateBadge>
        {flags.includes('hidden_characters') && <StateBadge tone="error">hidden characters</StateBadge>}
        {flags.includes('too_large') && <StateBadge tone="error">too large to be accepted</StateBadge>}
        <Spacer />
        {mayBeAccepted(tool) && (
          <Action
            label="Accept"
            name={`Accept ${name}`}
            onClick={() => onAccept([tool])}
            busy={busy}
            refusal={refusal}
          />
        )}
      </Row>
      {change ? (
        <Changes name={name} before={change.before} after={change.after} />
      ) : (
        <Fold title={`Definition of ${withVisibleCharacters(name)}`}>
          <Changes name={name} before={{}} after={tool} />
        </Fold>
      )}
    </Stack>
  );
}

function Changes({ name, before, after }: { name: string; before: Definition; after: Definition }) {
  const [old, now] = [textsOf(before), textsOf(after)];
  return (
    <>
      {now
        .map(([label, text], index) => ({ label, text, was: old[index]?.[1] ?? '' }))
        .filter(({ text, was }) => text !== was)
        .map(({ label, text, was }) => (
          <div key={label}>
            <small>{label}</small>
            <Diff label={`${label} of ${name}`} before={was} after={text} />
          </div>
        ))}
    </>
  );
}

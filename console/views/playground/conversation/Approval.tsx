import ControlGroup from '@splunk/react-ui/ControlGroup';
import Message from '@splunk/react-ui/Message';
import Text from '@splunk/react-ui/Text';
import { useState } from 'react';
import { Row, Stack } from '../../../app/styles.ts';
import { Action } from '../../../parts/Action.tsx';
import { ShownText } from '../ShownText.tsx';
import { decide } from './ask.ts';
import type { Run } from './turns.ts';

interface ApprovalProps {
  turn: number;
  run: Run;
  /** Indexes of steps that were decided about. */
  decided: readonly number[];
  isBusy: boolean;
}

/** The calls of a run that wait for a decision. */
export function Approval({ turn, run, decided, isBusy }: ApprovalProps) {
  const waiting = run.steps.filter(
    ({ state, index }) => (state === 'waiting' || state === 'unknown') && !decided.includes(index),
  );
  return (
    <Stack>
      {waiting.map((step) => (
        <WaitingStep key={step.index} turn={turn} run={run} step={step} isBusy={isBusy} />
      ))}
    </Stack>
  );
}

function WaitingStep({ turn, run, step, isBusy }: Omit<ApprovalProps, 'decided'> & { step: Run['steps'][number] }) {
  const { index, name = 'a tool', input, state } = step;
  const [comment, setComment] = useState('');
  const isUnknown = state === 'unknown';
  const choose = (decision: 'approve' | 'reject') => decide(turn, run, index, decision, comment);
  return (
    <section aria-label={`Decision about ${name}`}>
      <Stack>
        <Message type="warning">
          {isUnknown
            ? `The call of ${name} began, and its outcome is unknown. Repeating it may do its work twice.`
            : `The model wants to call ${name}.`}
        </Message>
        <ShownText label={`Arguments for ${name}`} value={input ?? {}} />
        <ControlGroup label="Reason of a rejection" labelPosition="top" help="Optional; the model reads it">
          <Text value={comment} onChange={(_event, { value }) => setComment(value)} />
        </ControlGroup>
        <Row>
          <Action
            label={isUnknown ? 'Repeat' : 'Approve'}
            name={`${isUnknown ? 'Repeat' : 'Approve'} ${name}`}
            busy={isBusy}
            onClick={() => choose('approve')}
          />
          <Action label="Reject" name={`Reject ${name}`} busy={isBusy} onClick={() => choose('reject')} />
        </Row>
      </Stack>
    </section>
  );
}

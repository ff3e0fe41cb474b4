import ControlGroup from '@splunk/react-ui/ControlGroup';
import Message from '@splunk/react-ui/Message';
import Text from '@splunk/react-ui/Text';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunDecision, RunDetail, RunStep } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { useRefusal, useWho } from '../../api/rights.ts';
import { Columns, Row, Stack } from '../../app/styles.ts';
import { Action } from '../Action.tsx';
import { TextBox } from '../boxes.tsx';
import { Fold } from '../text/Fold.tsx';
import { Time } from '../text/Time.tsx';
import { useWork, WorkState } from '../work.tsx';
import { Content } from './Content.tsx';
import { isDue, isOvertaken, RUNS_KEY, readRun, showRun } from './data.ts';
import { argumentsText, decisionBody, overtakenWords, waitsUntil } from './decision.ts';
import type { ToolFacts } from './toolFacts.ts';

/** The result of a decision. */
export interface DecisionResult {
  text: string;
  isOvertaken: boolean;
  warnings: readonly string[];
}

interface DecisionProps {
  run: RunDetail;
  step: RunStep;
  tool: ToolFacts | undefined;
  /** The form disappears with the step, so the page shows this. */
  onDecided(decided: DecisionResult): void;
}

const READ_MS = 20_000;
const DONE: Readonly<Record<RunDecision['decision'], string>> = { approve: 'approved', reject: 'rejected' };

/** A call that waits for a person: what it is, and the decision. */
export function Decision({ run, step, tool, onDecided }: DecisionProps) {
  const { run_id } = run;
  const { name = run.agent ?? 'the agent', state, kind } = step;
  const client = useQueryClient();
  const { data: who } = useWho();
  const refusal = useRefusal()('approveRun');
  const work = useWork<RunDecision['decision']>();
  const [args, setArgs] = useState(() => argumentsText(step));
  const [result, setResult] = useState('');
  const [comment, setComment] = useState('');
  const [problem, setProblem] = useState<string>();
  /** The step goes on waiting until all calls of the turn are decided. */
  const [decided, setDecided] = useState<string>();
  const isElsewhere = kind === 'invoke';

  const decide = (decision: RunDecision['decision']) => {
    const made = decisionBody(step, decision, { args, result, comment });
    setProblem('problem' in made ? made.problem : undefined);
    if ('problem' in made) return;
    work.start(decision, async (signal) => {
      try {
        const { config, warnings = [] } = await ml.call(
          'approveRun',
          { params: { run_id }, body: made.body },
          { signal },
        );
        const text = `You have ${DONE[decision]} the call of ${name}.${nextOf(config)}`;
        setDecided(text);
        onDecided({ text, isOvertaken: false, warnings });
        await showRun(client, config);
      } catch (error) {
        if (!isOvertaken(error)) {
          // If the answer was lost, the run shows the outcome.
          await client.invalidateQueries({ queryKey: [RUNS_KEY] });
          throw error;
        }
        const now = await readRun(run_id, 0, AbortSignal.timeout(READ_MS)).catch(() => undefined);
        const text = overtakenWords(now, step, who?.username);
        setDecided(text);
        onDecided({ text, isOvertaken: true, warnings: [] });
        await (now ? showRun(client, now) : client.invalidateQueries({ queryKey: [RUNS_KEY] }));
      }
    });
  };
  const until = waitsUntil(run, step);
  const isBusy = work.running !== undefined;
  if (decided !== undefined) return <p>{decided} The run goes on when its other calls are decided.</p>;
  return (
    <Stack role="group" aria-label={`Decision about ${name}`}>
      {state === 'unknown' && (
        <Message type="warning">
          Nobody knows whether this call was made: the process that made it has stopped. Approve repeats it. If you know
          its result, give it below instead.
        </Message>
      )}
      {until !== undefined && (
        <p>
          Waits until <Time at={until} isExact />. Then{' '}
          {run.definition.on_approval_timeout === 'cancel' ? 'the run is cancelled' : 'the call is rejected'}.
        </p>
      )}
      <Columns>
        <Stack>
          {tool && <About tool={tool} name={name} />}
          {isElsewhere ? null : <Content label={`Arguments of ${name}`} content={step.input ?? {}} />}
        </Stack>
        <Stack>
          <Fold title={isElsewhere ? 'Give the result instead' : 'Change the arguments, or give a result instead'}>
            {!isElsewhere && (
              <TextBox
                label="Arguments"
                help="A JSON object in place of the model's"
                value={args}
                rows={[3, 16]}
                spellCheck={false}
                onChange={setArgs}
              />
            )}
            <TextBox
              label="Result"
              help="With a result, Approve calls nothing: the model gets this text"
              value={result}
              rows={[1, 8]}
              onChange={setResult}
            />
          </Fold>
          <ControlGroup label="Comment" labelPosition="top" help="Reject tells it to the model">
            <Text value={comment} onChange={(_event, { value }) => setComment(value)} />
          </ControlGroup>
          {problem !== undefined && (
            <Message type="error" role="alert">
              {problem}
            </Message>
          )}
          <WorkState work={work} what="the decision to be stored" />
          <Row>
            <Action
              label="Approve"
              name={`Approve ${name}`}
              appearance="primary"
              busy={isBusy}
              refusal={refusal}
              onClick={() => decide('approve')}
            />
            <Action
              label="Reject"
              name={`Reject ${name}`}
              appearance="destructive"
              busy={isBusy}
              refusal={refusal}
              onClick={() => decide('reject')}
            />
          </Row>
        </Stack>
      </Columns>
    </Stack>
  );
}

/** The hint for a run whose steps no search takes. */
const nextOf = (run: RunDetail): string =>
  isDue(run) && run.job_id === undefined ? ' Open its run and press Continue: no search takes its steps.' : '';

/** The description that the server of the tool gives, which nobody has checked. */
function About({ tool: { description, effects }, name }: { tool: ToolFacts; name: string }) {
  return (
    <div>
      <small>
        Its server says: {effects.length === 0 ? 'nothing about its effects' : effects.join(', ')}.
        {description !== '' && ' Its description:'}
      </small>
      {description !== '' && <Content label={`Description of ${name}`} content={description} />}
    </div>
  );
}

import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import { variables } from '@splunk/themes';
import { useState } from 'react';
import styled from 'styled-components';
import type { RunDetail } from '../../../client/src/index.ts';
import { Row, Stack } from '../../app/styles.ts';
import { viewUrl } from '../../app/url.ts';
import { Content } from '../../parts/runs/Content.tsx';
import { DecidedNotice } from '../../parts/runs/DecidedNotice.tsx';
import { Decision, type DecisionResult } from '../../parts/runs/Decision.tsx';
import { useToolFacts } from '../../parts/runs/toolFacts.ts';
import { contentText, needsDecision, titleOfRun } from '../../parts/runs/words.ts';
import { Time } from '../../parts/text/Time.tsx';
import type { ApprovalList } from './waiting.ts';

/** The calls that wait, each with its decision. */
export default function WaitingRuns({ runs, total }: ApprovalList) {
  const [decided, setDecided] = useState<DecisionResult>();
  const tools = useToolFacts(runs.length > 0);
  return (
    <section aria-label="Waiting for approval">
      <Stack>
        <Heading level={2} style={{ margin: 0 }}>
          Waiting for approval
        </Heading>
        <DecidedNotice decided={decided} />
        {runs.length === 0 && <div>Nothing waits for you.</div>}
        {runs.map((run) => (
          <Waits key={run.run_id} aria-label={titleOfRun(run)}>
            <About run={run} />
            {run.steps.filter(needsDecision).map((step) => (
              <Stack key={step.index}>
                <strong>{contentText(step.name ?? 'The agent')}</strong>
                <Decision
                  run={run}
                  step={step}
                  tool={step.name === undefined ? undefined : tools?.get(step.name)}
                  onDecided={setDecided}
                />
              </Stack>
            ))}
          </Waits>
        ))}
        {total > runs.length && (
          <Link
            to={viewUrl('agents', { tab: 'runs', state: 'waiting_for_approval' })}
          >{`All ${total} runs that wait`}</Link>
        )}
      </Stack>
    </section>
  );
}

function About({ run }: { run: RunDetail }) {
  return (
    <Stack>
      <Row>
        <Link to={viewUrl('agents', { tab: 'runs', name: run.run_id })}>{titleOfRun(run)}</Link>
        <small>
          of {run.user}, started <Time at={run.started_at} />
        </small>
      </Row>
      <Content label={`Input of ${titleOfRun(run)}`} content={run.input} />
    </Stack>
  );
}

const Waits = styled(Stack).attrs({ as: 'article' })`
  padding: 12px;
  border: 1px solid ${variables.neutral200};
  background: ${variables.backgroundColorSection};
`;

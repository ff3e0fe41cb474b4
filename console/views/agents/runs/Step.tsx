import { variables } from '@splunk/themes';
import styled from 'styled-components';
import type { RunDetail, RunStep } from '../../../../client/src/index.ts';
import { Row, Stack } from '../../../app/styles.ts';
import { stepPlace } from '../../../parts/evidence/places.ts';
import { Content } from '../../../parts/runs/Content.tsx';
import { Decision, type DecisionResult } from '../../../parts/runs/Decision.tsx';
import type { ToolFacts } from '../../../parts/runs/toolFacts.ts';
import {
  contentText,
  deciderWords,
  KIND_WORDS,
  needsDecision,
  STEP_WORDS,
  usageWords,
} from '../../../parts/runs/words.ts';
import { JobLink } from '../../../parts/search/JobLink.tsx';
import { StateBadge } from '../../../parts/text/Badge.tsx';
import { Fold } from '../../../parts/text/Fold.tsx';
import { durationWords } from '../../../parts/text/format.ts';
import { SpanBar } from './Bars.tsx';
import type { Span } from './spans.ts';

interface TraceStepProps {
  run: RunDetail;
  step: RunStep;
  span: Span;
  /** Milliseconds of the run. */
  total: number;
  tool: ToolFacts | undefined;
  isOpen: boolean;
  onToggle(): void;
  onDecided(decided: DecisionResult): void;
}

export function TraceStep({ run, step, span, total, tool, isOpen, onToggle, onDecided }: TraceStepProps) {
  const { index, kind, name = '', state, input, output } = step;
  const [words, tone] = STEP_WORDS[state];
  const isContent = input !== undefined || output !== undefined;
  return (
    <Item id={stepPlace(run.run_id, index)} tabIndex={-1} aria-label={`Step ${index}`}>
      <Row>
        <strong>
          {KIND_WORDS[kind]} {contentText(name)}
        </strong>
        <StateBadge tone={tone}>{words}</StateBadge>
        {step.error_code && <code>{step.error_code}</code>}
      </Row>
      <small>
        {factsOf(step, span)}
        {step.sid && (
          <>
            {' · '}
            <JobLink sid={step.sid} />
          </>
        )}
      </small>
      <SpanBar kind={kind} span={span} total={total} />
      {needsDecision(step) ? (
        <Decision run={run} step={step} tool={tool} onDecided={onDecided} />
      ) : (
        isContent && (
          <Fold title={`Input and output of step ${index}`} isOpen={isOpen} onToggle={onToggle}>
            {input !== undefined && (
              <div>
                <small>Input</small>
                <Content label={`Input of step ${index}`} content={input} />
              </div>
            )}
            {output !== undefined && (
              <div>
                <small>Output</small>
                <Content label={`Output of step ${index}`} content={output} />
              </div>
            )}
          </Fold>
        )
      )}
    </Item>
  );
}

/** `after 1.2 s, took 300 ms, 12 tokens in, 5 out` */
function factsOf({ duration_ms, usage, decided_by, state }: RunStep, { from }: Span): string {
  const decided = decided_by === undefined ? '' : deciderWords(decided_by);
  const took = duration_ms === undefined ? '' : `took ${durationWords(duration_ms)}`;
  const words = [`after ${durationWords(from)}`, took, usageWords(usage), decided];
  return (state === 'failed' && duration_ms === 0 ? [words[0], 'not called', ...words.slice(2)] : words)
    .filter(Boolean)
    .join(', ');
}

const Item = styled(Stack).attrs({ as: 'li' })`
  gap: 6px;
  padding: 10px 0;
  border-top: 1px solid ${variables.neutral200};
`;

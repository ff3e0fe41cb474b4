import { variables } from '@splunk/themes';
import type { ReactNode } from 'react';
import styled from 'styled-components';
import { Stack } from '../../../app/styles.ts';
import { Answer } from '../../../parts/evidence/Answer.tsx';
import { inputPlace } from '../../../parts/evidence/places.ts';
import { Markdown } from '../../../parts/markdown/Markdown.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Loading } from '../../../parts/table/States.tsx';
import { durationWords, formatCount } from '../../../parts/text/format.ts';
import { Warnings } from '../../../parts/Warnings.tsx';
import { Approval } from './Approval.tsx';
import { StepLine } from './StepLine.tsx';
import { answerOf, type Completion, type Run, type Turn } from './turns.ts';

/** A question, its tool calls, and the answer with time, tokens and cost. */
export function TurnView({ turn, isLive }: { turn: Turn; isLive: boolean }) {
  const { id, question, model, run, completion, decided, failure, isStopped } = turn;
  const answer = answerOf(turn);
  const calls = run?.steps.filter(({ kind }) => kind !== 'model') ?? [];
  const isWaiting = run?.state === 'waiting_for_approval' && !isStopped;
  return (
    <article aria-label={`Message ${id + 1}`}>
      <Stack>
        <Question dir="auto" id={run && inputPlace(run.run_id)} tabIndex={-1}>
          {question}
        </Question>
        {run && calls.map((step) => <StepLine key={step.index} run_id={run.run_id} step={step} />)}
        {run && isWaiting && <Approval turn={id} run={run} decided={decided ?? []} isBusy={isLive} />}
        {answer !== undefined && (run ? <Answer run={run} output={answer} /> : <Markdown text={answer} />)}
        {run?.state === 'failed' && <Failed run={run} />}
        {failure !== undefined && <Problem error={failure} />}
        {(isStopped || run?.state === 'cancelled') && <small>You stopped this answer.</small>}
        {isLive && <Loading what={`the answer of ${model}`} />}
        {completion && <Warnings texts={completion.ml.warnings} />}
        {run && !isLive && <Facts facts={factsOfRun(run)} />}
        {completion && <Facts facts={factsOfCompletion(completion)} />}
      </Stack>
    </article>
  );
}

function Failed({ run: { error_code, message } }: { run: Run }) {
  return (
    <p role="alert">
      <strong>{message ?? 'The run failed.'}</strong> {error_code && <code>{error_code}</code>}
    </p>
  );
}

const Facts = ({ facts }: { facts: ReactNode }) => <small>{facts}</small>;

const tokensWords = (read: number, written: number): string =>
  `${formatCount(read)} tokens read, ${formatCount(written)} written`;
/** Small costs keep their first two digits. */
const costWords = (cost: number | undefined): string =>
  cost === undefined ? 'no price' : `$${cost >= 0.01 || cost === 0 ? cost.toFixed(2) : cost.toPrecision(2)}`;

/** Time is that of the steps: waiting for a person is not part of it. */
function factsOfRun({ usage, steps, definition }: Run): string {
  const ms = steps.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 0);
  const { model = '' } = (definition.llm ?? {}) as { model?: string };
  const words = [model, tokensWords(usage.input_tokens, usage.output_tokens), costWords(usage.cost), durationWords(ms)];
  return words.join(' · ');
}

function factsOfCompletion({ model, usage, ml }: Completion): string {
  const tokens = tokensWords(usage.prompt_tokens, usage.completion_tokens ?? 0);
  return [model, tokens, costWords(ml.cost), durationWords(ml.upstream_ms + ml.overhead_ms)].join(' · ');
}

const Question = styled.p`
  margin: 0;
  padding: 8px 12px;
  white-space: pre-wrap;
  color: ${variables.contentColorActive};
  background: ${variables.backgroundColorSection};
  border-inline-start: 3px solid ${variables.accentColorPositive};
`;

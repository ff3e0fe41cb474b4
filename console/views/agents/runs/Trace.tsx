import Heading from '@splunk/react-ui/Heading';
import { useEffect, useState } from 'react';
import type { RunDetail } from '../../../../client/src/index.ts';
import { Stack } from '../../../app/styles.ts';
import { useUrl } from '../../../app/url.ts';
import { DecidedNotice } from '../../../parts/runs/DecidedNotice.tsx';
import type { DecisionResult } from '../../../parts/runs/Decision.tsx';
import { useToolFacts } from '../../../parts/runs/toolFacts.ts';
import { needsDecision } from '../../../parts/runs/words.ts';
import { Shares } from './Bars.tsx';
import { TraceStep } from './Step.tsx';
import { lengthOf, sharesOf, spanOf } from './spans.ts';

/** The steps of a run, in order; the list grows while the run goes on. `step` in the address lists the unfolded steps. */
export default function Trace({ run }: { run: RunDetail }) {
  const { steps, state, run_id } = run;
  const [url, go] = useUrl();
  const [decided, setDecided] = useState<DecisionResult>();
  const tools = useToolFacts(steps.some(needsDecision));
  const open = new Set((url.get('step') ?? '').split(',').filter(Boolean));
  // The steps of another run are others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the run is left
  useEffect(() => () => go({ step: undefined }, 'replace'), [run_id]);
  const toggle = (index: string) => {
    const next = open.has(index) ? [...open].filter((step) => step !== index) : [...open, index];
    go({ step: next.join(',') }, 'replace');
  };
  const total = lengthOf(run, Date.now() / 1000);
  return (
    <section aria-label="Steps">
      <Stack>
        <Heading level={3} style={{ margin: 0 }}>
          Steps
        </Heading>
        <small role="status">{PROGRESS[state] ?? ''}</small>
        <DecidedNotice decided={decided} />
        {steps.length > 0 && <Shares shares={sharesOf(run, total)} total={total} />}
        <ol style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {steps.map((step) => (
            <TraceStep
              key={step.index}
              run={run}
              step={step}
              span={spanOf(run, step, total)}
              total={total}
              tool={step.name === undefined ? undefined : tools?.get(step.name)}
              isOpen={open.has(String(step.index))}
              onToggle={() => toggle(String(step.index))}
              onDecided={setDecided}
            />
          ))}
        </ol>
      </Stack>
    </section>
  );
}

const PROGRESS: Readonly<Partial<Record<RunDetail['state'], string>>> = {
  queued: 'The run waits for a search job to take its steps. This page follows it.',
  running: 'The run is under way. This page follows it.',
  waiting_for_approval: 'The run waits until somebody has decided.',
};

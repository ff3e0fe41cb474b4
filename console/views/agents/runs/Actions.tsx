import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run, RunDetail } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { useRefusal } from '../../../api/rights.ts';
import { useForm } from '../../../app/url.ts';
import { Action } from '../../../parts/Action.tsx';
import { lazyPart } from '../../../parts/lazyPart.tsx';
import { hasEnded, isDue, RUNS_KEY, showRun } from '../../../parts/runs/data.ts';
import { takeSteps } from '../../../parts/runs/takeSteps.ts';
import { useWork, WorkState } from '../../../parts/work.tsx';

const RunDialog = lazyPart(() => import('./RunDialog.tsx'));

const NOT_SAVED = 'This run is of a definition that was not saved as an agent';

/** Cancels a run, takes its steps if no search does, or starts another one like it. */
export function RunActions({ run }: { run: Run & Partial<Pick<RunDetail, 'steps'>> }) {
  const { run_id, agent } = run;
  const refusal = useRefusal();
  const client = useQueryClient();
  const again = useForm('again');
  const work = useWork<'cancel' | 'continue'>();
  const [isCancelled, setIsCancelled] = useState(false);
  const cancel = () =>
    work.start('cancel', async (signal) => {
      try {
        const { config } = await ml.call('cancelRun', { params: { run_id }, body: {} }, { signal });
        setIsCancelled(true);
        await showRun(client, config);
      } catch (error) {
        // The run may have ended meanwhile, or the answer was lost.
        await client.invalidateQueries({ queryKey: [RUNS_KEY] });
        throw error;
      }
    });
  const goOn = () => work.start('continue', (signal) => takeSteps(run_id, (now) => showRun(client, now), signal));
  const isOver = hasEnded(run);
  const isContinued = work.running === 'continue';
  return (
    <>
      {!isOver && (
        <Action
          label="Cancel"
          appearance="destructive"
          onClick={cancel}
          busy={work.running === 'cancel'}
          refusal={refusal('cancelRun')}
        />
      )}
      {(isContinued || (isDue(run) && run.job_id === undefined)) && (
        <Action label="Continue" onClick={goOn} busy={isContinued} refusal={refusal('stepRun')} />
      )}
      <Action
        label="Run again"
        onClick={again.open}
        refusal={refusal('startRun') ?? (agent === undefined ? NOT_SAVED : undefined)}
      />
      {isCancelled && !isOver && <span role="status">It ends with the step that is under way.</span>}
      <div style={{ flexBasis: '100%', order: 1 }}>
        <WorkState work={work} what={isContinued ? 'the steps of the run' : 'the run to end'} />
      </div>
      {again.isOpen && agent !== undefined && <RunDialog agent={agent} from={run} onClose={again.close} />}
    </>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Run } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { useRefusal } from '../../../api/rights.ts';
import { useForm } from '../../../app/url.ts';
import { Action } from '../../../parts/Action.tsx';
import { lazyPart } from '../../../parts/lazyPart.tsx';
import { hasEnded, RUNS_KEY, showRun } from '../../../parts/runs/data.ts';
import { useWork, WorkState } from '../../../parts/work.tsx';

const RunDialog = lazyPart(() => import('./RunDialog.tsx'));

const NOT_SAVED = 'This run is of a definition that was not saved as an agent';

/** Cancels a run, or starts another one like it. */
export function RunActions({ run }: { run: Run }) {
  const { run_id, agent } = run;
  const refusal = useRefusal();
  const client = useQueryClient();
  const again = useForm('again');
  const work = useWork<'cancel'>();
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
  const isOver = hasEnded(run);
  return (
    <>
      {!isOver && (
        <Action
          label="Cancel"
          appearance="destructive"
          onClick={cancel}
          busy={work.running !== undefined}
          refusal={refusal('cancelRun')}
        />
      )}
      <Action
        label="Run again"
        onClick={again.open}
        refusal={refusal('startRun') ?? (agent === undefined ? NOT_SAVED : undefined)}
      />
      {isCancelled && !isOver && <span role="status">It ends with the step that is under way.</span>}
      <div style={{ flexBasis: '100%', order: 1 }}>
        <WorkState work={work} what="the run to end" />
      </div>
      {again.isOpen && agent !== undefined && <RunDialog agent={agent} from={run} onClose={again.close} />}
    </>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import type { Agent } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { useRefusal } from '../../api/rights.ts';
import { Action } from '../../parts/Action.tsx';
import { useWork, WorkState } from '../../parts/work.tsx';

/** Requests the runtime of an agent again. */
export function Retry({ agent }: { agent: Agent }) {
  const { name, version, state } = agent;
  const client = useQueryClient();
  const refusal = useRefusal();
  const work = useWork<'retry'>();
  const retry = () =>
    work.start('retry', async () => {
      await ml
        .call('retryAgent', { params: { agent_name: name }, ifMatch: version })
        .finally(() => client.invalidateQueries({ queryKey: ['agents'] }));
    });
  if (state !== 'Failed' && work.failure === undefined) return null;
  return (
    <>
      {state === 'Failed' && (
        <Action
          label="Retry"
          onClick={retry}
          busy={work.running !== undefined}
          refusal={refusal('retryAgent', agent)}
        />
      )}
      {work.failure !== undefined && (
        <div style={{ flexBasis: '100%', order: 1 }}>
          <WorkState work={work} />
        </div>
      )}
    </>
  );
}

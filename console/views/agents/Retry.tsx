import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { useRefusal } from '../../api/rights.ts';
import { Action } from '../../parts/Action.tsx';
import { Problem } from '../../parts/Problem.tsx';

/** Requests the runtime of an agent again. */
export function Retry({ agent }: { agent: Agent }) {
  const { name, version, state } = agent;
  const client = useQueryClient();
  const refusal = useRefusal();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const retry = async () => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      await ml.call('retryAgent', { params: { agent_name: name }, ifMatch: version });
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
      await client.invalidateQueries({ queryKey: ['agents'] });
    }
  };
  if (state !== 'Failed' && failure === undefined) return null;
  return (
    <>
      {state === 'Failed' && (
        <Action label="Retry" onClick={retry} busy={isBusy} refusal={refusal('retryAgent', agent)} />
      )}
      {failure !== undefined && (
        <div style={{ flexBasis: '100%', order: 1 }}>
          <Problem error={failure} />
        </div>
      )}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { Agent } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { retryLoad } from '../../parts/retryLoad.ts';

interface Help {
  code: string;
  remedy: string | undefined;
}

/** Only the status call has the error code; for a finished action it changes nothing. */
async function helpFor({ name, tracking: { action } }: Agent, signal: AbortSignal): Promise<Help> {
  const { error_code } = await ml.call('followAgent', { params: { agent_name: name }, body: { action } }, { signal });
  const { remedyOf } = await retryLoad(() => import('../../../src/contract/codes/codes.ts'));
  return { code: error_code, remedy: remedyOf(error_code) };
}

/** The remedy for a failed agent. */
export function Remedy({ agent }: { agent: Agent }) {
  const { name, state, tracking, last_updated_at } = agent;
  const { data } = useQuery({
    queryKey: ['agents', 'help', name, state, tracking.started_at, last_updated_at],
    queryFn: ({ signal }) => helpFor(agent, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const again = state === 'Failed' ? 'Then retry it.' : 'Then delete it again.';
  if (!data) return <>–</>;
  return (
    <>
      {data.remedy} {again} {data.code && <code>{data.code}</code>}
    </>
  );
}

import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useRefusal, useWho } from '../../api/rights.ts';
import { lazyPart } from '../../parts/lazyPart.tsx';
import { RUNS_KEY } from '../../parts/runs/data.ts';
import { ReadState } from '../../parts/work.tsx';
import { readWaiting } from './waiting.ts';

const WaitingRuns = lazyPart(() => import('./WaitingRuns.tsx'));

const POLL_MS = 10_000;
/** Calls of agents that wait for a decision. Most users have none, so the forms are loaded for those who do. */
export function Approvals() {
  const { isPending } = useWho();
  const isRefused = useRefusal()('listRuns') !== undefined;
  const [wasShown, setWasShown] = useState(false);
  const read = useRead({
    queryKey: [RUNS_KEY, 'waiting'],
    queryFn: ({ signal }) => readWaiting(signal),
    enabled: !isPending && !isRefused,
    refetchInterval: POLL_MS,
  });
  const { data, error } = read;
  const isShown = wasShown || (data !== undefined && data.runs.length > 0);
  // The result of the last decision stays in view.
  if (isShown && !wasShown) setWasShown(true);
  return (
    <>
      {error && <ReadState read={read} what="the runs" />}
      {isShown && data && <WaitingRuns {...data} />}
    </>
  );
}

import { useRead } from '../../api/queries.ts';
import { useRefusal, useWho } from '../../api/rights.ts';
import { Columns, Stack } from '../../app/styles.ts';
import { lazyPart } from '../../parts/lazyPart.tsx';
import { ReadState } from '../../parts/work.tsx';
import { Approvals } from './Approvals.tsx';
import { Attention } from './Attention.tsx';
import { Counts } from './Counts.tsx';
import { countAll } from './counts.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { Health } from './Health.tsx';
import { isEmptySite, isUnfinished } from './steps.ts';

const Recent = lazyPart(() => import('./recent/Recent.tsx'));

const POLL_MS = 60_000;

export default function Overview() {
  const { isPending } = useWho();
  const refusal = useRefusal();
  const read = useRead({
    queryKey: ['counts'],
    queryFn: ({ signal }) => countAll(refusal, signal),
    enabled: !isPending,
    refetchInterval: POLL_MS,
  });
  const { data, error } = read;
  const isUsed = data ? !isEmptySite(data) : error !== null;
  return (
    <Stack style={{ gap: 24, marginTop: 12 }}>
      <Approvals />
      {data && isUnfinished(data) && <FirstSteps counts={data} />}
      {isUsed && <Recent />}
      {isUsed && <Attention />}
      <Columns>
        <div>
          {data && <Counts counts={data} />}
          {!data && <ReadState read={read} what="the counts" />}
        </div>
        <Health />
      </Columns>
    </Stack>
  );
}

import styled from 'styled-components';
import { useRead } from '../../api/queries.ts';
import { useRefusal, useWho } from '../../api/rights.ts';
import { Stack } from '../../app/styles.ts';
import { ReadState } from '../../parts/work.tsx';
import { Approvals } from './Approvals.tsx';
import { Attention } from './Attention.tsx';
import { Counts, FirstSteps } from './Counts.tsx';
import { countAll } from './counts.ts';
import { Health } from './Health.tsx';

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
  // Every site has models.
  const isNew = data?.every(([family, count]) => family === 'models' || typeof count !== 'number' || count === 0);
  return (
    <Stack style={{ gap: 24, marginTop: 12 }}>
      <Approvals />
      {isNew ? <FirstSteps /> : (data || error) && <Attention />}
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

const Columns = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(360px, 100%), 1fr));
  gap: 24px;
`;

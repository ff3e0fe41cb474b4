import type { LastTest } from '../../../client/src/index.ts';
import { StateBadge } from './Badge.tsx';
import { Time } from './Time.tsx';

/** Time and outcome of the last test. */
export function LastTestCell({ test }: { test: LastTest | null | undefined }) {
  if (!test) return <small>not tested yet</small>;
  const { status, error_code, tested_at, response_time_ms } = test;
  return (
    <>
      <StateBadge tone={status === 'success' ? 'success' : 'error'}>
        {status === 'success' ? `works, ${Math.round(response_time_ms)} ms` : (error_code ?? 'failed')}
      </StateBadge>{' '}
      <small style={{ whiteSpace: 'nowrap' }}>
        <Time at={tested_at} />
      </small>
    </>
  );
}

import { ml } from '../../../api/client.ts';
import { useRead } from '../../../api/queries.ts';
import type { TestResult } from '../../../parts/panel/resource.ts';
import { HealthBadge } from '../../../parts/text/HealthBadge.tsx';

const FAMILY = 'model_aliases' as const;

/** The health of an alias; all cells share one read. */
export function AliasHealth({ name }: { name: string }) {
  const { data } = useRead({
    queryKey: ['aliases', 'health'],
    queryFn: ({ signal }) => ml.call('listConnectionHealth', { query: { family: FAMILY, count: 0 } }, { signal }),
  });
  const health = data?.result.find((entry) => entry.name === name);
  if (!health) return '–';
  return (
    <>
      <HealthBadge state={health.state} /> {health.state !== 'untested' && <small>{health.reason}</small>}
    </>
  );
}

/** Tests every target. */
export async function testAlias(name: string, signal: AbortSignal): Promise<TestResult> {
  const body = { family: FAMILY, names: [name], max_age_s: 0 };
  const { result, warnings = [] } = await ml.call('checkConnectionHealth', { body }, { signal });
  const [health] = result;
  const success = health?.checked === true && health.state !== 'failing';
  return {
    success,
    message: [health?.reason, ...warnings].filter(Boolean).join('. '),
    ...(!success && health?.error_code ? { error_code: health.error_code } : {}),
    ...(!success && health?.remedy ? { remedy: health.remedy } : {}),
  };
}

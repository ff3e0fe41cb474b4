import type { LastTest } from '../../contract/schemas/common.ts';

/**
 * The result of the last test, as a saved record keeps it.
 * @param now epoch seconds
 */
export function lastTest(now: number, elapsedMs: number, error: { code: string } | undefined): LastTest {
  return {
    status: error ? 'fail' : 'success',
    error_code: error?.code ?? null,
    tested_at: now,
    response_time_ms: Math.round(elapsedMs),
  };
}

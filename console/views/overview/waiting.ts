import type { RunDetail } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { isOvertaken, readRun } from '../../parts/runs/data.ts';
import { needsDecision } from '../../parts/runs/words.ts';

/** The list of runs has the others. */
const MOST = 10;

export interface ApprovalList {
  runs: readonly RunDetail[];
  total: number;
}

/** Runs that wait for somebody who may decide, such as this user. */
export async function readWaiting(signal: AbortSignal): Promise<ApprovalList> {
  const query = { state: 'waiting_for_approval', count: MOST } as const;
  const { result, pagination } = await ml.call('listRuns', { query }, { signal });
  const runs: RunDetail[] = [];
  // One after the other: a driver serves one request at a time.
  for (const { run_id } of result) {
    const run = await readRun(run_id, 0, signal).catch((error: unknown) => {
      if (isOvertaken(error)) return undefined;
      throw error;
    });
    if (run?.state === 'waiting_for_approval' && run.steps.some(needsDecision)) runs.push(run);
  }
  return { runs, total: pagination.total };
}

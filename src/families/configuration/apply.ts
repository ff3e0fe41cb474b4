import type { Json } from '../../contract/basics.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { InternalCalls } from '../../contract/rows/internalCalls.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import type { Audit } from '../../domain/audit/audit.ts';
import type { Clock, Deadline } from '../../ports/platform/clock.ts';
import { RESERVE_MS } from './constants.ts';
import { type PlannedEntry, problemsOf } from './planned.ts';
import type { ImportResult } from './schemas.ts';

/** Creation times have a resolution of 1 ms. */
const LATER_MS = 2;

/** A failure of one record does not stop the others. Records not reached in time are left to the next call. */
export async function apply(
  planned: readonly PlannedEntry[],
  { calls, clock, audit }: { calls: InternalCalls; clock: Clock; audit: Audit },
  deadline: Deadline,
  warnings: string[],
): Promise<void> {
  const refusals = planned.flatMap(({ refused }) => (refused && isRefusal(refused) ? [refused] : []));
  const [first] = refusals;
  // One entry: a document of many refused records must not fill the audit trail.
  if (first) await audit.recordRefusals(refusals.length, first.code);
  for (const { result, request, isLater } of planned) {
    if (!request) continue;
    if (deadline.remaining() < RESERVE_MS) {
      result.outcome = 'not_reached';
      continue;
    }
    if (isLater) await clock.sleep(LATER_MS);
    await perform(result, calls.perform(request.id, { ...request.call, isImport: true }), deadline, warnings);
  }
}

/** A store failure is not a refusal. */
const isRefusal = ({ status }: Fault): boolean => status < 500;

async function perform(
  result: ImportResult,
  work: Promise<Json>,
  deadline: Deadline,
  warnings: string[],
): Promise<void> {
  try {
    const reply = await unlessAborted(work, deadline.signal);
    result.outcome = 'done';
    for (const warning of (reply.warnings ?? []) as string[])
      warnings.push(`${result.family}/${result.name}: ${warning}`);
  } catch (error) {
    if (error instanceof Fault) {
      result.outcome = 'failed';
      result.error_code = error.code;
      result.problems.push(...problemsOf(error));
    } else if (deadline.signal.aborted) {
      result.outcome = 'not_reached';
      const message = 'was not finished in time. Repeat the call to see the result.';
      result.problems.push({ field: '$record', message });
    } else throw error;
  }
}

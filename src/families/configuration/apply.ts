import type { Json } from '../../contract/basics.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { InternalCalls } from '../../contract/rows/internalCalls.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import type { Clock, Deadline } from '../../ports/platform/clock.ts';
import { RESERVE_MS } from './constants.ts';
import { type Planned, problemsOf } from './planned.ts';
import type { ImportResult } from './schemas.ts';

/** Creation times have a resolution of 1 ms. */
const LATER_MS = 2;

/** A failure of one record does not stop the others. Records not reached in time are left to the next call. */
export async function apply(
  planned: Iterable<Planned>,
  calls: InternalCalls,
  clock: Clock,
  deadline: Deadline,
  warnings: string[],
): Promise<void> {
  for (const { result, request, refused, isLater } of planned) {
    const isLate = deadline.remaining() < RESERVE_MS;
    if (refused && !isLate && isRefusal(refused.fault))
      await calls.refused(refused.request.id, refused.request.call, refused.fault);
    if (!request) continue;
    if (isLate) {
      result.outcome = 'not_reached';
      continue;
    }
    if (isLater) await clock.sleep(LATER_MS);
    await perform(result, calls.perform(request.id, request.call), deadline, warnings);
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

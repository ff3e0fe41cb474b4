import { Fault } from '../../../contract/codes/faults.ts';
import { EngineFailure } from '../../../ports/engines/containerEngine.ts';

/** What an engine refused, as the answer of a request: 502, or 504 when it did not answer in time, and why. */
export function engineFault(error: unknown, doing: string): Fault {
  if (!(error instanceof EngineFailure)) throw error;
  const code = error.timedOut ? 'upstream_timeout' : 'upstream_error';
  return new Fault(code, `${doing}: ${error.message}`, { reason: error.reason }, { cause: error });
}

/** Whatever the engine says about a container that was removed while it was at work, this is what happened. */
export const stoppedDuringStart = ({ model }: { model: string }): Fault =>
  new Fault('invalid_state', `${model} was stopped while it was being started`);

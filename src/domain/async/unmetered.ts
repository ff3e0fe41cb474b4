import type { Deadline } from '../../ports/platform/clock.ts';
import { BEGUN, type Upstream } from '../../ports/platform/upstream.ts';

/** For calls that are not a use: connection tests and listings of `/ml`. Nothing is counted or repeated. */
export const unmetered = (deadline: Deadline): Upstream => ({
  [BEGUN]: true,
  signal: deadline.signal,
  remaining: () => deadline.remaining(),
  hasRepeated: false,
  request: (send) => send(),
  mayBegin: () => true,
});

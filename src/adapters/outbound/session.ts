import type { OutboundError } from '../../contract/codes/outbound.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Trust } from './agents.ts';

export interface SessionOptions extends Trust {
  deadline: Deadline;
  secrets?: readonly (string | undefined)[] | undefined;
  maxBytes?: number | undefined;
  /** Whether one 307 or 308 to the same scheme, host and port is followed, with its body. */
  followsSameOrigin?: boolean | undefined;
  /** Called for network and policy failures, not for aborts by the caller. */
  onFailure?: ((failure: OutboundError, asked: { method: string }) => void) | undefined;
}

/** A fetch for libraries. */
export interface OutboundSession {
  fetch: typeof fetch;
  /** Aborts the session's calls in progress. */
  close(): void;
}

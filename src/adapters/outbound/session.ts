import type { OutboundError } from '../../contract/codes/outbound.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Trust } from './agents.ts';

export interface SessionOptions extends Trust {
  deadline: Deadline;
  secrets?: readonly (string | undefined)[] | undefined;
  maxBytes?: number | undefined;
  /** Told of every failure of the network or the policy, with what was asked; not of aborts by the caller. */
  onFailure?: ((failure: OutboundError, asked: { method: string }) => void) | undefined;
}

/** A fetch for libraries that bring their own HTTP client. */
export interface OutboundSession {
  fetch: typeof fetch;
  /** Aborts the calls of the session that are under way. */
  close(): void;
}

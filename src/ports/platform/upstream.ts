import type { Deadline } from './clock.ts';

/**
 * Marks the right to call an upstream. Two functions make one: the frame of the gateway, for a use that has begun, and `unmetered`,
 * for tests and listings of `/ml`.
 */
export const BEGUN: unique symbol = Symbol('begun');

export interface RequestOptions {
  /** False for a request that is never sent once more. */
  mayRepeat?: boolean;
  /** False for a request that only prepares the call, such as a listing: it counts if it fails. */
  isCounted?: boolean;
}

/** The right to call one upstream, until a deadline. */
export interface Upstream extends Deadline {
  readonly [BEGUN]: true;
  /** Whether a request was sent once more. */
  readonly hasRepeated: boolean;
  /** Sends one request. Those of a use are counted, timed and repeated. */
  request<T>(send: () => Promise<T>, options?: RequestOptions): Promise<T>;
  /** False once no further request may begin. */
  mayBegin(): boolean;
}

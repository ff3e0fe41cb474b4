import type { Caller } from '../../contract/caller.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Charge } from '../prices/price.ts';
import type { RecordedUse } from './recordedUse.ts';
import type { Tokens } from './tokens.ts';

/** How a use is served: as a request of its own, or as an item of a batch. */
export interface Serving {
  caller: Caller;
  /** Takes the slot, after the caller's rights are known. @throws Fault `too_many_requests` */
  enter(): Promise<Deadline>;
  /** All tries of an item of a batch are one use. */
  use: RecordedUse;
  /** Whether a call is repeated after a 429; a batch waits by itself. */
  waits: boolean;
  /** In a batch: after it, no further call of the item begins. */
  beginning?: Deadline;
  /** Once the limits have admitted the use, just before an upstream is asked; a fallback is asked after a further call. */
  beforeCall?: () => Promise<void>;
}

export interface Served<R> {
  response: R;
  tokens: Tokens;
  charge: Charge | undefined;
  /** Of the reply's envelope. */
  warnings?: readonly string[];
}

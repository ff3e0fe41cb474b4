import type { Caller } from '../../contract/caller.ts';
import type { UsageOperation } from '../../contract/families/usage.ts';
import type { LlmReference } from '../../contract/schemas/llmReference.ts';

/** Amounts that a use takes from its limits. */
export interface UsedAmounts {
  /** Input and output together. */
  tokens: number;
  /** US dollars; undefined without a price. */
  cost: number | undefined;
}

/** Usage limits, as one process applies them. */
export interface UseLimits {
  /** Begins to read the limits, while it is found out what is asked for. */
  prepare(): void;
  begin(use: {
    caller: Caller;
    operation: UsageOperation;
    /** The alias by which the model was called. */
    alias: string | undefined;
    /** A reservation ends 30 s after this time has passed, whatever becomes of the process. */
    deadlineMs: number;
  }): LimitReservation;
}

/** The limits that hold one use, which counts as one request however many targets it asks. */
export interface LimitReservation {
  /** Warnings of limits that only warn. */
  readonly warnings: readonly string[];
  /**
   * Just before the first call to a target: takes from the limits that hold this target and that the use has not taken from.
   * Has taken nothing when it throws.
   * @param estimate of the call: characters / 3.5, and `max_tokens`
   * @throws Fault `limit_exceeded`, `store_unavailable`
   */
  admit(target: LlmReference, estimate: UsedAmounts): Promise<void>;
  /** Returns all that was taken: nobody was asked. Never rejects. */
  release(): Promise<void>;
  /**
   * Puts what was used in the place of the estimates. Written with the sums of this process.
   * @param answered limits that do not hold this target count the request alone; undefined: none answered
   */
  settle(used: UsedAmounts, answered?: LlmReference): void;
}

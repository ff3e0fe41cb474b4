import type { Caller } from '../contract/caller.ts';
import type { OutboundError } from '../contract/codes/outbound.ts';
import type { UsageOperation } from '../contract/families/usage.ts';
import type { FeatureFlag } from '../contract/settings/flags.ts';
import type { ChatRequest, LlmIdentity, ToolCall } from '../families/llm-providers/public.ts';
import type { MaskedContent } from '../masking/outgoing.ts';
import type { CallEstimate, MeteredUse } from '../metering/meteredUse.ts';
import type { Charge } from '../metering/prices/price.ts';
import type { Prices } from '../metering/prices/prices.ts';
import type { Tokens } from '../metering/tokens.ts';
import type { Deadline } from '../ports/platform/clock.ts';
import type { Upstream } from '../ports/platform/upstream.ts';
import type { RequestContext } from './context.ts';

/** The context of one use, be it a request of its own, an item of a batch or a step of a run. */
export interface OperationContext {
  deps: RequestContext;
  caller: Caller;
  /** Takes the slot, after the caller's rights are known. @throws Fault `too_many_requests` */
  enter(): Promise<Deadline>;
  /** All tries of an item of a batch are one use. */
  use: MeteredUse;
  /** Whether a request is sent once more after a 429; a batch waits by itself. */
  waits: boolean;
  /** In a batch: after it, no further request of the item begins. */
  beginning?: Deadline;
  /** Once the limits have admitted the use, just before an upstream is asked; a fallback is asked after a further call. */
  beforeCall?: () => Promise<void>;
  /**
   * Puts values back in a tool call of a model's answer, where the default does not suit.
   * @param masked what the model was asked; undefined where no policy applied
   */
  restoreCall?: (call: ToolCall, masked: MaskedContent<ChatRequest> | undefined) => ToolCall;
  /** Whether a text may be replaced by words on why it is withheld, where a policy refuses what it holds. */
  mayWithhold?: (text: string) => boolean;
}

export interface OperationResult<R> {
  response: R;
  tokens: Tokens;
  charge: Charge | undefined;
  /** For sites that log contents. */
  output: unknown;
  /** For the reply's envelope. */
  warnings?: readonly string[];
}

/** Estimate of what a use would send. */
export interface DryRun {
  model: string;
  prompt: string;
  /** Places of the prompt that are masked, by kind; absent where there is none. */
  masked?: Readonly<Record<string, number>>;
  tokens_estimated: number;
  cost_estimated?: number;
}

/** Whom a use asks, as records of use name it. */
export interface Target extends LlmIdentity {
  /** Limit of all requests to it; undefined = what is left of the use. */
  timeoutMs?: number;
}

/** The right to ask a target, which also counts the tokens of its answers. */
export interface MeteredUpstream extends Upstream {
  /** An answer; tokens of all answers are added. @param model as the provider names it */
  count(tokens: Tokens, model?: string): void;
}

/** A use of which all is known but the answer. */
export interface Plan<T extends Target, A, R> {
  /** By which the model was called. */
  alias?: string | undefined;
  prices?: Prices;
  /** For sites that log contents. */
  input: unknown;
  /** Limit of all that the use does; undefined = what is left of the request. */
  timeoutMs?: number | undefined;
  /** In the order to ask. */
  targets: readonly LlmIdentity[];
  /** Reads what is needed to ask a target. @throws Fault; OutboundError `configuration_invalid` */
  open(target: LlmIdentity): Promise<T>;
  /** Absent where nothing is counted in tokens. */
  estimate?(target: T): CallEstimate;
  /** @throws Fault; OutboundError */
  send(upstream: MeteredUpstream, target: T): Promise<A>;
  /** Message of an answer that does not come in time; absent where `send` has its own. */
  lateText?(target: T): string;
  /** Called once a target has answered. Never rejects. */
  answered?(target: T): Promise<void>;
  /** Called with the failure of a target. Never rejects. */
  failed?(target: T, error: OutboundError): Promise<void>;
  /** Whether the next target is asked after an error. With it, a failure names what each target has failed with. */
  fallsBackOn?(code: string): boolean;
  /** @throws Fault, if the answer cannot be replied */
  result(answer: A, target: T): OperationResult<R>;
}

/** One way to use an upstream below `/ai_gateway`. `runOperation` is the only caller of its members. */
export interface Operation<B, T extends Target, A, R> {
  /** As records of use, limits and reports name it. */
  name: UsageOperation;
  /** Its endpoint, whose schema an item of a batch must match. */
  row?: string;
  /** Absent where what is used decides. */
  flag?: FeatureFlag;
  /** Its body may have bigints: integers beyond 2^53 keep their digits. */
  isExact?: true;
  /** It may change something: equal items of a batch are not joined, and no request is repeated without `pauseBefore`. */
  hasEffects?: true;
  /** Each of its requests may be repeated once; otherwise one of them. */
  repeatsEach?: true;
  /**
   * Milliseconds before a failed request is sent once more; undefined where it must not be. Absent: repeats where nothing of an
   * answer came.
   * @param waits whether to wait as a 429 asks
   */
  pauseBefore?(error: OutboundError, waits: boolean): number | undefined;
  /**
   * Judges the caller's rights; reads the platform alone.
   * @returns completes the plan once the slot is taken, and may ask a server or an engine for what it offers
   * @throws Fault
   */
  open(context: OperationContext, body: B): Promise<(deadline: Deadline) => Promise<Plan<T, A, R>>>;
  /** Absent where there is nothing to estimate. */
  dryRun?(deps: RequestContext, body: B, caller: Caller): Promise<DryRun>;
}

import type { Caller } from '../contract/caller.ts';
import { Fault } from '../contract/codes/faults.ts';
import { OutboundError } from '../contract/codes/outbound.ts';
import { OTEL_NAMES } from '../contract/families/llmProviders.ts';
import type { UsageOperation, UsageWay } from '../contract/families/usage.ts';
import type { LlmReference } from '../contract/schemas/llmReference.ts';
import { addKnown, roundDollars, roundTenths } from '../domain/values/numbers.ts';
import type { LimitReservation, UseLimits } from './limits/useLimits.ts';
import { Meter, type Times } from './meter.ts';
import { chargeFor } from './prices/price.ts';
import type { Prices } from './prices/prices.ts';
import { NO_TOKENS, type Tokens } from './tokens.ts';
import type { UseContent, UseRecord } from './usage/useRecord.ts';

/** Where the uses of a request come from. */
export interface UseOrigin {
  via: UsageWay;
  /** The search that sent it. */
  sid: string | undefined;
  requestId: string;
  /** The run that the use is a step of. */
  run?: { id: string; agent: string | undefined } | undefined;
}

export interface UseSite {
  caller: Caller;
  origin: UseOrigin;
  limits: UseLimits;
  newId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Keeps a record; it is written after the reply. */
  keep(use: UseRecord, content: UseContent): void;
}

/** Subject of a use. */
export interface UseSubject {
  operation: UsageOperation;
  alias: string | undefined;
  /** The target that is asked first. */
  target: LlmReference;
  prices: Prices;
  deadlineMs: number;
  input: unknown;
}

/** An estimate of what a call takes. */
export interface CallEstimate {
  input: number;
  /** The largest answer, if the request or the configuration bounds it. */
  output: number;
}

/** With these codes a call may have been processed, although no answer came. */
const CUT_OFF = ['timeout', 'connection_reset'];

/** One use under way: every call to an upstream is announced to it first. */
export class MeteredUse {
  readonly #site: UseSite;
  readonly meter: Meter;
  #subject: UseSubject | undefined;
  #limited: LimitReservation | undefined;
  /** The target that was asked last, and answered if nothing failed. */
  #target: LlmReference | undefined;
  #estimate: CallEstimate | undefined;
  #tokens: Tokens | undefined;
  #cost: number | undefined;
  #priceVersion: string | undefined;
  #responseModel: string | undefined;
  readonly #masked: Record<string, number> = {};
  /** In what uses within this one have sent. */
  readonly #maskedWithin: Record<string, number> = {};
  #unknown = 0;
  #repaired = 0;
  #input: unknown;
  #isAnswered = false;
  #output: unknown = null;
  /** Requests to upstreams so far. */
  attempts = 0;

  constructor(site: UseSite, meter: Meter) {
    this.#site = site;
    this.meter = meter;
  }

  get warnings(): readonly string[] {
    return this.#limited?.warnings ?? [];
  }

  /** Once what is asked for is known; repeated by a further try of the same use. */
  describe(subject: UseSubject): void {
    if (this.#subject) return;
    this.#subject = subject;
    const { operation, alias, deadlineMs } = subject;
    this.#limited = this.#site.limits.begin({ caller: this.#site.caller, operation, alias, deadlineMs });
  }

  /**
   * Just before a call to a target.
   * @param estimate undefined where nothing is counted in tokens
   * @throws Fault `limit_exceeded`, `store_unavailable`
   */
  async begin(target: LlmReference, estimate?: CallEstimate): Promise<void> {
    const { prices } = this.#subject as UseSubject;
    const { input, output } = estimate ?? { input: 0, output: 0 };
    const cost = estimate && chargeFor(prices(target), estimate)?.cost;
    await this.#limited?.admit(target, { tokens: input + output, cost });
    this.#target = target;
    this.#estimate = estimate;
  }

  /** An answer of the target; its tokens and their cost are added. @param model as the provider names it */
  count(tokens: Tokens, model?: string): void {
    this.#responseModel = model;
    const { prices } = this.#subject as UseSubject;
    const charge = this.#target && chargeFor(prices(this.#target), tokens);
    if (charge) {
      this.#cost = roundDollars((this.#cost ?? 0) + charge.cost);
      this.#priceVersion = charge.price_version;
    }
    const { input = 0, output = 0, cached, reasoning, estimated = false } = this.#tokens ?? {};
    this.#tokens = {
      input: input + tokens.input,
      output: output + tokens.output,
      cached: addKnown(cached, tokens.cached),
      reasoning: addKnown(reasoning, tokens.reasoning),
      estimated: estimated || tokens.estimated,
    };
  }

  /** The target has answered. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** The call to the target has failed. */
  failed(error: unknown): void {
    const { code = '', isAnswered = false } = error instanceof OutboundError ? error : {};
    const estimate = this.#estimate;
    if (estimate && (isAnswered || CUT_OFF.includes(code)))
      this.count({ input: estimate.input, output: 0, estimated: true });
  }

  /** Places that were masked in what is sent. @param counts by kind */
  countMasked(counts: Readonly<Record<string, number>>): void {
    addCounts(this.#masked, counts);
  }

  /** Placeholders of an answer. */
  countRestored({ unknown, repaired }: { unknown: number; repaired: number }): void {
    this.#unknown += unknown;
    this.#repaired += repaired;
  }

  /** Places that were masked, by kind, also within uses that it has made; undefined where there is none. */
  get masked(): Readonly<Record<string, number>> | undefined {
    const masked = { ...this.#masked };
    addCounts(masked, this.#maskedWithin);
    return Object.keys(masked).length > 0 ? masked : undefined;
  }

  /** Makes another use that this one needs, with a record and limits of its own. Its calls count as time of an upstream here. */
  async within<T>(work: (use: MeteredUse) => Promise<T>): Promise<T> {
    return recordUse(this.#site, new Meter(this.meter), async (use) => {
      const result = await work(use);
      addCounts(this.#maskedWithin, use.masked ?? {});
      return result;
    });
  }

  /** Content that was sent, for sites that log it, where it is not what was asked for. */
  set input(input: unknown) {
    this.#input = input;
  }

  /** Answer, for sites that log contents. */
  set output(output: unknown) {
    this.#output = output;
  }

  /** @param error what the use failed with; undefined for a success */
  async end(error: unknown): Promise<void> {
    if (this.attempts === 0 || !this.#subject) return this.#limited?.release();
    const { input, output } = this.#tokens ?? { input: 0, output: 0 };
    this.#limited?.settle({ tokens: input + output, cost: this.#cost }, this.#isAnswered ? this.#target : undefined);
    const content = {
      input: this.#input ?? this.#subject.input,
      output: error instanceof Error ? error.message : this.#output,
    };
    this.#site.keep(this.#record(this.#subject, error), content);
  }

  #record({ operation, alias, target: first, prices }: UseSubject, error: unknown): UseRecord {
    const target = (this.#isAnswered && this.#target) || first;
    // A call that failed before it took a token costs nothing, which is not the same as having no price.
    const charge = this.#tokens
      ? { cost: this.#cost, price_version: this.#priceVersion }
      : chargeFor(prices(target), NO_TOKENS);
    return useRecord(this.#site, {
      ...{ operation, alias, target, charge, tokens: this.#tokens, attempts: this.attempts },
      ...this.meter.times,
      responseModel: this.#isAnswered ? this.#responseModel : undefined,
      masked: Object.keys(this.#masked).length > 0 ? this.#masked : undefined,
      unknown: this.#unknown,
      repaired: this.#repaired,
      errorCode: error === undefined ? undefined : codeOf(error),
    });
  }
}

/** A use that has ended. */
interface EndedUse extends Times {
  operation: UsageOperation;
  target: LlmReference;
  attempts: number;
  alias?: string | undefined;
  responseModel?: string | undefined;
  tokens?: Tokens | undefined;
  charge?: { cost: number | undefined; price_version: string | undefined } | undefined;
  masked?: Readonly<Record<string, number>> | undefined;
  /** Placeholders of answers that stand for nothing, and those with one wrong character. */
  unknown?: number;
  repaired?: number;
  /** Undefined for a success. */
  errorCode?: string | undefined;
}

/** The record of a use, which is sent as an event and added to the sums. */
export function useRecord({ caller, origin, newId, now }: UseSite, ended: EndedUse): UseRecord {
  const { operation, target, alias, responseModel, charge, errorCode, attempts, upstreamMs, overheadMs } = ended;
  const { service, connection_name, model } = target;
  const { input, output, cached, reasoning, estimated } = ended.tokens ?? {};
  return {
    usage_id: newId(),
    time: now() / 1000,
    user: caller.user,
    via: origin.via,
    sid: origin.sid,
    run_id: origin.run?.id,
    agent: origin.run?.agent,
    operation,
    provider: service,
    otel_provider: OTEL_NAMES[service],
    connection: connection_name,
    model,
    response_model: responseModel,
    alias,
    input_tokens: input,
    cached_tokens: cached,
    output_tokens: output,
    reasoning_tokens: reasoning,
    estimated: estimated || undefined,
    cost: charge?.cost,
    price_version: charge?.price_version,
    masked: ended.masked,
    placeholders_unknown: ended.unknown || undefined,
    placeholders_repaired: ended.repaired || undefined,
    ...(errorCode === undefined ? { outcome: 'success' } : { outcome: 'fail', error_code: errorCode }),
    attempts,
    upstream_ms: roundTenths(upstreamMs),
    overhead_ms: roundTenths(overheadMs),
    request_id: origin.requestId,
  };
}

function addCounts(sums: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [kind, count] of Object.entries(counts)) sums[kind] = (sums[kind] ?? 0) + count;
}

const codeOf = (error: unknown): string =>
  error instanceof Fault || error instanceof OutboundError ? error.code : 'internal_error';

/** Runs one use: whatever calls an upstream goes through here. It leaves one record if it has asked anybody. */
export async function recordUse<T>(site: UseSite, meter: Meter, work: (use: MeteredUse) => Promise<T>): Promise<T> {
  site.limits.prepare();
  const use = new MeteredUse(site, meter);
  try {
    const result = await work(use);
    await use.end(undefined);
    return result;
  } catch (error) {
    await use.end(error);
    throw error;
  }
}

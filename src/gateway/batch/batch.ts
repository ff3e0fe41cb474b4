import { isObject, type Json } from '../../contract/basics.ts';
import { isRetryable } from '../../contract/codes/codes.ts';
import { Fault, invalid, type Problem } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { unlessAborted, within } from '../../domain/async/deadline.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import { mergedRow } from '../../domain/values/mergedRow.ts';
import { roundDollars } from '../../domain/values/numbers.ts';
import type { MeteredUse } from '../../metering/meteredUse.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { Pace } from './pace.ts';

export interface BatchTerms {
  parallel: number;
  deadlineMs: number;
  beginWithinMs: number;
  dedup: boolean;
  /** Whether an item is tried again after it was rate limited. */
  repeats: boolean;
}

export interface BatchItem {
  id: string;
  /** Its own fields, without those that all items have. */
  body: Json;
}

/** The reply to an item, the tokens that it took and, with a price, its cost in US dollars. */
export interface ItemReply {
  response: Json;
  tokens: { input: number; output: number };
  cost?: number | undefined;
}

/**
 * Nothing begins once the responses have so many characters: a larger reply could not be written, and what its calls have done
 * would be lost. Those under way may add 8 MiB each.
 */
const MAX_REPLY_CHARS = 16 * 1024 * 1024;

/** How the items of a batch are served. */
interface ItemSite {
  /** Records all tries of an item as one use. */
  record(work: (use: MeteredUse) => Promise<ItemReply>): Promise<ItemReply>;
  /** One try of an item, which begins no call after `beginning`; what it throws fails the item. */
  run(body: Json, use: MeteredUse, deadline: Deadline, beginning: Deadline): Promise<ItemReply>;
}

/** Sums of all calls, each counted once. */
interface BatchUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** Absent if no call has a price. */
  cost?: number;
}

export type ItemResult =
  | { id: string; status: 'done'; response: Json }
  | {
      id: string;
      status: 'failed';
      error_code: string;
      message: string;
      should_retry: boolean;
      retry_after?: number;
    }
  | { id: string; status: 'not_reached' };

/** @throws Fault `validation_failed` for ids that are missing or used twice */
export function itemsOf(items: readonly Json[]): BatchItem[] {
  const problems: Problem[] = [];
  const ids = new Set<unknown>();
  for (const [index, { id }] of items.entries()) {
    const field = `items.${index}.id`;
    if (typeof id !== 'string' || id === '') problems.push({ field, message: 'is required, as a text' });
    else if (ids.has(id)) problems.push({ field, message: 'is used twice' });
    ids.add(id);
  }
  if (problems.length > 0) throw invalid(problems);
  return items.map(({ id, ...body }) => ({ id: String(id), body }));
}

/** Makes numbers of bigints, in place: an item may be nested too deep for recursion. */
export function roundIntegers(body: object): void {
  const pending = [body as Record<string, unknown>];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const key of Object.keys(next)) {
      const value = next[key];
      if (typeof value === 'bigint') next[key] = Number(value);
      else if (typeof value === 'object' && value !== null) pending.push(value as Record<string, unknown>);
    }
  }
}

/**
 * Runs all items, `parallel` at a time. Begins nothing after `beginWithinMs` or when the reply is large, and fails what is under
 * way at the deadline.
 */
export async function runBatch(
  items: readonly BatchItem[],
  terms: BatchTerms,
  outer: Deadline,
  site: ItemSite,
): Promise<{ result: ItemResult[]; usage: BatchUsage }> {
  using deadline = within(outer, terms.deadlineMs);
  using beginning = within(deadline, terms.beginWithinMs);
  const groups = terms.dedup ? groupsOf(items) : items.map((item) => [item]);
  const pace = new Pace(terms.parallel);
  const usage = { prompt_tokens: 0, completion_tokens: 0 };
  let total: number | undefined;
  const results = new Map<string, ItemResult>();
  let next = 0;
  let chars = 0;

  async function work(): Promise<void> {
    for (;;) {
      if (next >= groups.length || !(await pace.enter(beginning))) return;
      const group = groups[next];
      if (!group || chars > MAX_REPLY_CHARS) return pace.leave();
      next += 1;
      const result = await askOne(asOne(group as [BatchItem, ...BatchItem[]]));
      const size = 'response' in result ? stringifyExact(result.response).length : 0;
      for (const [index, { id }] of group.entries()) {
        // Equal items can be asked again.
        if (index > 0 && chars > MAX_REPLY_CHARS) break;
        results.set(id, { ...result, id });
        chars += size;
      }
      pace.leave();
    }
  }

  async function askOne({ id, body }: BatchItem): Promise<ItemResult> {
    try {
      const { response, tokens, cost } = await unlessAborted(
        site.record((use) => ask(body, use)),
        deadline.signal,
      );
      usage.prompt_tokens += tokens.input;
      usage.completion_tokens += tokens.output;
      if (cost !== undefined) total = (total ?? 0) + cost;
      return { id, status: 'done', response };
    } catch (error) {
      return failed(id, faultOf(error, deadline));
    }
  }

  /** Again when the provider asks to wait. */
  async function ask(body: Json, use: MeteredUse): Promise<ItemReply> {
    for (;;) {
      try {
        return await site.run(body, use, deadline, beginning);
      } catch (error) {
        if (!terms.repeats || !isRateLimited(error)) throw error;
        // The pause is time that the provider takes, as it is outside a batch.
        const mayRepeat = await use.meter.upstream(() => pace.slowDown(waitOf(error), beginning));
        if (!mayRepeat) throw error;
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(terms.parallel, groups.length) }, work));
  const { prompt_tokens, completion_tokens } = usage;
  return {
    result: items.map(({ id }) => results.get(id) ?? { id, status: 'not_reached' }),
    usage: {
      prompt_tokens,
      completion_tokens,
      total_tokens: prompt_tokens + completion_tokens,
      ...(total === undefined ? {} : { cost: roundDollars(total) }),
    },
  };
}

/** A Fault, if all targets of an alias have failed. */
const isRateLimited = (error: unknown): error is Fault | OutboundError =>
  (error instanceof Fault || error instanceof OutboundError) && error.code === 'rate_limited';

/** Seconds that the provider asks to wait. */
function waitOf(error: Fault | OutboundError): number | undefined {
  if (error instanceof OutboundError) return error.retryAfter;
  const { retry_after } = error.extra;
  return typeof retry_after === 'number' ? retry_after : undefined;
}

/** Deeper items are asked each, and fail alone: writing them as JSON would exhaust the stack. */
const MAX_LEVELS = 256;

/** Items that are equal but for their id and the row that they are made of. */
function groupsOf(items: readonly BatchItem[]): BatchItem[][] {
  const groups = new Map<string, BatchItem[]>();
  for (const item of items) {
    const key = nestsDeeperThan(item.body, MAX_LEVELS) ? `id ${item.id}` : stringifyExact(sorted(item.body));
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** The first of equal items, with the named values of all of them, since each is masked in what they share. */
function asOne([first, ...others]: readonly [BatchItem, ...BatchItem[]]): BatchItem {
  const row = mergedRow([first, ...others].map(({ body }) => body.row).filter(isObject));
  return row ? { ...first, body: { ...first.body, row } } : first;
}

/** The order of keys does not matter. */
const sorted = ({ row: _, ...body }: Json): unknown => Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));

/** @throws what is neither a Fault, nor an OutboundError, nor the end of the deadline */
function faultOf(thrown: unknown, deadline: Deadline): Fault {
  if (thrown instanceof Fault) return thrown;
  if (thrown instanceof OutboundError) return Fault.of(thrown);
  if (!deadline.signal.aborted) throw thrown;
  return new Fault('timeout', 'No answer came within the deadline of the batch');
}

function failed(id: string, { code, message, extra }: Fault): ItemResult {
  const wait = extra.retry_after;
  return {
    id,
    status: 'failed',
    error_code: code,
    message,
    should_retry: isRetryable(code, extra),
    ...(typeof wait === 'number' ? { retry_after: wait } : {}),
  };
}

import type { Caller } from '../../contract/caller.ts';
import type { OutboundError } from '../../contract/codes/outbound.ts';
import type { LlmIdentity, OpenModel } from '../../families/llm-providers/public.ts';
import { type ModelRoute, nameOf } from '../../families/model-aliases/public.ts';
import { chargeFor } from '../../metering/prices/price.ts';
import type { Prices } from '../../metering/prices/prices.ts';
import type { RequestContext } from '../context.ts';
import type { DryRun, Plan } from '../operation.ts';

/** The part of a plan that every use of a model has. */
type RoutePlan = Pick<
  Plan<OpenModel, unknown, unknown>,
  'alias' | 'prices' | 'targets' | 'open' | 'lateText' | 'failed' | 'fallsBackOn'
>;

/** Asks the models of a route; an alias falls back on its next target. */
export function routePlan(
  { open, backoff }: Pick<RequestContext, 'open' | 'backoff'>,
  caller: Caller,
  { alias, targets }: ModelRoute,
  prices: Prices,
): RoutePlan {
  const plan: RoutePlan = {
    prices,
    targets,
    open: (target) => open(caller, target),
    lateText: (target) => `${nameOf(target)} did not answer in time`,
    failed(target, { code, retryAfter }: OutboundError) {
      if (code === 'rate_limited' && retryAfter !== undefined) backoff.pause(target, retryAfter);
    },
  };
  if (!alias) return plan;
  const ordered = alias.strategy === 'spread' ? spread(targets) : targets;
  const ready = ordered.filter((target) => !backoff.isPaused(target));
  return {
    ...plan,
    alias: alias.name,
    // When the providers of all targets asked to wait, the first is asked.
    targets: ready.length > 0 ? ready : ordered.slice(0, 1),
    // A target that is not found was deleted meanwhile.
    fallsBackOn: (code) => code === 'not_found' || (alias.fallback_on as readonly string[]).includes(code),
  };
}

/** A random one first, then the rest in order. */
function spread(targets: readonly LlmIdentity[]): LlmIdentity[] {
  const index = Math.floor(Math.random() * targets.length);
  return [targets[index] as LlmIdentity, ...targets.filter((_, other) => other !== index)];
}

/** As the caller named it. */
export const referenceFor = ({ alias }: ModelRoute, reference: string | undefined): string =>
  reference ?? alias?.name ?? '';

/** Estimates the prompt alone: how long the answer will be is unknown. */
export async function estimateUse(
  { prices }: Pick<RequestContext, 'prices'>,
  { targets }: ModelRoute,
  { prompt, tokens }: { prompt: string; tokens: number },
): Promise<DryRun> {
  const [first] = targets;
  const charge = first && chargeFor((await prices())(first), { input: tokens, output: 0 });
  return {
    model: first ? nameOf(first) : '',
    prompt,
    tokens_estimated: tokens,
    ...(charge ? { cost_estimated: charge.cost } : {}),
  };
}

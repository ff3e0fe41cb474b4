import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { Cooldowns, LlmIdentity, OpenModel } from '../../families/llm-providers/public.ts';
import { type ModelRoute, nameOf } from '../../families/model-aliases/public.ts';
import type { MaskedContent } from '../../masking/outgoing.ts';
import { chargeFor } from '../../metering/prices/price.ts';
import type { Prices } from '../../metering/prices/prices.ts';
import type { RequestContext } from '../context.ts';
import { hasMasked } from '../masking/chats.ts';
import type { DryRun, Plan } from '../operation.ts';

/** The part of a plan that every use of a model has. */
type RoutePlan = Pick<
  Plan<OpenModel, unknown, unknown>,
  'alias' | 'prices' | 'targets' | 'open' | 'lateText' | 'answered' | 'failed' | 'fallsBackOn'
>;

interface RouteSite extends Pick<RequestContext, 'open'> {
  caller: Caller;
  prices: Prices;
  cooldowns: Cooldowns;
}

/** Asks the models of a route; an alias falls back on its next target. */
export function routePlan({ open, caller, prices, cooldowns }: RouteSite, { alias, targets }: ModelRoute): RoutePlan {
  const plan: RoutePlan = {
    prices,
    targets,
    open: (target) => open(caller, target),
    lateText: (target) => `${nameOf(target)} did not answer in time`,
    answered: (target) => cooldowns.answered(target),
    failed: (target, error) => cooldowns.failed(target, error),
  };
  if (!alias) return plan;
  const ordered = alias.strategy === 'spread' ? spread(targets) : targets;
  return {
    ...plan,
    alias: alias.name,
    targets: cooldowns.order(ordered),
    // A target that is not found was deleted meanwhile; one that refuses the content is judged by policies of its own.
    fallsBackOn: (code) =>
      code === 'not_found' || code === 'content_refused' || (alias.fallback_on as readonly string[]).includes(code),
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

/** Asks for the first target whose policies do not refuse the content. @throws Fault as `send` */
export async function firstAllowed<T extends object>(
  { targets }: ModelRoute,
  send: (target: LlmIdentity) => Promise<T>,
): Promise<T & { target: LlmIdentity }> {
  let refusal: Fault | undefined;
  for (const target of targets) {
    try {
      return { ...(await send(target)), target };
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'content_refused') throw error;
      refusal ??= error;
    }
  }
  throw refusal ?? new Error('a route has at least one target');
}

interface EstimatedUse {
  target: LlmIdentity;
  prompt: string;
  tokens: number;
  masked?: MaskedContent<object> | undefined;
}

/** Estimates the prompt alone: how long the answer will be is unknown. */
export async function estimateUse(
  { prices }: Pick<RequestContext, 'prices'>,
  { target, prompt, tokens, masked }: EstimatedUse,
): Promise<DryRun> {
  const charge = chargeFor((await prices())(target), { input: tokens, output: 0 });
  return {
    model: nameOf(target),
    prompt,
    ...(masked && hasMasked(masked) ? { masked: masked.counts } : {}),
    tokens_estimated: tokens,
    ...(charge ? { cost_estimated: charge.cost } : {}),
  };
}

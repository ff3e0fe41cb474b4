import type { Caller } from '../../../contract/caller.ts';
import type { LlmReference } from '../../../contract/schemas/llmReference.ts';
import type { AgentDefinition } from '../../../families/agents/public.ts';
import { isRefusedByCallsUnderWay } from '../../../metering/limits/limitFaults.ts';
import { chargeFor } from '../../../metering/prices/price.ts';
import { NO_TOKENS } from '../../../metering/tokens.ts';
import type { RequestContext } from '../../context.ts';
import type { PreparedRun } from '../service.ts';
import { referenceOf } from '../steps/modelStep.ts';

/** The first use of a run. */
interface FirstUse {
  operation: 'chat' | 'invoke_agent';
  alias: string | undefined;
  /** Models or agents of which any may be asked first. */
  targets: readonly LlmReference[];
}

/**
 * Asks the usage limits whether they refuse the first use of a run by now. Nothing of them is used.
 * @throws Fault `limit_exceeded`, `store_unavailable`
 */
export async function assertWithinLimits(deps: RequestContext, caller: Caller, prepared: PreparedRun): Promise<void> {
  const { operation, alias, targets } = await firstUse(deps, caller, prepared);
  const prices = operation === 'chat' ? await deps.prices() : undefined;
  let refusal: unknown;
  for (const target of targets) {
    const reservation = deps.uses.limits.begin({ caller, operation, alias, deadlineMs: 0 });
    try {
      await reservation.admit(target, { tokens: 0, cost: chargeFor(prices?.(target), NO_TOKENS)?.cost });
      return await reservation.release();
    } catch (error) {
      // These end before the run begins, or make it wait.
      if (isRefusedByCallsUnderWay(error)) return;
      refusal = error;
    }
  }
  if (refusal !== undefined) throw refusal;
}

async function firstUse(deps: RequestContext, caller: Caller, { definition, agent }: PreparedRun): Promise<FirstUse> {
  const { runtime_type } = definition;
  if (runtime_type === 'BUILT_IN') {
    const { alias, targets } = await deps.resolve(caller, referenceOf(definition));
    return {
      operation: 'chat',
      alias: alias?.name,
      targets: alias?.strategy === 'spread' ? targets : targets.slice(0, 1),
    };
  }
  const target = runtime_type === 'CONTAINER' ? ofContainer(definition) : ofCloud(agent?.name ?? '');
  return { operation: 'invoke_agent', alias: undefined, targets: [target] };
}

const ofContainer = ({ runtime }: AgentDefinition): LlmReference => ({
  ...{ service: 'container', connection_name: 'container', model: runtime?.container ?? '' },
});

const ofCloud = (name: string): LlmReference => ({ service: 'CLOUD_AGENT_CORE', connection_name: name, model: name });

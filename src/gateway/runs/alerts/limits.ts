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
  target: LlmReference;
}

/**
 * Asks the usage limits whether they refuse the first use of a run by now. Nothing of them is used.
 * @throws Fault `limit_exceeded`, `store_unavailable`
 */
export async function assertWithinLimits(deps: RequestContext, caller: Caller, prepared: PreparedRun): Promise<void> {
  const { operation, alias, target } = await firstUse(deps, caller, prepared);
  const reservation = deps.uses.limits.begin({ caller, operation, alias, deadlineMs: 0 });
  const price = operation === 'chat' ? (await deps.prices())(target) : undefined;
  try {
    await reservation.admit(target, { tokens: 0, cost: chargeFor(price, NO_TOKENS)?.cost });
  } catch (error) {
    // These end before the run begins, or make it wait.
    if (!isRefusedByCallsUnderWay(error)) throw error;
  }
  await reservation.release();
}

async function firstUse(deps: RequestContext, caller: Caller, { definition, agent }: PreparedRun): Promise<FirstUse> {
  const { runtime_type } = definition;
  if (runtime_type === 'BUILT_IN') {
    const { alias, targets } = await deps.resolve(caller, referenceOf(definition));
    return { operation: 'chat', alias: alias?.name, target: targets[0] as LlmReference };
  }
  const target = runtime_type === 'CONTAINER' ? ofContainer(definition) : ofCloud(agent?.name ?? '');
  return { operation: 'invoke_agent', alias: undefined, target };
}

const ofContainer = ({ runtime }: AgentDefinition): LlmReference => ({
  ...{ service: 'container', connection_name: 'container', model: runtime?.container ?? '' },
});

const ofCloud = (name: string): LlmReference => ({ service: 'CLOUD_AGENT_CORE', connection_name: name, model: name });

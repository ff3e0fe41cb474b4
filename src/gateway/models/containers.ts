import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { openModelServer } from '../../families/containers/public.ts';
import { type LlmIdentity, type OpenModel, openServer } from '../../families/llm-providers/public.ts';
import type { ContainerDependencies } from '../../ports/engines/containerDependencies.ts';

/** @throws Fault `not_found`, `invalid_state`, `not_supported`; OutboundError `configuration_invalid` */
export async function openContainer(
  stores: Stores,
  containers: ContainerDependencies,
  plans: RecordPlans,
  { service, connection_name, model }: LlmIdentity,
): Promise<OpenModel> {
  const server = await openModelServer(stores, containers, plans, model);
  // There is no configuration with limits: the deadline of the request holds.
  const limits = { timeoutMs: Number.POSITIVE_INFINITY, maxTokens: undefined, temperature: undefined };
  return { service, connection_name, model, client: openServer(server), ...limits };
}

import type { Caller } from '../../contract/caller.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { type LlmIdentity, type OpenModel, openModel } from '../../families/llm-providers/public.ts';
import {
  isInContainer,
  type ModelRoute,
  type ReferenceSite,
  resolveModel,
} from '../../families/model-aliases/public.ts';
import type { ContainerDependencies } from '../../ports/engines/containerDependencies.ts';
import type { LlmDependencies } from '../../ports/llm/llmDependencies.ts';
import { once } from '../once.ts';
import { openContainer } from './containers.ts';

interface Site {
  stores: Stores;
  settings: ReferenceSite['settings'];
  llm: LlmDependencies;
  containers: ContainerDependencies;
  plans: RecordPlans;
}

/** What one request of one caller reads, each once: the items of a batch mostly ask the same model. */
export function modelOpeners({ stores, settings, llm, containers, plans }: Site) {
  const routes = new Map<string | undefined, Promise<ModelRoute>>();
  const site = { records: stores.records, settings };
  const models = new Map<string, Promise<OpenModel>>();
  return {
    /** @throws Fault `not_found`, `ambiguous_reference` */
    resolve: (caller: Caller, reference: string | undefined): Promise<ModelRoute> =>
      once(routes, reference, () => resolveModel(site, caller, reference)),
    /** @throws Fault `not_found`, `invalid_state`, `not_supported`; OutboundError `configuration_invalid` */
    open: (caller: Caller, model: LlmIdentity): Promise<OpenModel> =>
      once(models, JSON.stringify([model.service, model.connection_name, model.model]), () =>
        isInContainer(model)
          ? openContainer(stores, containers, plans, model)
          : openModel(stores, llm, plans, caller, model),
      ),
  };
}

import type { Caller } from '../../contract/caller.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { type LlmIdentity, type OpenModel, openModel } from '../../families/llm-providers/public.ts';
import { type ModelRoute, resolveModel } from '../../families/model-aliases/public.ts';
import type { LlmDependencies } from '../../ports/llm/llmDependencies.ts';
import { once } from '../use/once.ts';

interface Site {
  stores: Stores;
  llm: LlmDependencies;
  secretPaths: Readonly<Record<string, readonly string[]>>;
}

/** What one request of one caller reads, each once: the items of a batch mostly ask the same model. */
export function modelReadings({ stores, llm, secretPaths }: Site) {
  const routes = new Map<string | undefined, Promise<ModelRoute>>();
  const models = new Map<string, Promise<OpenModel>>();
  return {
    /** @throws Fault `not_found`, `ambiguous_reference` */
    resolve: (caller: Caller, reference: string | undefined): Promise<ModelRoute> =>
      once(routes, reference, () => resolveModel(stores.records, caller, reference)),
    /** @throws Fault `not_found`; OutboundError `configuration_invalid` */
    open: (caller: Caller, model: LlmIdentity): Promise<OpenModel> =>
      once(models, JSON.stringify([model.service, model.connection_name, model.model]), () =>
        openModel(stores, llm, secretPaths, caller, model),
      ),
  };
}

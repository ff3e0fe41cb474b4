import type { Caller } from '../../contract/caller.ts';
import { passes, READ_CONTAINERS, required } from '../../contract/capabilities.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { isFlagOnNow } from '../../contract/settings/flags.ts';
import type { ModelListing } from '../../families/model-files/public.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import { type FoundModel, PREDICTOR_KINDS, type PredictorKind } from './kinds.ts';

/** Names of models in containers begin so. */
const CONTAINER = 'container:';

interface NamingSite {
  listing: ModelListing;
  settings: Settings;
}

export type UsableModel = FoundModel & { kind: PredictorKind };

/**
 * The model that a caller means, if it can be applied.
 * @throws Fault `not_found`, also if the caller may not read it; `not_supported`, `feature_disabled`, `missing_capability`
 */
export async function usableModel(site: NamingSite, caller: Caller, name: string): Promise<UsableModel> {
  const model = await findModel(site, caller, name);
  const kind = PREDICTOR_KINDS[model.type];
  if (!(await isFlagOnNow(kind.flag, site.settings)))
    throw new Fault('feature_disabled', `The feature ${kind.flag} is switched off`);
  return { ...model, kind };
}

async function findModel({ listing }: NamingSite, caller: Caller, name: string): Promise<FoundModel> {
  if (name.startsWith(CONTAINER)) {
    assertSeesContainers(caller);
    return { type: 'container', reference: name, name: name.slice(CONTAINER.length) };
  }
  const entry = await listing.find(caller, name);
  if (!entry) {
    throw new Fault(
      'not_found',
      'The model does not exist, or you may not read it. GET /ml/list_models has the names.',
    );
  }
  const { type } = entry;
  if (type === 'lookup') {
    const message = `${entry.name} was made by the fit command: apply it with | apply. Only uploaded and registered models, and those in containers, can be applied here.`;
    throw new Fault('not_supported', message);
  }
  return { type, reference: entry.name, name: entry.name, entry };
}

function assertSeesContainers({ capabilities }: Caller): void {
  if (passes(READ_CONTAINERS, capabilities)) return;
  const names = required(READ_CONTAINERS);
  throw new Fault('missing_capability', `A model in a container requires one of ${names.join(', ')}`, {
    required: names,
  });
}

import type { Caller } from '../../contract/caller.ts';
import { passes, READ_CONTAINERS } from '../../contract/capabilities.ts';
import { isFlagOnNow } from '../../contract/settings/flags.ts';
import { CONTAINER, containerIn } from '../../domain/values/modelReference.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { findServed, type ServedModel, servedModels } from '../containers/public.ts';
import type { LlmIdentity, SavedModel } from '../llm-providers/public.ts';

/** Stores in which model references are looked up. */
export interface ReferenceSite {
  records: RecordStore;
  settings: Parameters<typeof isFlagOnNow>[1];
}

export const isInContainer = ({ service }: Pick<LlmIdentity, 'service'>): boolean => service === CONTAINER;

/** Language models in containers that answer, if the caller may use them. */
export async function modelsInContainers(site: ReferenceSite, caller: Caller): Promise<SavedModel[]> {
  return (await mayUse(site, caller)) ? (await servedModels(site.records)).map(modelOf) : [];
}

/** The model that `container/<model>` or `container/container/<model>` names. */
export async function modelInContainer(
  site: ReferenceSite,
  caller: Caller,
  reference: string,
): Promise<SavedModel | undefined> {
  return passes(READ_CONTAINERS, caller.capabilities) ? anyModelInContainer(site, reference) : undefined;
}

/** The same for a record that lends it. */
export async function anyModelInContainer(site: ReferenceSite, reference: string): Promise<SavedModel | undefined> {
  const name = containerIn(reference);
  if (name === undefined || !(await isOn(site))) return undefined;
  const served = await findServed(site.records, name);
  return served && modelOf(served);
}

const isOn = ({ settings }: ReferenceSite): Promise<boolean> => isFlagOnNow('containers', settings);

const mayUse = async (site: ReferenceSite, { capabilities }: Caller): Promise<boolean> =>
  passes(READ_CONTAINERS, capabilities) && (await isOn(site));

const modelOf = ({ name, created_at }: ServedModel): SavedModel => ({
  service: CONTAINER,
  connection_name: CONTAINER,
  model: name,
  created_at,
});

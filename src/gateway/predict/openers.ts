import type { Caller } from '../../contract/caller.ts';
import { ModelListing, UploadedModels } from '../../families/model-files/public.ts';
import type { LookupFiles } from '../../ports/stores/lookupFiles.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import type { Predictor } from '../../predictions/rows/prediction.ts';
import { once } from '../once.ts';
import type { PredictorSite } from './kinds.ts';
import { type UsableModel, usableModel } from './modelNames.ts';

/** A model, ready to be applied. */
export interface OpenModel {
  found: UsableModel;
  predictor: Predictor;
}

export interface PredictDependencies {
  listing: ModelListing;
  /** Judges the caller's rights, and asks nobody. @throws Fault `not_found` and others */
  findModel(caller: Caller, name: string): Promise<UsableModel>;
  /**
   * Opens each model once in a request, also for a batch. May ask an engine, for which a slot is needed.
   * @throws Fault `not_found` and others
   */
  openPredictor(caller: Caller, name: string): Promise<OpenModel>;
}

interface Site extends Omit<PredictorSite, 'listing'> {
  settings: Settings;
  /** With the caller's rights. */
  lookups: LookupFiles;
}

/** The models that one request of one caller applies, each read once. */
export function predictOpeners(site: Site): PredictDependencies {
  const { stores, lookups, settings } = site;
  const opened = new Map<string, Promise<OpenModel>>();
  const listing = new ModelListing(stores.records, lookups, new UploadedModels(stores, lookups));
  const models = new Map<string, Promise<UsableModel>>();
  const findModel = (caller: Caller, name: string) =>
    once(models, name, () => usableModel({ listing, settings }, caller, name));
  const open = async (caller: Caller, name: string): Promise<OpenModel> => {
    const model = await findModel(caller, name);
    return { found: model, predictor: await model.kind.open({ ...site, listing }, caller, model) };
  };
  return {
    listing,
    findModel,
    openPredictor: (caller, name) => once(opened, name, () => open(caller, name)),
  };
}

import type { Caller } from '../../contract/caller.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { FeatureFlag } from '../../contract/settings/flags.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { openContainerPredictor } from '../../families/containers/public.ts';
import type { ModelListing, NamedModel } from '../../families/model-files/public.ts';
import { openRegistration } from '../../families/sagemaker-endpoints/public.ts';
import type { CloudEndpoints } from '../../ports/cloud/cloudEndpoints.ts';
import type { ContainerDependencies } from '../../ports/engines/containerDependencies.ts';
import type { PredictionType, Predictor, UploadedModelPredictors } from '../../predictions/rows/prediction.ts';

/** Dependencies that reach models. */
export interface PredictorSite {
  stores: Stores;
  modelEndpoints: CloudEndpoints;
  containers: ContainerDependencies;
  plans: RecordPlans;
  listing: ModelListing;
  /** Shared by all requests of the process. */
  uploadedModels: UploadedModelPredictors;
}

/** A model that a caller has named and may use. */
export interface FoundModel {
  type: PredictionType;
  /** By which it can be named again. */
  reference: string;
  /** As created, among those of its type. */
  name: string;
  /** Absent for a container. */
  entry?: NamedModel;
}

/** How models of one type are applied. */
export interface PredictorKind {
  flag: FeatureFlag;
  /** In records of use. */
  provider: string;
  /** Whether searches apply such a model by themselves, and only begin and end their use here. */
  runsInSearches?: true;
  /** @throws Fault `not_found` and others, before anything is asked */
  open(site: PredictorSite, caller: Caller, model: FoundModel): Promise<Predictor>;
}

/** Another type of model is one entry here. */
export const PREDICTOR_KINDS: Readonly<Record<PredictionType, PredictorKind>> = {
  onnx: {
    flag: 'model_upload',
    provider: 'onnx',
    runsInSearches: true,
    open: async ({ listing, uploadedModels }, _caller, { entry }) =>
      uploadedModels.of(await listing.openFile(entry as NamedModel)),
  },
  cloud: {
    flag: 'model_registration',
    provider: 'sagemaker',
    open: ({ stores, modelEndpoints, plans }, caller, { name }) =>
      openRegistration(stores, modelEndpoints, plans, caller, name),
  },
  container: {
    flag: 'containers',
    provider: 'container',
    open: ({ stores, containers, plans }, _caller, { name }) => openContainerPredictor(stores, containers, plans, name),
  },
};

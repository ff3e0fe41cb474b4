import type { Doc } from '../../ports/stores/recordStore.ts';

export const UPLOADED_MODELS = 'ml_uploaded_models';

/** An input or output; type and shape are null if it is no tensor. */
export interface StoredTensor {
  name: string;
  type: string | null;
  shape: (number | null)[] | null;
}

/** Inputs and outputs of a model as the runtime describes it. Models that were uploaded before it was asked have none. */
export interface Signature {
  inputs: StoredTensor[];
  outputs: StoredTensor[];
}

/** Metadata of a model file; size and digest show whether it still applies. */
export interface ModelContent extends Partial<Signature> {
  features: string[];
  targets: string[];
  file_name?: string;
  uploaded_at: number;
  uploaded_by: string;
  size_bytes?: number;
  sha256?: string;
}

export interface ModelRecord extends Doc, ModelContent {
  model_name: string;
  /** Owner of a private model, or `nobody`. */
  place: string;
  /** Content being written: until it is removed, the file has either this or the recorded content. */
  pending?: ModelContent;
}

import type { CollectionShape, ShapeOf } from '../../domain/records/shape.ts';
import * as is from '../../domain/records/shape.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';

export const UPLOADED_MODELS = 'ml_uploaded_models';

/** An input or output; type and shape are null if it is no tensor. */
export interface StoredTensor {
  name: string;
  type: string | null;
  shape: (number | null)[] | null;
}

/** What the runtime says of a model. Models that were uploaded before it was asked have none. */
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

const tensors = is.arrayOf(
  is.fields<StoredTensor>({
    name: is.text,
    type: is.nullable(is.text),
    shape: is.nullable(is.arrayOf(is.nullable(is.number))),
  }),
);

const content: ShapeOf<ModelContent> = {
  features: is.texts,
  targets: is.texts,
  file_name: is.optional(is.text),
  uploaded_at: is.number,
  uploaded_by: is.text,
  size_bytes: is.optional(is.number),
  sha256: is.optional(is.text),
  inputs: is.optional(tensors),
  outputs: is.optional(tensors),
};

const model: ShapeOf<ModelRecord> = {
  ...content,
  model_name: is.text,
  place: is.text,
  pending: is.optional(is.fields(content)),
};

export const uploadedModelShapes: Record<string, CollectionShape> = {
  [UPLOADED_MODELS]: { family: 'models', shape: model, replaceable: true },
};

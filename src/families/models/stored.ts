import {
  type CollectionShape,
  fields,
  number,
  optional,
  type ShapeOf,
  text,
  texts,
} from '../../domain/records/shape.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';

export const UPLOADED_MODELS = 'ml_uploaded_models';

/** Metadata of a model file; size and digest show whether it still applies. */
export interface ModelContent {
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

const content: ShapeOf<ModelContent> = {
  features: texts,
  targets: texts,
  file_name: optional(text),
  uploaded_at: number,
  uploaded_by: text,
  size_bytes: optional(number),
  sha256: optional(text),
};

const model: ShapeOf<ModelRecord> = {
  ...content,
  model_name: text,
  place: text,
  pending: optional(fields(content)),
};

export const uploadedModelShapes: Record<string, CollectionShape> = {
  [UPLOADED_MODELS]: { family: 'models', shape: model, replaceable: true },
};

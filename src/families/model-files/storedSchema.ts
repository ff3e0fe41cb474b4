import { Type } from 'typebox';
import { Nullable, StringList } from '../../contract/schemas/stored.ts';

const Tensors = Type.Array(
  Type.Object({
    name: Type.String(),
    type: Nullable(Type.String()),
    shape: Nullable(Type.Array(Nullable(Type.Number()))),
  }),
);

const content = {
  features: StringList,
  targets: StringList,
  file_name: Type.Optional(Type.String()),
  uploaded_at: Type.Number(),
  uploaded_by: Type.String(),
  size_bytes: Type.Optional(Type.Number()),
  sha256: Type.Optional(Type.String()),
  inputs: Type.Optional(Tensors),
  outputs: Type.Optional(Tensors),
};

export const StoredUploadedModel = Type.Object({
  ...content,
  model_name: Type.String(),
  place: Type.String(),
  pending: Type.Optional(Type.Object(content)),
});

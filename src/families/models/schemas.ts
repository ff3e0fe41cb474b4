import { type Static, Type } from 'typebox';
import { named } from '../../contract/named.ts';
import { MAX_FEATURES } from './constants.ts';
import { MODEL_NAME_MESSAGE, MODEL_NAME_PATTERN } from './files.ts';

export const ModelName = Type.String({
  maxLength: 128,
  pattern: MODEL_NAME_PATTERN,
  description: 'Name of the model; its lookup file is __mlspl_<name>.onnx.',
  'x-trim': true,
  'x-message': MODEL_NAME_MESSAGE,
});

const Names = (description: string) =>
  Type.Union([Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { maxItems: MAX_FEATURES }), Type.String()], {
    description: `${description}: a list, or their names joined by commas`,
  });

export const Sharing = named('ModelSharing', Type.Enum(['user', 'app']));

export const UploadInput = named(
  'ModelUpload',
  Type.Object({
    model_name: ModelName,
    features: Names('Fields that the model is given, in the order of its first input'),
    targets: Names('Fields that it predicts'),
    model_file: Type.String({ description: 'The ONNX file, at most 31,457,280 bytes' }),
    file_name: Type.Optional(
      Type.String({ maxLength: 1024, description: "The caller's own name for it; kept for information" }),
    ),
    overwrite: Type.Optional(
      Type.Union([Type.Boolean(), Type.Enum(['true', 'false', '1', '0'])], {
        description: 'Replace a model of this name. Default false.',
      }),
    ),
    sharing: Type.Optional(Type.Enum(['user', 'app'], { description: "Private (user) or the app's. Default user." })),
  }),
);

export const ListedModel = named(
  'Model',
  Type.Object({
    name: Type.String(),
    type: Type.Enum(['onnx', 'cloud', 'lookup']),
    algorithm: Type.Optional(Type.String()),
    features: Type.Array(Type.String()),
    targets: Type.Array(Type.String()),
    endpoint_name: Type.Optional(Type.String({ description: 'Of a cloud model' })),
    owner: Type.String(),
    app: Type.String(),
    sharing: Type.Enum(['user', 'app', 'global']),
    size_bytes: Type.Optional(Type.Integer({ description: 'Of the file' })),
    updated_at: Type.Number({
      description: 'Epoch seconds with a fraction; 0 where this member does not have the file',
    }),
  }),
);

const Tensor = named(
  'ModelTensor',
  Type.Object({
    name: Type.String(),
    shape: Type.Union([Type.Array(Type.Union([Type.Integer(), Type.Null()])), Type.Null()], {
      description: 'null for an open dimension, or where there is no shape',
    }),
  }),
);

export const UploadedModel = named(
  'UploadedModel',
  Type.Object({
    ...ListedModel.properties,
    file_name: Type.Optional(Type.String()),
    ir_version: Type.Integer(),
    opset_version: Type.Union([Type.Integer(), Type.Null()]),
    inputs: Type.Array(Tensor),
    outputs: Type.Array(Tensor),
  }),
);

export type UploadInput = Static<typeof UploadInput>;
export type ListedModel = Static<typeof ListedModel>;
export type UploadedModel = Static<typeof UploadedModel>;

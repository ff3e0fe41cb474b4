import { type Static, Type } from 'typebox';
import { Flag, SharingInput, SharingOf } from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { FLAG_TEXTS } from '../../contract/settings/flags.ts';
import { MAX_FEATURES, MODEL_NAME_MESSAGE, MODEL_NAME_PATTERN } from './files.ts';

export const ModelName = Type.String({
  maxLength: 128,
  pattern: MODEL_NAME_PATTERN,
  description: 'Name of the model; its lookup file is __mlspl_<name>.onnx',
  'x-trim': true,
  'x-message': MODEL_NAME_MESSAGE,
});

/** @param least fewest names that there have to be */
const Names = (description: string, least: 0 | 1) =>
  Type.Union(
    [
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
        maxItems: MAX_FEATURES,
        'x-form': { minItems: least, uniqueItems: true },
      }),
      Type.String({ 'x-form': { minLength: least } }),
    ],
    {
      description: `${description}: a list of names, or a text with the names between commas`,
    },
  );

export const SharingView = SharingOf(
  'Who can see it, in the words of the platform: its owner, users of the app, users of all apps',
);
const FEATURES = 'Fields that the model is given';
const TARGETS = 'Fields that it predicts';
const INPUTS = 'Of an uploaded model: what its graph is given, without constants';
const FILE_NAME = "The caller's own name for the file; kept for information";

export const UploadInput = named(
  'ModelUpload',
  Type.Object(
    {
      model_name: ModelName,
      features: Names(`${FEATURES}, in the order of its first input`, 1),
      targets: Names(TARGETS, 0),
      model_file: Type.String({ description: 'The ONNX file, at most 31,457,280 bytes; in JSON as base64' }),
      file_name: Type.Optional(Type.String({ maxLength: 1024, description: FILE_NAME })),
      overwrite: Type.Optional(
        Type.Union([Type.Boolean(), narrowed(Flag, Type.Enum([...FLAG_TEXTS]))], {
          default: false,
          description: 'Replace a model of this name; otherwise that is a failure',
        }),
      ),
      sharing: Type.Optional(
        SharingInput("user: the model is the caller's own. app: it is shared in the app.", { default: 'user' }),
      ),
    },
    { description: 'An ONNX model to upload' },
  ),
);

export const ModelType = named(
  'ModelType',
  Type.Enum(['onnx', 'cloud', 'lookup'], {
    description: 'onnx: uploaded. cloud: registered, at an endpoint in the cloud. lookup: made by the fit command.',
  }),
);
export const Owner = Type.String({ description: 'User whose model it is' });

const Tensor = named(
  'ModelTensor',
  Type.Object(
    {
      name: Type.String({ description: 'Name of it in the graph' }),
      type: Type.Union([Type.String(), Type.Null()], {
        description: 'Type of its values, such as float32, int64 or string; null if it is no tensor, so not used',
      }),
      shape: Type.Union([Type.Array(Type.Union([Type.Integer(), Type.Null()])), Type.Null()], {
        description: 'Size of each dimension, null for an open one; null as a whole where there is no shape',
      }),
    },
    { description: 'An input or output of the graph' },
  ),
);

export const ListedModel = named(
  'Model',
  Type.Object(
    {
      name: Type.String({ description: 'Name by which searches apply the model' }),
      type: ModelType,
      algorithm: Type.Optional(Type.String({ description: 'Algorithm that a lookup model was fitted with, if known' })),
      features: Type.Array(Type.String(), { description: `${FEATURES}; empty if unknown` }),
      targets: Type.Array(Type.String(), { description: `${TARGETS}; empty if unknown` }),
      inputs: Type.Optional(
        Type.Array(Tensor, { description: `${INPUTS}; absent if it was uploaded before this was read` }),
      ),
      outputs: Type.Optional(Type.Array(Tensor, { description: 'Of an uploaded model: what it answers' })),
      endpoint_name: Type.Optional(
        Type.String({ description: 'Of a cloud model: the SageMaker endpoint that serves it' }),
      ),
      owner: Owner,
      app: Type.String({ description: 'Id of the app that the model belongs to' }),
      sharing: SharingView,
      size_bytes: Type.Optional(
        Type.Integer({ description: 'Size of the file in bytes; absent if there is none here' }),
      ),
      updated_at: Type.Number({
        description:
          'When the model was last written, epoch seconds with a fraction; 0 where this member does not have the file',
      }),
    },
    { description: 'A model that the caller may use, wherever it is kept' },
  ),
);

export const UploadedModel = named(
  'UploadedModel',
  Type.Object(
    {
      ...ListedModel.properties,
      file_name: Type.Optional(Type.String({ description: FILE_NAME })),
      ir_version: Type.Integer({ description: 'Version of the ONNX format that the file is in' }),
      opset_version: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Version of the standard operators; null if the model uses only others',
      }),
      inputs: Type.Array(Tensor, { description: 'What the model is given, constants of the graph left out' }),
      outputs: Type.Array(Tensor, { description: 'What the model answers' }),
    },
    { description: 'An uploaded model, with what its file says' },
  ),
);

export type UploadInput = Static<typeof UploadInput>;
export type ListedModel = Static<typeof ListedModel>;
export type UploadedModel = Static<typeof UploadedModel>;

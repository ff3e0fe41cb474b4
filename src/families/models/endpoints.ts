import { Type } from 'typebox';
import { ListQuery, Pagination } from '../../contract/common.ts';
import { endpoints } from '../../contract/endpoint.ts';
import { MAX_MODEL_BYTES, MAX_UPLOAD_BODY } from './constants.ts';
import { ListedModel, ModelName, Sharing, UploadedModel, UploadInput } from './schemas.ts';

const write = { gate: { all: ['upload_ml_models'] }, flag: 'model_upload' } as const;

export const models = endpoints({
  listModels: {
    method: 'GET',
    path: '/ml/list_models',
    summary: 'Models of the platform and registered cloud models that the caller may read.',
    gate: 'session',
    acl: true,
    query: ListQuery(['name', 'type', 'owner', 'app', 'sharing', 'updated_at'], {
      type: Type.Optional(Type.Enum(['onnx', 'cloud', 'lookup'])),
      owner: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    }),
    reply: Type.Object({ result: Type.Array(ListedModel), pagination: Pagination }),
    faults: [],
  },
  uploadModel: {
    method: 'POST',
    path: '/ml/upload_model',
    summary: 'Upload an ONNX model: base64 in JSON, or multipart/form-data with a part model_file.',
    ...write,
    body: UploadInput,
    maxBody: MAX_UPLOAD_BODY,
    file: { field: 'model_file', maxBytes: MAX_MODEL_BYTES },
    reply: Type.Object({ model_name: Type.String(), config: UploadedModel }),
    faults: ['already_exists', 'acl_denied'],
  },
  deleteModel: {
    method: 'DELETE',
    path: '/ml/list_models/{model_name}',
    summary: "Delete an uploaded model; of several with the same name, first the caller's own, then the app's.",
    ...write,
    params: Type.Object({ model_name: ModelName }),
    query: Type.Object({ sharing: Type.Optional(Sharing) }),
    unversioned: 'a model is a file of the platform, which has no versions',
    reply: Type.Object({ model_name: Type.String(), owner: Type.String(), sharing: ListedModel.properties.sharing }),
    faults: ['not_found', 'acl_denied'],
    addition: true,
  },
});

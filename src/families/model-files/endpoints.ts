import { Type } from 'typebox';
import { MAX_MODEL_BYTES } from '../../contract/families/models.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { ListQuery, Page, Pagination, Search, SharingInput } from '../../contract/schemas/common.ts';
import { MAX_UPLOAD_BODY } from './files.ts';
import { ListedModel, ModelName, ModelType, Owner, SharingView, UploadedModel, UploadInput } from './schemas.ts';

const DoneName = Type.String({ description: 'Name of the model' });

const write = { gate: { all: ['upload_ml_models'] }, flag: 'model_upload' } as const;

export const models = endpoints({
  listModels: {
    method: 'GET',
    path: '/ml/list_models',
    summary: 'Models of the platform and registered cloud models that the caller may read.',
    gate: 'session',
    acl: true,
    query: ListQuery(['name', 'type', 'owner', 'app', 'sharing', 'updated_at'], {
      search: Type.Optional(Search('the name')),
      type: Type.Optional(ModelType),
      owner: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: 'Only those of this user' })),
    }),
    reply: Type.Object({ result: Page(ListedModel), pagination: Pagination }, { description: 'A page of models' }),
    faults: [],
  },
  uploadModel: {
    method: 'POST',
    path: '/ml/upload_model',
    audit: { action: 'upload', name: ['body.model_name'] },
    summary: 'Upload an ONNX model: base64 in JSON, or multipart/form-data with a part model_file.',
    ...write,
    body: UploadInput,
    maxBody: MAX_UPLOAD_BODY,
    file: { field: 'model_file', maxBytes: MAX_MODEL_BYTES },
    reply: Type.Object({ model_name: DoneName, config: UploadedModel }, { description: 'The uploaded model' }),
    faults: ['already_exists', 'acl_denied', 'model_not_runnable'],
  },
  deleteModel: {
    method: 'DELETE',
    path: '/ml/list_models/{model_name}',
    audit: { action: 'delete', name: ['params.model_name'] },
    summary: "Delete an uploaded model; of several with the same name, first the caller's own, then the app's.",
    ...write,
    params: Type.Object({ model_name: ModelName }),
    query: Type.Object({
      owner: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description: 'Which of several with this name: that of this user, as list_models shows it',
        }),
      ),
      sharing: Type.Optional(SharingInput('Which of several with this name: user: a private one; app: the shared one')),
    }),
    unversioned: 'a model is a file of the platform, which has no versions',
    reply: Type.Object(
      { model_name: DoneName, owner: Owner, sharing: SharingView },
      { description: 'The model that was deleted' },
    ),
    faults: ['not_found', 'acl_denied'],
    addition: true,
  },
});

import { counted } from '../../contract/basics.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { type Handlers, withValidation } from '../../contract/rows/handlers.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { LookupFiles } from '../../ports/stores/lookupFiles.ts';
import type { models } from './endpoints.ts';
import { modelFiles, preferred } from './files.ts';
import { ModelListing } from './listing.ts';
import { type ModelChecks, ModelUpload, namesOf } from './upload.ts';
import { isDescribed, UploadedModels } from './uploaded.ts';

export function modelHandlers(
  stores: Pick<Stores, 'records' | 'clock' | 'log' | 'newId'>,
  lookups: LookupFiles,
  checks: ModelChecks,
): Handlers<typeof models> {
  const uploaded = new UploadedModels(stores, lookups);
  const listing = new ModelListing(stores.records, lookups, uploaded);
  const uploads = new ModelUpload(uploaded, stores.clock, lookups, checks);

  return {
    async listModels({ caller, query }) {
      const { result, pagination } = await listing.list(caller, query);
      return { result, pagination, message: counted(pagination.total, 'model') };
    },
    uploadModel: withValidation(async ({ caller, body, file }) => {
      const { file: made, facts, signature } = await uploads.upload(caller, body, file);
      const config = {
        ...(await listing.show(made)),
        size_bytes: file.byteLength,
        ...(body.file_name ? { file_name: body.file_name } : {}),
        ir_version: facts.ir_version,
        opset_version: facts.opset_version ?? null,
        ...signature,
      };
      return { message: 'Model uploaded', model_name: body.model_name, config };
    }, namesOf),
    async deleteModel({ caller, params, query }) {
      const { model_name } = params;
      const candidates = (await modelFiles(lookups, model_name))
        .filter((file) => file.model === model_name && isDescribed(file))
        .filter(({ owner }) => query.owner === undefined || owner === query.owner)
        .filter(({ sharing }) => query.sharing === undefined || (sharing === 'user') === (query.sharing === 'user'));
      const file = preferred(candidates, caller.user);
      if (!file) throw missing();
      if (!file.canWrite) throw new Fault('acl_denied', 'You lack write access to this model');
      if (!(await uploaded.remove(file))) throw missing();
      return { message: 'Model deleted', model_name, owner: file.owner, sharing: file.sharing };
    },
  };
}

const missing = () => new Fault('not_found', 'The uploaded model does not exist, or you may not read it');

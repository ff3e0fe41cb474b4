import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { MAX_MODEL_BYTES } from '../../contract/families/models.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import { type ListQueryValues, paginate, paginationOf } from '../../domain/lists/lists.ts';
import type { LookupFiles } from '../../ports/stores/lookupFiles.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import type { UploadedModelFile } from '../../predictions/rows/prediction.ts';
import {
  fieldsOf,
  type ModelView,
  type ListedModel as Registration,
  readableRegistration,
  readableRegistrations,
  readRegistrations,
} from '../sagemaker-endpoints/public.ts';
import { type ModelFile, modelFiles, preferred } from './files.ts';
import type { ListedModel } from './schemas.ts';
import { APP, ONNX, type UploadedModels } from './uploaded.ts';

/** Enough for the header line and the algorithm name. */
const HEAD_BYTES = 4096;

export interface ModelQuery extends ListQueryValues {
  type?: string;
  owner?: string;
}

/** Fields for filters and sorting, known without reading the file. */
export interface NamedModel {
  name: string;
  type: ListedModel['type'];
  owner: string;
  app: string;
  sharing: ListedModel['sharing'];
  updated_at: number;
  /** Unique. */
  id: string;
  file?: ModelFile;
  registration?: Registration;
}

/** Model files by the platform's rights, and registrations by their access lists. */
export class ModelListing {
  readonly #records: RecordStore;
  readonly #lookups: LookupFiles;
  readonly #uploads: UploadedModels;

  constructor(records: RecordStore, lookups: LookupFiles, uploads: UploadedModels) {
    this.#records = records;
    this.#lookups = lookups;
    this.#uploads = uploads;
  }

  async list(caller: Caller, query: ModelQuery): Promise<{ result: ListedModel[]; pagination: Pagination }> {
    const [files, registrations] = await Promise.all([
      modelFiles(this.#lookups),
      readableRegistrations(this.#records, caller),
    ]);
    const entries = [...files.map(ofFile), ...registrations.map(ofRegistration)]
      .filter(({ type }) => !query.type || type === query.type)
      .filter(({ owner }) => !query.owner || owner === query.owner);
    if (query.sort_key === 'updated_at') await Promise.all(entries.map((entry) => this.#date(entry)));
    const { result, pagination } = paginate(entries, { sort_key: 'name', ...query }, 'id', ['name']);
    const { here, gone, registered } = await this.#onPage(caller, result);
    const views = await this.#describe(here, registered);
    return { result: views, pagination: paginationOf(query, pagination.total - gone, views.length) };
  }

  /**
   * The model that the caller means: their own before shared ones, and of several with the same rank one that can be applied
   * before a lookup model. Undefined where they see none of this name.
   */
  async find(caller: Caller, name: string): Promise<NamedModel | undefined> {
    const [files, registration] = await Promise.all([
      modelFiles(this.#lookups, name),
      readableRegistration(this.#records, caller, name),
    ]);
    const entries = [
      ...files.filter(({ model }) => model === name).map(ofFile),
      ...(registration ? [ofRegistration(registration)] : []),
    ];
    const order: readonly NamedModel['type'][] = ['onnx', 'cloud', 'lookup'];
    return preferred(
      entries.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type)),
      caller.user,
    );
  }

  /** Undefined if it was deleted meanwhile. */
  async describe(caller: Caller, entry: NamedModel): Promise<ListedModel | undefined> {
    const { here, registered } = await this.#onPage(caller, [entry]);
    const [view] = await this.#describe(here, registered);
    return view;
  }

  /** The file of an uploaded model, to apply it. @throws Fault `not_found` if it is not on this member, `model_not_runnable` */
  async openFile({ name, file }: NamedModel): Promise<UploadedModelFile> {
    const info = file && (await this.#lookups.stat(file));
    if (!info) throw notHere(name);
    if (info.size > MAX_MODEL_BYTES) {
      throw new Fault('model_not_runnable', `The file of ${name} has more than ${MAX_MODEL_BYTES} bytes`);
    }
    const contents = await this.#uploads.contentsOf([file]);
    const { features = [], targets = [] } = contents.get(file) ?? {};
    const { app, owner, sharing } = file;
    return {
      model: name,
      features,
      targets,
      version: JSON.stringify([app, sharing, owner, name, info.size, info.changedAt]),
      read: async () => {
        const bytes = await this.#lookups.head(file, info.size);
        const now = bytes && (await this.#lookups.stat(file));
        if (!now) throw notHere(name);
        // Features and targets are those of the file that was there before.
        if (now.size !== info.size || now.changedAt !== info.changedAt) {
          throw new Fault('store_unavailable', `The model ${name} was replaced while it was read: send the rows again`);
        }
        return bytes;
      },
    };
  }

  /** Reads the registrations of the page as far as they fit, and skips those deleted meanwhile. */
  async #onPage(caller: Caller, entries: readonly NamedModel[]) {
    const keys = entries.flatMap(({ registration }) => registration?._key ?? []);
    const read = keys.length > 0 ? await readRegistrations(this.#records, caller, keys) : { records: [], consumed: 0 };
    const registered = new Map(read.records.map((record) => [record._key, record]));
    const beyond = new Set(keys.slice(read.consumed));
    const end = entries.findIndex(({ registration }) => registration && beyond.has(registration._key));
    const passed = end < 0 ? entries.length : end;
    const here = entries
      .slice(0, passed)
      .filter(({ registration }) => !registration || registered.has(registration._key));
    return { here, gone: passed - here.length, registered };
  }

  async show(file: ModelFile): Promise<ListedModel> {
    const [view] = await this.#describe([ofFile(file)]);
    return view as ListedModel;
  }

  async #date(entry: NamedModel): Promise<void> {
    if (entry.file) entry.updated_at = (await this.#lookups.stat(entry.file))?.changedAt ?? 0;
  }

  async #describe(
    entries: readonly NamedModel[],
    registered: ReadonlyMap<string, ModelView> = new Map(),
  ): Promise<ListedModel[]> {
    const uploads = await this.#uploads.contentsOf(entries.flatMap(({ file }) => file ?? []));
    return Promise.all(
      entries.map(async ({ name, type, owner, app, sharing, updated_at, file, registration }): Promise<ListedModel> => {
        const common = { name, type, owner, app, sharing };
        const model = registration && registered.get(registration._key);
        if (model) {
          return { ...common, ...fieldsOf(model), endpoint_name: model.endpoint_name, updated_at };
        }
        const upload = file && uploads.get(file);
        const info = file && (await this.#lookups.stat(file));
        const algorithm = file && type === 'lookup' ? await this.#algorithm(file) : undefined;
        return {
          ...common,
          ...(algorithm ? { algorithm } : {}),
          features: upload?.features ?? [],
          targets: upload?.targets ?? [],
          ...(upload?.inputs ? { inputs: upload.inputs } : {}),
          ...(upload?.outputs ? { outputs: upload.outputs } : {}),
          ...(info ? { size_bytes: info.size } : {}),
          updated_at: info?.changedAt ?? upload?.uploaded_at ?? 0,
        };
      }),
    );
  }

  /** Models of the `fit` command are tables whose first column names the algorithm. */
  async #algorithm(file: ModelFile): Promise<string | undefined> {
    const head = await this.#lookups.head(file, HEAD_BYTES);
    const [header = '', row = ''] = Buffer.from(head ?? [])
      .toString('latin1')
      .split(/\r?\n/);
    if (!/^"?algo"?(,|$)/.test(header)) return undefined;
    return /^"?([A-Za-z][A-Za-z0-9_]{0,127})"?(,|$)/.exec(row)?.[1];
  }
}

const notHere = (name: string) =>
  new Fault('not_found', `The file of ${name} is not on this member of the cluster, or not any more`);

function ofFile(file: ModelFile): NamedModel {
  const { model, extension, owner, app, sharing } = file;
  const id = [model, app, sharing === 'user' ? owner : '', extension].join('/').toLowerCase();
  return { name: model, type: extension === ONNX ? 'onnx' : 'lookup', owner, app, sharing, updated_at: 0, id, file };
}

function ofRegistration(registration: Registration): NamedModel {
  const { model_name: name, acl, last_updated_at: updated_at, _key } = registration;
  const { owner, sharing } = acl;
  return {
    name,
    type: 'cloud',
    owner,
    app: APP,
    sharing,
    updated_at,
    id: `${name.toLowerCase()}//${_key}`,
    registration,
  };
}

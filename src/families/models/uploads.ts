import { recordKey } from '../../domain/keys.ts';
import type { ModelFile } from '../../domain/modelFiles.ts';
import type { LookupFile } from '../../ports/lookupFiles.ts';
import type { Doc, RecordStore } from '../../ports/recordStore.ts';
import { UPLOADED_MODELS } from './constants.ts';

const KEYS_A_QUERY = 100;

/** What an upload tells of a model beside its file: the file alone says neither fields nor targets. */
export interface UploadRecord extends Doc {
  model_name: string;
  /** The user whose private model it is, or `nobody`. */
  place: string;
  features: string[];
  targets: string[];
  file_name?: string;
  uploaded_at: number;
  uploaded_by: string;
}

export const placeOf = ({ sharing, owner }: Pick<LookupFile, 'sharing' | 'owner'>): string =>
  sharing === 'user' ? owner : 'nobody';

/** Model names have case, and no dot: the last one ends the place. */
export const uploadKey = (place: string, model: string): string => `${recordKey(place)}.${model}`;

/** Later uploads of the same model replace it. */
export async function saveUpload(records: RecordStore, record: UploadRecord): Promise<void> {
  if (await records.replace(UPLOADED_MODELS, record)) return;
  if (!(await records.insert(UPLOADED_MODELS, record))) await records.replace(UPLOADED_MODELS, record);
}

/** The uploads of these files, by file; a file that was shared since is found by who uploaded it. */
export async function uploadsOf(
  records: RecordStore,
  files: readonly ModelFile[],
): Promise<Map<ModelFile, UploadRecord>> {
  const keysOf = (file: ModelFile) => [uploadKey(placeOf(file), file.model), uploadKey(file.owner, file.model)];
  const keys = [...new Set(files.flatMap(keysOf))];
  const known = new Map<string, UploadRecord>();
  for (let at = 0; at < keys.length; at += KEYS_A_QUERY) {
    const $or = keys.slice(at, at + KEYS_A_QUERY).map((_key) => ({ _key }));
    for (const record of await records.find<UploadRecord>(UPLOADED_MODELS, { query: { $or } })) {
      known.set(record._key, record);
    }
  }
  const pairs = files.map((file) => [file, keysOf(file).flatMap((key) => known.get(key) ?? [])[0]] as const);
  return new Map(pairs.filter((pair): pair is [ModelFile, UploadRecord] => pair[1] !== undefined));
}

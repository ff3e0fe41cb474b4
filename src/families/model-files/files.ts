import { MODEL_FILE_PREFIX } from '../../contract/families/models.ts';
import type { LookupContent, LookupFile, LookupFiles, LookupLocation } from '../../ports/stores/lookupFiles.ts';

/** Fits a model in base64 and the other fields. */
export const MAX_UPLOAD_BODY = 67_108_864;
export const MAX_FEATURES = 10_000;

/** A model name becomes part of a file name. */
export const MODEL_NAME_PATTERN = '^[A-Za-z_][A-Za-z0-9_]{0,127}$';
export const MODEL_NAME_MESSAGE =
  'must be 1 to 128 characters: first a letter (A-Z, a-z) or _, then letters, digits and _';

/** The lookup file `__mlspl_<model>.<extension>`. */
export interface ModelFile extends LookupFile {
  model: string;
  extension: string;
}

export async function modelFiles(lookups: LookupFiles, beginning = ''): Promise<ModelFile[]> {
  const files = await lookups.list(`${MODEL_FILE_PREFIX}${beginning}`);
  return files.flatMap((file) => {
    const match = /^(.+)\.([A-Za-z0-9]{1,16})$/.exec(file.name.slice(MODEL_FILE_PREFIX.length));
    return match?.[1] && match[2] ? [{ ...file, model: match[1], extension: match[2] }] : [];
  });
}

/** Prefers the caller's own model, then the one of this app. */
export function preferred<M extends ModelPlace>(models: readonly M[], user: string): M | undefined {
  const rank = ({ sharing, owner, app }: ModelPlace) =>
    (sharing === 'user' ? (owner === user ? 0 : 4) : 2) + (app === 'ml_extension' ? 0 : 1);
  return models.toSorted((a, b) => rank(a) - rank(b) || a.app.localeCompare(b.app))[0];
}

/** Whose a model is, and who sees it. */
type ModelPlace = Pick<LookupFile, 'sharing' | 'owner' | 'app'>;

/** @returns false if the file exists and may not be overwritten */
export async function writeFile(
  lookups: LookupFiles,
  target: LookupLocation,
  content: LookupContent,
  { overwrite, seen }: { overwrite: boolean; seen: LookupFile | undefined },
): Promise<boolean> {
  if (overwrite && seen && (await lookups.replace(seen, content))) return true;
  if (await lookups.create(target, content)) return true;
  // The file was created after the files were listed.
  const sharing = target.owner === 'nobody' ? 'app' : 'user';
  return overwrite && lookups.replace({ ...target, sharing, canWrite: true, path: '' }, content);
}

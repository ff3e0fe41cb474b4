/** Exports for other families: files of models, and how they are copied together with their fields. */
export {
  MODEL_NAME_MESSAGE,
  MODEL_NAME_PATTERN,
  type ModelFile,
  modelFiles,
  preferred,
  writeFile,
} from './files.ts';
export { ModelListing, type NamedModel } from './listing.ts';
export type { ModelContent } from './stored.ts';
export { isDescribed, lookupOwner, UploadedModels } from './uploaded.ts';

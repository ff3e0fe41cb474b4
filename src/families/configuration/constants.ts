import type { RESOURCE_FAMILIES } from '../../contract/families/resourceFamilies.ts';

/** The families whose records a document can hold. */
export const FAMILIES = [
  'agents',
  'container-connections',
  'experiments',
  'llm-providers',
  'masking_policies',
  'mcp-connections',
  'model-registrations',
  'model_aliases',
  'search_tools',
  'usage_limits',
  'vector-stores',
] as const satisfies readonly (typeof RESOURCE_FAMILIES)[number][];
export type Family = (typeof FAMILIES)[number];

export const FORMAT = 'ml_extension';
export const FORMAT_VERSION = 1;

/** Limits of one import. */
export const MAX_RECORDS = 1000;
export const MAX_IMPORT_BYTES = 8 * 1024 * 1024;
/** Limit of one export as JSON text. */
export const MAX_EXPORT_BYTES = 32 * 1024 * 1024;
/** Above the nesting limit of every family. */
export const MAX_DEPTH = 256;
export const MAX_NAME_LENGTH = 1024;
/** One file of secrets may serve several documents. */
export const MAX_SECRET_RECORDS = 10_000;
/** Limits of the secrets sent for one record. */
export const MAX_SECRETS = 100;
export const MAX_SECRET_CHARACTERS = 65_536;
export const MAX_WARNINGS = 100;

/** Time limit of an import, which starts no record in its last part. */
export const IMPORT_MS = 25_000;
export const RESERVE_MS = 1000;

export const ACTIONS = ['create', 'update', 'unchanged', 'skip', 'blocked'] as const;
export const OUTCOMES = ['done', 'failed', 'not_reached'] as const;

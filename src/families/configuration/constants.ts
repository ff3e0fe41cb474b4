import type { RESOURCE_FAMILIES } from '../../contract/families/resourceFamilies.ts';

/** The families whose records a document can hold. */
export const FAMILIES = [
  'agents',
  'container-connections',
  'experiments',
  'llm-providers',
  'mcp-connections',
  'model-registrations',
  'vector-stores',
] as const satisfies readonly (typeof RESOURCE_FAMILIES)[number][];
export type Family = (typeof FAMILIES)[number];

export const FORMAT = 'ml_extension';
export const FORMAT_VERSION = 1;

/** What one import takes. */
export const MAX_RECORDS = 1000;
export const MAX_IMPORT_BYTES = 8 * 1024 * 1024;
/** What one export holds, as JSON text. */
export const MAX_EXPORT_BYTES = 32 * 1024 * 1024;
/** Deeper than what any family takes. */
export const MAX_DEPTH = 256;
export const MAX_NAME_LENGTH = 1024;
export const MAX_WARNINGS = 100;

/** An import answers within this time, and begins nothing in its last part. */
export const IMPORT_MS = 25_000;
export const RESERVE_MS = 1000;

export const ACTIONS = ['create', 'update', 'unchanged', 'skip', 'blocked'] as const;
export const OUTCOMES = ['done', 'failed', 'not_reached'] as const;

import type { ResourceFamily } from '../../../client/src/index.ts';
import type { Count } from './counts.ts';

type Counts = readonly (readonly [ResourceFamily, Count])[];

/** What an installation needs for its first agent. */
const NEEDED = ['llm-providers', 'mcp-connections', 'agents'] as const satisfies readonly ResourceFamily[];

export const hasAny = (counts: Counts, wanted: ResourceFamily): boolean =>
  counts.some(([family, count]) => family === wanted && typeof count === 'number' && count > 0);

/** Whether the user may see all that is needed; what is unknown may exist. */
const isKnown = (counts: Counts): boolean =>
  NEEDED.every((wanted) => counts.some(([family, count]) => family === wanted && typeof count === 'number'));

/** Whether something that is needed is missing. */
export const isUnfinished = (counts: Counts): boolean =>
  isKnown(counts) && !NEEDED.every((family) => hasAny(counts, family));

/** Whether there is no record. Every site has models. */
export const isEmptySite = (counts: Counts): boolean =>
  isKnown(counts) && !counts.some(([family]) => family !== 'models' && hasAny(counts, family));

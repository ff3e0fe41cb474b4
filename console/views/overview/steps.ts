import type { ResourceFamily } from '../../../client/src/index.ts';
import type { Count } from './counts.ts';

type Counts = readonly (readonly [ResourceFamily, Count])[];

/** Families that an installation needs for its first agent. */
const NEEDED = ['llm-providers', 'mcp-connections', 'agents'] as const satisfies readonly ResourceFamily[];

/** Undefined if the user may not read them. */
function countOf(counts: Counts, family: ResourceFamily): number | undefined {
  const count = counts.find(([name]) => name === family)?.[1];
  return typeof count === 'number' ? count : undefined;
}

export const hasAny = (counts: Counts, family: ResourceFamily): boolean => (countOf(counts, family) ?? 0) > 0;

/** Whether the user may see all that is needed; what is unknown may exist. */
const isKnown = (counts: Counts): boolean => NEEDED.every((family) => countOf(counts, family) !== undefined);

/** Whether something that is needed is missing. */
export const isUnfinished = (counts: Counts): boolean =>
  isKnown(counts) && !NEEDED.every((family) => hasAny(counts, family));

/** Whether there is no record. Every site has models. */
export const isEmptySite = (counts: Counts): boolean =>
  isKnown(counts) && !counts.some(([family]) => family !== 'models' && hasAny(counts, family));

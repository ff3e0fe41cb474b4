import type { CloudKnowledgeBases } from '../../../ports/cloud/cloudKnowledgeBases.ts';
import type { Passage, PassageQuery } from '../../../ports/cloud/passages.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Target } from '../../../resources/target.ts';
import type { StoreStored } from '../stored.ts';

/** What stores are reached with. */
export interface StoreDependencies {
  knowledgeBases: CloudKnowledgeBases;
}

/**
 * Asks a store once for passages, best first; the gateway repeats it.
 * @throws OutboundError; Fault `kb_not_found`, `kb_not_active`
 */
export type StoreSearch = (query: PassageQuery, deadline: Deadline) => Promise<readonly Passage[]>;

/** A kind of store, by `type` of its record. */
export interface StoreKind {
  /** How a saved store is searched. */
  search(target: Target<StoreStored>, deps: StoreDependencies): StoreSearch;
}

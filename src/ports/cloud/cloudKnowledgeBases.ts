import type { Deadline } from '../platform/clock.ts';
import type { CloudAccess } from './cloudAccess.ts';
import type { Passage, PassageQuery } from './passages.ts';

export interface KnowledgeBase {
  name?: string | undefined;
  /** `ACTIVE`, `CREATING`, `FAILED` … */
  status: string;
}

/** A session with one set of credentials, which assumes a role only once. Throws OutboundError. */
export interface KnowledgeBaseVisit {
  /** Does nothing without a role. */
  assumeRole(): Promise<void>;
  /** Undefined if it does not exist in this region and account. */
  describe(id: string): Promise<KnowledgeBase | undefined>;
  /** The passages, best first; undefined if the knowledge base does not exist. */
  retrieve(id: string, query: PassageQuery): Promise<Passage[] | undefined>;
  close(): void;
}

export interface CloudKnowledgeBases {
  visit(access: CloudAccess, deadline: Deadline): Promise<KnowledgeBaseVisit>;
}

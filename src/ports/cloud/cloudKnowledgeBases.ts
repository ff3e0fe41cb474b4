import type { Deadline } from '../platform/clock.ts';
import type { CloudAccess } from './cloudAccess.ts';

export interface KnowledgeBase {
  name?: string | undefined;
  /** In capitals: `ACTIVE`, `CREATING`, `FAILED` … */
  status: string;
}

/** One visit with one set of credentials: a role is assumed once, however many calls follow. Throws OutboundError. */
export interface KnowledgeBaseVisit {
  /** Does nothing where the access names no role. */
  assumeRole(): Promise<void>;
  /** Undefined: there is no such knowledge base in this region and account. */
  describe(id: string): Promise<KnowledgeBase | undefined>;
  /** How many passages answer the query; undefined: there is no such knowledge base. */
  retrieve(id: string, query: string): Promise<number | undefined>;
  close(): void;
}

export interface CloudKnowledgeBases {
  visit(access: CloudAccess, deadline: Deadline): Promise<KnowledgeBaseVisit>;
}

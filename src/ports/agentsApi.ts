import type { AgentAction } from '../contract/agents.ts';
import type { OwnAnswer } from './ownAnswer.ts';

/**
 * This app's own endpoints for agents, as the owner of a search calls them. A search command has the user's session and
 * nothing else, so everything it does is done there. Throws Fault `store_unavailable` when the platform cannot be reached.
 */
export interface AgentsApi {
  /** One page, as large as it may be, from this entry on. */
  list(offset: number): Promise<OwnAnswer>;
  read(name: string): Promise<OwnAnswer>;
  /** One step of following, by a monitor that waits at most so long between two of them. */
  follow(name: string, action: AgentAction, intervalS: number): Promise<OwnAnswer>;
}

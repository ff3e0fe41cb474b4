import type { AgentAction } from '../../contract/families/agents.ts';
import type { ConnectionFamily } from '../../contract/families/connectionHealth.ts';

/**
 * This app's own endpoints for agents, as the owner of a search calls them. A search command has the user's session and
 * nothing else, so everything it does is done there. Throws Fault `store_unavailable` when the platform cannot be reached.
 */
export interface AgentsApi {
  /** One page, as large as it may be, from this entry on. */
  list(offset: number): Promise<ApiAnswer>;
  read(name: string): Promise<ApiAnswer>;
  /** One step of following, by a monitor that waits at most so long between two of them. */
  follow(name: string, action: AgentAction, intervalS: number): Promise<ApiAnswer>;
}

/**
 * This app's own endpoints for the health of connections, as the owner of a search calls them. Throws Fault
 * `store_unavailable` when the platform cannot be reached.
 */
export interface HealthApi {
  /** One page, as large as it may be, from this entry on. @param family all unless given */
  list(family: ConnectionFamily | undefined, offset: number): Promise<ApiAnswer>;
  /** @param maxAgeS leaves those alone that were tested in the last so many seconds */
  check(family: ConnectionFamily | undefined, maxAgeS: number): Promise<ApiAnswer>;
}

/** What this app's own endpoints answer to a search command, which has the session of its user and nothing else. */
export interface ApiAnswer {
  status: number;
  body: Readonly<Record<string, unknown>>;
}

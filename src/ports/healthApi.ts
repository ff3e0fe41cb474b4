import type { ConnectionFamily } from '../contract/connectionHealth.ts';
import type { OwnAnswer } from './ownAnswer.ts';

/**
 * This app's own endpoints for the health of connections, as the owner of a search calls them. Throws Fault
 * `store_unavailable` when the platform cannot be reached.
 */
export interface HealthApi {
  /** One page, as large as it may be, from this entry on. @param family all unless given */
  list(family: ConnectionFamily | undefined, offset: number): Promise<OwnAnswer>;
  /** @param maxAgeS leaves those alone that were tested in the last so many seconds */
  check(family: ConnectionFamily | undefined, maxAgeS: number): Promise<OwnAnswer>;
}

import type { Deadline } from '../../../ports/platform/clock.ts';
import { Target } from '../../../resources/target.ts';
import type { McpConnections } from '../kind.ts';
import type { McpStored } from '../records.ts';
import type { TokenRefresher } from './refresh.ts';
import { canRefresh, isRefreshDue } from './refreshDue.ts';

export const TOKEN = 'details/token';
export const REFRESH = 'details/refresh_token';

/** How the call of a target comes by a fresh token. */
export interface Renewal {
  /** Whether the token should be refreshed before it is used. */
  isDue(target: Target<McpStored>): boolean;
  /** Whether a token that the server has refused can be replaced. */
  isPossible(target: Target<McpStored>): boolean;
  /**
   * The target with another token than it has.
   * @returns undefined when there is none to be had: a person has to sign in again
   * @throws OutboundError when the authorization server fails in another way
   */
  renew(
    target: Target<McpStored>,
    resourceMetadataUrl: string | undefined,
    deadline: Deadline,
  ): Promise<Target<McpStored> | undefined>;
}

export const NO_RENEWAL: Renewal = {
  isDue: () => false,
  isPossible: () => false,
  renew: async () => undefined,
};

/** Of a saved connection: what is refreshed is kept on its record. Sent details are tried as they are. */
export function savedRenewal({ now }: McpConnections, refresher: TokenRefresher): Renewal {
  return {
    isDue: ({ saved }) => saved !== undefined && isUpkeepDue(saved, now()),
    isPossible: ({ saved }) => saved !== undefined && canRefresh(saved),
    async renew({ saved, secrets }, resourceMetadataUrl, deadline) {
      const next = saved && (await refresher.refresh(saved, secrets[TOKEN], resourceMetadataUrl, deadline));
      return next && Target.saved(next);
    },
  };
}

/** Whether any use of a saved connection would refresh its token first. @param now epoch seconds */
export const isUpkeepDue = (saved: McpStored, now: number): boolean =>
  saved.auth_state !== 'reauth_required' && isRefreshDue(saved, now);

import type { Deadline } from '../../../ports/platform/clock.ts';
import { Target } from '../../../resources/target.ts';
import type { McpConnections } from '../kind.ts';
import type { McpStored } from '../records.ts';
import type { TokenRefresher } from './refresh.ts';
import { canRefresh, isRefreshDue } from './refreshDue.ts';

export const TOKEN = 'details/token';
export const REFRESH = 'details/refresh_token';

/** Token refresh for calls of one target. */
export interface Renewal {
  /** Whether the token should be refreshed before it is used. */
  isDue(target: Target<McpStored>): boolean;
  /** Whether a refused token can be replaced. */
  isPossible(target: Target<McpStored>): boolean;
  /**
   * The target with a new token.
   * @returns undefined if a person has to sign in again
   * @throws OutboundError for other failures of the authorization server
   */
  renew(
    target: Target<McpStored>,
    resourceMetadataUrl: string | undefined,
    deadline: Deadline,
  ): Promise<Target<McpStored> | undefined>;
  /** The authorization server's reason for refusing the refresh token, after `renew` returned nothing. */
  refusal(): string | undefined;
}

export const NO_RENEWAL: Renewal = {
  isDue: () => false,
  isPossible: () => false,
  renew: async () => undefined,
  refusal: () => undefined,
};

/** Refreshes and stores tokens of saved connections only. */
export function savedRenewal({ now }: McpConnections, refresher: TokenRefresher): Renewal {
  return {
    isDue: ({ saved }) => saved !== undefined && isUpkeepDue(saved, now()),
    isPossible: ({ saved }) => saved !== undefined && canRefresh(saved),
    async renew({ saved, secrets }, resourceMetadataUrl, deadline) {
      const next = saved && (await refresher.refresh(saved, secrets[TOKEN], resourceMetadataUrl, deadline));
      return next && Target.saved(next);
    },
    refusal: () => refresher.refusal,
  };
}

/** Whether the next use of a saved connection refreshes its token. @param now epoch seconds */
export const isUpkeepDue = (saved: McpStored, now: number): boolean =>
  saved.auth_state !== 'reauth_required' && isRefreshDue(saved, now);

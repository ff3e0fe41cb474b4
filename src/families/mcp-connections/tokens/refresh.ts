import { type Lease, Leases } from '../../../domain/locks/leases.ts';
import { renewOnce } from '../../../domain/locks/renewOnce.ts';
import type { UnsealedRecord } from '../../../domain/records/sealedRecord.ts';
import { toDottedPath } from '../../../domain/secrets/secrets.ts';
import type { OAuthTokenClient, RefreshOutcome, TokenEndpoint } from '../../../ports/oauth/oauthTokenClient.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { McpConnections } from '../kind.ts';
import { FAMILY, type McpStored } from '../records.ts';
import { canRefresh } from './refreshDue.ts';
import { findTokenEndpoint, spendRefreshToken } from './tokenEndpoint.ts';

const TOKEN = 'details/token';
const REFRESH = 'details/refresh_token';

/** A person has to sign in again. */
class GrantRefused extends Error {
  readonly reason = 'reauth_required';
}

export type FreshRecord = UnsealedRecord<McpStored>;

/**
 * Refreshes tokens, one process at a time, since a rotating refresh token is valid for one call. Other processes wait and read
 * the new token.
 */
export class TokenRefresher {
  readonly #connections: McpConnections;
  readonly #tokens: OAuthTokenClient;
  readonly #leases: Leases;
  #refusal: string | undefined;

  constructor(connections: McpConnections, tokens: OAuthTokenClient) {
    this.#connections = connections;
    this.#tokens = tokens;
    const { records, clock, newId } = connections.stores;
    this.#leases = new Leases(records, clock, newId);
  }

  /** The authorization server's reason for refusing the refresh token, after `refresh` returned nothing. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /**
   * A token other than `stale`.
   * @returns undefined if a person has to sign in again
   * @throws OutboundError for other failures of the authorization server
   */
  async refresh(
    record: McpStored,
    stale: string | undefined,
    resourceMetadataUrl: string | undefined,
    deadline: Deadline,
  ): Promise<FreshRecord | undefined> {
    return renewOnce<FreshRecord | undefined>(this.#leases, this.#connections.stores.clock, {
      key: `refresh.${this.#connections.sealed.spec.family}.${record._key}`,
      renew: (lease) => this.#underLease(record, stale, resourceMetadataUrl, deadline, lease),
      renewed: async () => {
        const fresh = await this.#reread(record._key);
        if (fresh.secrets[TOKEN] !== undefined && fresh.secrets[TOKEN] !== stale) return { value: fresh };
        return this.#isRefused(fresh.record) ? { value: undefined } : undefined;
      },
      deadline,
      lateText: 'Another process is still refreshing the token',
    });
  }

  async #underLease(
    before: McpStored,
    stale: string | undefined,
    resourceMetadataUrl: string | undefined,
    deadline: Deadline,
    lease: Lease,
  ): Promise<FreshRecord | undefined> {
    const key = before._key;
    const now = await this.#reread(key);
    const { record, secrets } = now;
    if (secrets[TOKEN] !== undefined && secrets[TOKEN] !== stale) return now;
    const refreshToken = secrets[REFRESH];
    if (!canRefresh(record) || refreshToken === undefined) return undefined;
    // The refresh token was refused before, and nobody has replaced it.
    if (this.#isRefused(record)) return undefined;
    // Metadata of another server does not apply.
    const metadataUrl = before.details.url === record.details.url ? resourceMetadataUrl : undefined;
    const tokens = this.#tokens;
    const endpoint = await findTokenEndpoint(tokens, record, metadataUrl, deadline);
    if (!endpoint) {
      await this.#distrust(record);
      return undefined;
    }
    // Pinned before secrets are sent: after a failed attempt the next discovery must not choose another host.
    if (!(await this.#pin(record, endpoint))) return undefined;
    const clientSecret = secrets['details/client_secret'];
    const credentials = { clientSecret, refreshToken, secrets: now.hidden };
    const work = { action: 'token_refresh', family: FAMILY, name: record.name } as const;
    const spent = this.#connections.stores.audit.runAsSystem(work, async (saw) => {
      lease.assertHeld();
      const outcome = await spendRefreshToken(tokens, record, credentials, endpoint, deadline);
      if (outcome.kind === 'invalid_grant') {
        this.#refusal = outcome.message;
        await this.#giveUp(key, refreshToken, outcome.message);
        throw new GrantRefused();
      }
      await this.#keep(key, refreshToken, outcome);
      const replaced = [TOKEN, ...(outcome.refreshToken ? [REFRESH] : [])];
      saw({ changed: replaced.map((path) => ({ field: toDottedPath(path), secret: 'replaced' })) });
      return this.#reread(key);
    });
    return spent.catch((error: unknown) => {
      if (error instanceof GrantRefused) return undefined;
      throw error;
    });
  }

  #isRefused({ auth_state, refresh_refused }: McpStored): boolean {
    if (auth_state !== 'reauth_required') return false;
    this.#refusal = refresh_refused;
    return true;
  }

  async #reread(key: string): Promise<FreshRecord> {
    const { sealed } = this.#connections;
    return sealed.unseal(await sealed.get(key));
  }

  /** Discovery names another host than before: a person has to confirm it by signing in. */
  async #distrust(record: McpStored): Promise<void> {
    await this.#connections.sealed.amend(record._key, async (now) =>
      now.secret_ref === record.secret_ref
        ? { open: { auth_state: 'reauth_required', refresh_refused: undefined } }
        : undefined,
    );
  }

  /** Stores the first discovered endpoint. False if the secrets or the URL changed meanwhile. */
  async #pin(record: McpStored, { url }: TokenEndpoint): Promise<boolean> {
    if (record.details.token_url || record.token_url_detected) return true;
    const isSame = (now: McpStored) => now.secret_ref === record.secret_ref && now.details.url === record.details.url;
    const pinned = await this.#connections.sealed.amend(record._key, async (now) =>
      isSame(now) ? { open: { token_url_detected: url } } : undefined,
    );
    return pinned !== undefined && isSame(pinned);
  }

  /** Credentials that a person has saved meanwhile take precedence. */
  async #keep(key: string, spent: string, outcome: Extract<RefreshOutcome, { kind: 'refreshed' }>): Promise<void> {
    const now = this.#connections.now();
    await this.#connections.sealed.amend(key, async (record) => {
      const { secrets: stored } = await this.#connections.sealed.unseal(record);
      if (stored[REFRESH] !== spent) return undefined;
      const expires = outcome.expiresIn === undefined ? undefined : now + outcome.expiresIn;
      return {
        open: {
          auth_state: 'ok',
          token_obtained_at: now,
          token_expires_at: expires as number,
        },
        secrets: { [TOKEN]: outcome.accessToken, ...(outcome.refreshToken ? { [REFRESH]: outcome.refreshToken } : {}) },
      };
    });
  }

  async #giveUp(key: string, refused: string, words: string): Promise<void> {
    await this.#connections.sealed.amend(key, async (record) => {
      const { secrets: stored } = await this.#connections.sealed.unseal(record);
      return stored[REFRESH] === refused
        ? { open: { auth_state: 'reauth_required', refresh_refused: words } }
        : undefined;
    });
  }
}

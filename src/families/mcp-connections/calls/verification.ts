import { MASK } from '../../../contract/basics.ts';
import type { OutboundError } from '../../../contract/codes/outbound.ts';
import { UnsealedRecord } from '../../../domain/records/sealedRecord.ts';
import type { Secrets, SubmittedSecrets } from '../../../domain/secrets/secrets.ts';
import type { McpDependencies } from '../../../ports/mcp/mcpClient.ts';
import type { OAuthTokenClient } from '../../../ports/oauth/oauthTokenClient.ts';
import type { FamilyFields } from '../../../resources/kind.ts';
import { Target } from '../../../resources/target.ts';
import type { Test, Trial } from '../../../resources/verified.ts';
import type { McpConnections } from '../kind.ts';
import type { McpStored } from '../records.ts';
import { TokenRefresher } from '../tokens/refresh.ts';
import { canRefresh, isRefreshDue } from '../tokens/refreshDue.ts';
import { isUpkeepDue, NO_RENEWAL, REFRESH, type Renewal, TOKEN } from '../tokens/renewal.ts';
import { findTokenEndpoint, spendRefreshToken } from '../tokens/tokenEndpoint.ts';
import { callServer, discoveredFields, failedContact } from './contact.ts';

const CLIENT_SECRET = 'details/client_secret';

/** Tests an unsaved connection. Discovered fields are saved with it. */
export function verification(connections: McpConnections, deps: McpDependencies): Test<McpStored> {
  return async (trial) => {
    const { now } = connections;
    const tokens = new SubmittedTokens(deps.tokens, now);
    const renewal = renewalOf(trial, tokens, connections, deps);
    const probe = callServer(
      deps.client,
      renewal,
      trial.target,
      (client, to, deadline) => client.probe(to, deadline),
      failedContact,
    );
    const { contact, elapsedMs } = await probe;
    const secret_fields = Object.keys(trial.target.secrets);
    return {
      elapsedMs,
      failure: contact.error && { code: contact.error.code, message: failureMessage(contact.error, tokens) },
      secrets: tokens.secrets,
      discovered: (record) => ({
        ...discoveredFields({ ...record, secret_fields }, contact),
        ...tokens.discovered(record),
      }),
    };
  };
}

const SPENT = 'The test used up the refresh token. Sign in again if the provider rotates refresh tokens';

const failureMessage = ({ message }: OutboundError, { secrets }: SubmittedTokens): string =>
  secrets ? `${message} ${SPENT}` : message;

/**
 * A submitted refresh token may be used: the new tokens replace it. A stored one is used only if it is due anyway, and the saved
 * connection gets the new tokens, so that it keeps working if the test fails.
 */
function renewalOf(
  { before, submitted, targetAfter, target: { record } }: Trial<McpStored>,
  renewal: SubmittedTokens,
  connections: McpConnections,
  deps: McpDependencies,
): Renewal {
  if (isNew(submitted, REFRESH)) return renewal;
  if (!before || [TOKEN, REFRESH, CLIENT_SECRET].some((path) => isTouched(submitted, path))) return NO_RENEWAL;
  if (!isAuthorizedAlike(before, record)) return NO_RENEWAL;
  const refresher = new TokenRefresher(connections, deps.tokens);
  return {
    isDue: () => isUpkeepDue(before, connections.now()),
    // The token works for the saved connection, so a refusal is due to the change.
    isPossible: () => false,
    async renew({ secrets }, resourceMetadataUrl, deadline) {
      const fresh = await refresher.refresh(before, secrets[TOKEN], resourceMetadataUrl, deadline);
      return fresh && targetAfter(fresh.record);
    },
    refusal: () => refresher.refusal,
  };
}

const isTouched = (submitted: SubmittedSecrets, path: string) =>
  submitted[path] !== undefined && submitted[path] !== MASK;
const isNew = (submitted: SubmittedSecrets, path: string) => isTouched(submitted, path) && submitted[path] !== null;

/** Whether a token of one connection is valid for the other. */
function isAuthorizedAlike({ details: a }: McpStored, { details: b }: FamilyFields<McpStored>): boolean {
  const fields = [
    'url',
    'token_url',
    'client_id',
    'scope',
    'is_auto_refresh_enabled',
    'verify_tls',
    'ca_certificate',
  ] as const;
  return fields.every((field) => a[field] === b[field]);
}

/** Refreshes submitted tokens that are not saved yet. */
class SubmittedTokens implements Renewal {
  readonly #tokens: OAuthTokenClient;
  readonly #now: () => number;
  #refusal: string | undefined;
  #fresh: { secrets: Secrets; endpoint: string; life: number | undefined } | undefined;

  constructor(tokens: OAuthTokenClient, now: () => number) {
    this.#tokens = tokens;
    this.#now = now;
  }

  refusal = () => this.#refusal;
  isDue = (target: Target<McpStored>) => isRefreshDue(refreshable(target), this.#now());
  isPossible = (target: Target<McpStored>) => canRefresh(refreshable(target));

  renew: Renewal['renew'] = async ({ record, secrets, hidden, warnings }, resourceMetadataUrl, deadline) => {
    const endpoint = await findTokenEndpoint(this.#tokens, record, resourceMetadataUrl, deadline);
    if (!endpoint) return undefined;
    const credentials = { clientSecret: secrets[CLIENT_SECRET], refreshToken: secrets[REFRESH] ?? '', secrets: hidden };
    const outcome = await spendRefreshToken(this.#tokens, record, credentials, endpoint, deadline);
    if (outcome.kind === 'invalid_grant') {
      this.#refusal = outcome.message;
      return undefined;
    }
    const { accessToken, refreshToken, expiresIn } = outcome;
    const fresh = { [TOKEN]: accessToken, [REFRESH]: refreshToken ?? credentials.refreshToken };
    this.#fresh = { secrets: fresh, endpoint: endpoint.url, life: expiresIn };
    return Target.draft<McpStored>(new UnsealedRecord(record, { ...secrets, ...fresh }), warnings);
  };

  get secrets(): Secrets | undefined {
    return this.#fresh?.secrets;
  }

  discovered({ details, token_url_detected }: FamilyFields<McpStored>): Partial<FamilyFields<McpStored>> {
    if (!this.#fresh) return {};
    const { endpoint, life } = this.#fresh;
    const now = this.#now();
    return {
      auth_state: 'ok',
      token_obtained_at: now,
      ...(life === undefined ? {} : { token_expires_at: now + life }),
      ...(details.token_url || token_url_detected ? {} : { token_url_detected: endpoint }),
    };
  }
}

const refreshable = ({ record, secrets }: Target<McpStored>) => ({ ...record, secret_fields: Object.keys(secrets) });

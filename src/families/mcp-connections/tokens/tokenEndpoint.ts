import { OutboundError } from '../../../contract/codes/outbound.ts';
import { hostBinding, isLoopbackHost } from '../../../domain/net/url.ts';
import type {
  OAuthTokenClient,
  RefreshOutcome,
  RefreshRequest,
  TokenEndpoint,
} from '../../../ports/mcp/oauthTokenClient.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { McpStored } from '../records.ts';

/** What decides where a refresh token goes. */
export type Authorized = Pick<McpStored, 'details' | 'token_url_detected' | 'discovery_url'>;

/**
 * The configured endpoint, else the discovered one.
 * @returns undefined when discovery names another host than the first time: that one gets nothing
 * @throws OutboundError
 */
export async function findTokenEndpoint(
  tokens: OAuthTokenClient,
  { details, token_url_detected: known, discovery_url }: Authorized,
  resourceMetadataUrl: string | undefined,
  deadline: Deadline,
): Promise<TokenEndpoint | undefined> {
  if (details.token_url) {
    const url = new URL(details.token_url);
    if (url.protocol !== 'https:' && !isLoopbackHost(url)) {
      throw new OutboundError(
        'configuration_invalid',
        'The token endpoint must use https, because secrets are sent there',
      );
    }
    return { url: details.token_url, clientAuthentication: 'client_secret_post' };
  }
  const trust = { verifyTls: details.verify_tls, caCertificate: details.ca_certificate };
  let found: TokenEndpoint;
  try {
    // What a server at another path says about its own metadata is not about the secrets that are stored.
    found = discovery_url
      ? await tokens.discover(discovery_url, undefined, trust, deadline)
      : await tokens.discover(details.url, resourceMetadataUrl, trust, deadline);
  } catch (error) {
    if (known === undefined || !(error instanceof OutboundError)) throw error;
    return { url: known, clientAuthentication: 'client_secret_post' };
  }
  return known !== undefined && !sameHost(known, found.url) ? undefined : found;
}

/**
 * Without the name of the resource first: the grant has one where it needs one, and servers that do not know it refuse
 * the call, some after they have rotated the refresh token away. Where it is asked for it is sent.
 */
export async function spendRefreshToken(
  tokens: OAuthTokenClient,
  { details }: Pick<McpStored, 'details'>,
  secrets: Pick<RefreshRequest, 'clientSecret' | 'refreshToken' | 'secrets'>,
  endpoint: TokenEndpoint,
  deadline: Deadline,
): Promise<RefreshOutcome> {
  const request: RefreshRequest = {
    endpoint,
    clientId: details.client_id ?? '',
    verifyTls: details.verify_tls,
    caCertificate: details.ca_certificate,
    ...secrets,
  };
  try {
    return await tokens.refresh(request, deadline);
  } catch (error) {
    const isAskedFor = error instanceof OutboundError && error.httpStatus === 400 && /resource/i.test(error.message);
    if (!isAskedFor) throw error;
    return tokens.refresh({ ...request, resource: details.url }, deadline);
  }
}

function sameHost(a: string, b: string): boolean {
  const [left, right] = [hostBinding(a), hostBinding(b)];
  return left.host === right.host && left.port === right.port && left.secure === right.secure;
}

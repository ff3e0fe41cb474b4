import { OutboundError } from '../../../contract/codes/outbound.ts';
import { hostBinding, isLoopbackHost } from '../../../domain/net/url.ts';
import type {
  OAuthTokenClient,
  RefreshOutcome,
  RefreshRequest,
  TokenEndpoint,
} from '../../../ports/oauth/oauthTokenClient.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { McpStored } from '../records.ts';

export type OAuthConnection = Pick<McpStored, 'details' | 'token_url_detected' | 'discovery_url'>;

/**
 * The configured endpoint, else the discovered one.
 * @returns undefined if discovery names another host than the first time, which must not get secrets
 * @throws OutboundError
 */
export async function findTokenEndpoint(
  tokens: OAuthTokenClient,
  { details, token_url_detected: detectedUrl, discovery_url }: OAuthConnection,
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
  let endpoint: TokenEndpoint;
  try {
    // Metadata of a server at another path does not apply to the stored secrets.
    endpoint = discovery_url
      ? await tokens.discover(discovery_url, undefined, trust, deadline)
      : await tokens.discover(details.url, resourceMetadataUrl, trust, deadline);
  } catch (error) {
    if (detectedUrl === undefined || !(error instanceof OutboundError)) throw error;
    return { url: detectedUrl, clientAuthentication: 'client_secret_post' };
  }
  return detectedUrl !== undefined && !sameHost(detectedUrl, endpoint.url) ? undefined : endpoint;
}

/**
 * Sends the resource only if the server asks for it: servers that do not support it refuse the call, some after rotating the
 * refresh token.
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
    scope: details.scope,
    verifyTls: details.verify_tls,
    caCertificate: details.ca_certificate,
    ...secrets,
  };
  try {
    return await tokens.refresh(request, deadline);
  } catch (error) {
    const needsResource =
      error instanceof OutboundError && [200, 400].includes(error.httpStatus ?? 0) && /resource/i.test(error.message);
    if (!needsResource) throw error;
    return tokens.refresh({ ...request, resource: details.url }, deadline);
  }
}

function sameHost(a: string, b: string): boolean {
  const [left, right] = [hostBinding(a), hostBinding(b)];
  return left.host === right.host && left.port === right.port && left.secure === right.secure;
}

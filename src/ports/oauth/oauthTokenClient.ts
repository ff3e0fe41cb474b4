import type { Deadline } from '../platform/clock.ts';

export interface TokenEndpoint {
  url: string;
  /** How a client with a secret authenticates there. */
  clientAuthentication: 'client_secret_post' | 'client_secret_basic';
}

/** A client that asks for a token of its own. */
export interface ClientRequest {
  endpoint: TokenEndpoint;
  clientId: string;
  clientSecret?: string | undefined;
  /** Names separated by spaces; not sent if absent. */
  scope?: string | undefined;
  verifyTls: boolean;
  caCertificate?: string | undefined;
  /** Redacted from messages. */
  secrets: readonly string[];
}

export interface RefreshRequest extends ClientRequest {
  refreshToken: string;
  /** RFC 8707: the MCP server the token is for. */
  resource?: string | undefined;
}

export interface IssuedToken {
  accessToken: string;
  /** Seconds, if the server says it. */
  expiresIn?: number | undefined;
}

export type RefreshOutcome =
  | (IssuedToken & { kind: 'refreshed'; refreshToken?: string | undefined })
  /** The refresh token was rejected; the user has to sign in again. */
  | { kind: 'invalid_grant'; message: string };

/** Gets tokens from OAuth authorization servers, without a browser. Throws OutboundError. */
export interface OAuthTokenClient {
  /**
   * RFC 9728 protected-resource metadata, then RFC 8414 / OpenID metadata. Only https, except loopback.
   * Throws `configuration_invalid` without usable metadata.
   */
  discover(
    mcpUrl: string,
    resourceMetadataUrl: string | undefined,
    trust: { verifyTls: boolean; caCertificate?: string | undefined },
    deadline: Deadline,
  ): Promise<TokenEndpoint>;
  refresh(request: RefreshRequest, deadline: Deadline): Promise<RefreshOutcome>;
}

/** Gets tokens for clients themselves (RFC 6749 section 4.4). Throws OutboundError. */
export interface ClientTokenIssuer {
  issue(request: ClientRequest, deadline: Deadline): Promise<IssuedToken>;
}

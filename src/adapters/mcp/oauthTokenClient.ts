import { OutboundError } from '../../contract/codes/outbound.ts';
import { within } from '../../domain/async/deadline.ts';
import { redact } from '../../domain/net/redact.ts';
import { codeForStatus, refusalError, retryAfterSeconds } from '../../domain/net/upstreamErrors.ts';
import type { OAuthTokenClient, RefreshOutcome, RefreshRequest } from '../../ports/mcp/oauthTokenClient.ts';
import { callableUrl } from '../outbound/guard.ts';
import type { Outbound, OutboundResponse } from '../outbound/outbound.ts';
import { asDocument, discoverTokenEndpoint, mayCall } from './discovery.ts';

const MAX_MS = 25_000;
const MAX_REPLY_BYTES = 256 * 1024;
const PEER = 'The token endpoint';

export function createOAuthTokenClient(outbound: Outbound): OAuthTokenClient {
  return {
    async discover(mcpUrl, resourceMetadataUrl, trust, deadline) {
      using bound = within(deadline, MAX_MS);
      return await discoverTokenEndpoint({
        outbound,
        mcpUrl: callableUrl(mcpUrl),
        resourceMetadataUrl,
        trust,
        deadline: bound,
      });
    },

    async refresh(request, deadline) {
      if (!mayCall(callableUrl(request.endpoint.url).href, undefined)) {
        throw new OutboundError('configuration_invalid', `${PEER} must use https, except on this machine.`);
      }
      using bound = within(deadline, MAX_MS);
      const { headers, body } = refreshForm(request);
      const secrets = [...request.secrets, basicCredentials(request)];
      const answer = await outbound.request({
        method: 'POST',
        url: request.endpoint.url,
        headers,
        body,
        deadline: bound,
        verifyTls: request.verifyTls,
        caCertificate: request.caCertificate,
        // The authorization server often has a public certificate even if the MCP server has a private CA.
        keepDefaultAnchors: true,
        maxBytes: MAX_REPLY_BYTES,
        secrets,
      });
      return answer.status === 200 ? readTokens(answer) : readRefusal(answer, secrets);
    },
  };
}

/** RFC 6749 section 6. A public client (without a secret) only sends its id. */
function refreshForm(request: RefreshRequest): { headers: Record<string, string>; body: string } {
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: request.refreshToken });
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const basic = request.endpoint.clientAuthentication === 'client_secret_basic' ? basicCredentials(request) : undefined;
  if (basic === undefined) {
    form.set('client_id', request.clientId);
    if (request.clientSecret !== undefined) form.set('client_secret', request.clientSecret);
  } else {
    headers.authorization = `Basic ${basic}`;
  }
  if (request.resource !== undefined) form.set('resource', request.resource);
  return { headers, body: form.toString() };
}

/** RFC 6749 section 2.3.1: both halves form-encoded before they are joined. */
function basicCredentials({ clientId, clientSecret }: RefreshRequest): string | undefined {
  if (clientSecret === undefined) return undefined;
  const encode = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);
  return Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64');
}

function readTokens(answer: OutboundResponse): RefreshOutcome {
  const body = asDocument(answer.text);
  const accessToken = body?.access_token;
  if (body === undefined || typeof accessToken !== 'string' || accessToken === '') {
    throw unusable('has no access token');
  }
  const type = body.token_type;
  if (type !== undefined && (typeof type !== 'string' || type.toLowerCase() !== 'bearer')) {
    throw new OutboundError('not_supported', `${PEER} issues tokens that are not bearer tokens.`, {
      httpStatus: 200,
    });
  }
  const { refresh_token: refreshToken, expires_in: life } = body;
  if (refreshToken !== undefined && refreshToken !== null && typeof refreshToken !== 'string') {
    throw unusable('has a refresh token that is not a string');
  }
  const expiresIn = typeof life === 'string' && life.trim() !== '' ? Number(life) : life;
  return {
    kind: 'refreshed',
    accessToken,
    // If absent, the old one stays valid.
    ...(refreshToken ? { refreshToken } : {}),
    ...(typeof expiresIn === 'number' && Number.isFinite(expiresIn) && expiresIn > 0 ? { expiresIn } : {}),
  };
}

function unusable(what: string): OutboundError {
  return new OutboundError('upstream_error', `The reply of the token endpoint ${what}.`, { httpStatus: 200 });
}

function readRefusal(answer: OutboundResponse, secrets: readonly (string | undefined)[]): RefreshOutcome {
  const { status, text } = answer;
  const body = asDocument(text);
  const error = body?.error;
  const description = typeof body?.error_description === 'string' ? redact(body.error_description, secrets) : '';
  if ([400, 401, 403].includes(status) && saysInvalidGrant(error, description)) {
    return {
      kind: 'invalid_grant',
      message: description === '' ? 'The refresh token is no longer valid.' : description,
    };
  }
  const retryAfter = retryAfterSeconds(answer.headers['retry-after']);
  const code = error === 'invalid_client' || error === 'unauthorized_client' ? 'auth_failed' : codeForStatus(status);
  throw refusalError({ status, text, retryAfter, secrets, peer: PEER }, code);
}

/** Atlassian's 3LO server answers 403 `unauthorized_client` "refresh_token is invalid" to an expired refresh token. */
function saysInvalidGrant(error: unknown, description: string): boolean {
  return (
    error === 'invalid_grant' || (error === 'unauthorized_client' && /refresh_token is invalid/i.test(description))
  );
}

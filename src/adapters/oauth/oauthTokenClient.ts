import { OutboundError } from '../../contract/codes/outbound.ts';
import { within } from '../../domain/async/deadline.ts';
import type { ClientRequest, ClientTokenIssuer, OAuthTokenClient } from '../../ports/oauth/oauthTokenClient.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { callableUrl } from '../outbound/guard.ts';
import type { Outbound, OutboundResponse } from '../outbound/outbound.ts';
import { discoverTokenEndpoint, mayCall } from './discovery.ts';
import { readIssued, readRefreshed, type Secrets, TOKEN_PEER } from './tokenReplies.ts';

const MAX_MS = 25_000;
const MAX_REPLY_BYTES = 256 * 1024;

export function createOAuthTokenClient(outbound: Pick<Outbound, 'request'>): OAuthTokenClient & ClientTokenIssuer {
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
      const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: request.refreshToken });
      if (request.resource !== undefined) form.set('resource', request.resource);
      const { answer, secrets } = await post(request, form, deadline);
      return readRefreshed(answer, request, secrets);
    },

    async issue(request, deadline) {
      const form = new URLSearchParams({ grant_type: 'client_credentials' });
      const { answer, secrets } = await post(request, form, deadline);
      return readIssued(answer, secrets);
    },
  };

  async function post(
    request: ClientRequest,
    form: URLSearchParams,
    deadline: Deadline,
  ): Promise<{ answer: OutboundResponse; secrets: Secrets }> {
    const { endpoint, verifyTls, caCertificate } = request;
    if (!mayCall(callableUrl(endpoint.url).href, undefined)) {
      throw new OutboundError('configuration_invalid', `${TOKEN_PEER} must use https, except on this machine`);
    }
    using bound = within(deadline, MAX_MS);
    const secrets = [...request.secrets, basicCredentials(request)];
    const answer = await outbound.request({
      method: 'POST',
      url: endpoint.url,
      headers: { ...FORM, ...authenticated(request, form) },
      body: form.toString(),
      deadline: bound,
      verifyTls,
      caCertificate,
      // The authorization server often has a public certificate even if the server behind it has a private CA.
      keepDefaultAnchors: true,
      maxBytes: MAX_REPLY_BYTES,
      secrets,
    });
    return { answer, secrets };
  }
}

const FORM = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };

/** Puts the client into the form, or its credentials into a header. A public client (without a secret) only sends its id. */
function authenticated(request: ClientRequest, form: URLSearchParams): Record<string, string> {
  const { clientId, clientSecret, scope, endpoint } = request;
  const basic = endpoint.clientAuthentication === 'client_secret_basic' ? basicCredentials(request) : undefined;
  if (basic === undefined) {
    form.set('client_id', clientId);
    if (clientSecret !== undefined) form.set('client_secret', clientSecret);
  }
  if (scope !== undefined && scope !== '') form.set('scope', scope);
  return basic === undefined ? {} : { authorization: `Basic ${basic}` };
}

/** RFC 6749 section 2.3.1: both halves form-encoded before they are joined. */
function basicCredentials({ clientId, clientSecret }: ClientRequest): string | undefined {
  if (clientSecret === undefined) return undefined;
  const encode = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);
  return Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64');
}

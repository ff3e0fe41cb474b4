import { isObject } from '../../../contract/basics.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { within } from '../../../domain/async/deadline.ts';
import { redact } from '../../../domain/net/redact.ts';
import { codeForStatus, refusalError, retryAfterSeconds } from '../../../domain/net/upstreamErrors.ts';
import type { OAuthTokenClient, RefreshOutcome, RefreshRequest } from '../../../ports/mcp/oauthTokenClient.ts';
import { callableUrl } from '../../outbound/guard.ts';
import type { Outbound, OutboundResponse } from '../../outbound/outbound.ts';
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
        throw new OutboundError('configuration_invalid', `${PEER} must use https, except on this machine`);
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
      return isSuccess(answer.status) ? readTokens(answer, request, secrets) : readRefusal(answer, request, secrets);
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
  if (request.scope !== undefined && request.scope !== '') form.set('scope', request.scope);
  if (request.resource !== undefined) form.set('resource', request.resource);
  return { headers, body: form.toString() };
}

/** RFC 6749 section 2.3.1: both halves form-encoded before they are joined. */
function basicCredentials({ clientId, clientSecret }: RefreshRequest): string | undefined {
  if (clientSecret === undefined) return undefined;
  const encode = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);
  return Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64');
}

/** The standard says 200; some frameworks answer each POST with 201. A token that was replaced must not be lost. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Members of a reply of the token endpoint; those that are null are absent. */
type Reply = Record<string, unknown>;

/** JSON, or a form: servers that are not asked for JSON send one, and some do not look. */
function replyOf({ text }: OutboundResponse): Reply | undefined {
  const form = new URLSearchParams(text.trim());
  const isForm = form.has('access_token') || form.has('error');
  const reply = asDocument(text.replace(/^\uFEFF/, '')) ?? (isForm ? Object.fromEntries(form) : undefined);
  return reply && Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== null));
}

function readTokens(answer: OutboundResponse, request: RefreshRequest, secrets: Secrets): RefreshOutcome {
  const body = replyOf(answer);
  const accessToken = body?.access_token;
  if (body === undefined || typeof accessToken !== 'string' || accessToken === '') {
    // Some servers tell errors with the status of a success.
    if (body !== undefined && wordsOf(body) !== '') return readRefusal(answer, request, secrets);
    throw unusable('has no access token');
  }
  const { token_type, refresh_token: refreshToken, expires_in: life } = body;
  const type = typeof token_type === 'string' ? token_type.trim().toLowerCase() : (token_type ?? '');
  if (type !== '' && type !== 'bearer') {
    throw new OutboundError('not_supported', `${PEER} issues tokens that are not bearer tokens`, {
      httpStatus: 200,
    });
  }
  if (refreshToken !== undefined && typeof refreshToken !== 'string') {
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
  return new OutboundError('upstream_error', `The reply of the token endpoint ${what}`, { httpStatus: 200 });
}

type Secrets = readonly (string | undefined)[];

/** The client is refused, whichever token it sends. */
const CLIENT_REFUSED = ['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'];
/** The standard's error, and those of servers that have names of their own for it. */
const GRANT_REFUSED = [
  ...['invalid_grant', 'bad_refresh_token', 'invalid_refresh_token', 'refresh_token_expired'],
  ...['expired_token', 'token_expired'],
];
/** Errors that may be over a moment later. */
const PASSING = ['temporarily_unavailable', 'server_error', 'slow_down', 'rate_limited', 'internal_error'];
/** Errors that a person can mend in the connection without signing in again. */
const CONFIGURATION = ['invalid_scope', 'unsupported_grant_type', 'invalid_target'];

function readRefusal(answer: OutboundResponse, request: RefreshRequest, secrets: Secrets): RefreshOutcome {
  const { status, text } = answer;
  const body = replyOf(answer) ?? {};
  const description = redact(wordsOf(body), secrets);
  if (needsNewGrant(status, body, request)) {
    const isUnspoken = description === '' || description === 'invalid_grant';
    return { kind: 'invalid_grant', message: isUnspoken ? 'The refresh token is no longer valid' : description };
  }
  const retryAfter = retryAfterSeconds(answer.headers['retry-after']);
  const code = CLIENT_REFUSED.includes(errorOf(body)) ? 'auth_failed' : codeForStatus(status);
  const words = description === '' ? text : description;
  throw refusalError({ status, text: words, retryAfter, secrets, peer: PEER }, code);
}

/** The error of a reply: a text, or an object with a code, also the first of several. */
function errorOf({ error, errors, error_code, error_type, code }: Reply): string {
  const first = firstOf(error ?? errors);
  const named = isObject(first)
    ? [first.error, first.code, first.type, first.message]
    : [first, error_code, error_type, code];
  return (named.find((name): name is string => typeof name === 'string' && name !== '') ?? '').toLowerCase();
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

/** The server's words about an error: the description, else the error itself. */
function wordsOf({ error, errors, error_description, error_message, message }: Reply): string {
  const first = firstOf(error ?? errors);
  const inner = isObject(first) ? [first.error_description, first.message, first.detail, first.code] : [first];
  const words = [error_description, error_message, message, ...inner];
  return words.find((text): text is string => typeof text === 'string' && text !== '') ?? '';
}

/** Whether a person has to sign in again: no repetition of this request can succeed. */
function needsNewGrant(status: number, body: Reply, { resource }: RefreshRequest): boolean {
  const error = errorOf(body);
  const words = wordsOf(body);
  // Atlassian's 3LO server answers 403 `unauthorized_client` "refresh_token is invalid" to an expired refresh token.
  const isGrant =
    GRANT_REFUSED.includes(error) || (error === 'unauthorized_client' && /refresh_token is invalid/i.test(words));
  if (isGrant) return isSuccess(status) || [400, 401, 403, 422].includes(status);
  // The request is repeated with the resource that this asks for.
  const asksForResource = resource === undefined && /resource/i.test(words);
  if (error === 'invalid_request') return (isSuccess(status) || status === 400) && !asksForResource;
  const isOther = [...CLIENT_REFUSED, ...PASSING, ...CONFIGURATION].includes(error);
  const tellsError = Boolean(body.error ?? body.error_description) || error !== '';
  return isSuccess(status) && tellsError && !isOther && !asksForResource;
}

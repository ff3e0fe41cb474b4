import { isObject } from '../../contract/basics.ts';
import { type OutboundCode, OutboundError } from '../../contract/codes/outbound.ts';
import { redact } from '../../domain/net/redact.ts';
import { codeForStatus, looksLikeHtml, refusalError, retryAfterSeconds } from '../../domain/net/upstreamErrors.ts';
import type { IssuedToken, RefreshOutcome, RefreshRequest } from '../../ports/oauth/oauthTokenClient.ts';
import type { OutboundResponse } from '../outbound/outbound.ts';
import { asDocument } from './discovery.ts';

export const TOKEN_PEER = 'The token endpoint';

export type Secrets = readonly (string | undefined)[];

/** A token is sent in a header. */
const SENDABLE = /^[\x21-\x7e]+$/;
const REFUSED = [400, 401];

export const readRefreshed = (answer: OutboundResponse, request: RefreshRequest, secrets: Secrets): RefreshOutcome =>
  isSuccess(answer.status) ? readTokens(answer, request, secrets) : readRefusal(answer, request, secrets);

/** The token of a client itself: any refusal is about its credentials. */
export function readIssued(answer: OutboundResponse, secrets: Secrets): IssuedToken {
  const { status, text } = answer;
  const body = replyOf(answer);
  const words = [...new Set([errorOf(body ?? {}), wordsOf(body ?? {})])].filter((word) => word !== '').join(': ');
  if (!isSuccess(status) || (body?.access_token === undefined && words !== '')) {
    const isRefused = isSuccess(status) || REFUSED.includes(status) || CLIENT_REFUSED.includes(errorOf(body ?? {}));
    const code = isRefused ? 'auth_failed' : codeForStatus(status);
    throw refusal(answer, words === '' ? text : words, secrets, code);
  }
  const { accessToken, expiresIn } = issuedIn(answer, body);
  if (!SENDABLE.test(accessToken)) throw unusable('has an access token that no header can carry');
  return { accessToken, expiresIn };
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
  const hasToken = typeof body?.access_token === 'string' && body.access_token !== '';
  // Some servers tell errors with the status of a success.
  if (!hasToken && body !== undefined && wordsOf(body) !== '') return readRefusal(answer, request, secrets);
  const issued = issuedIn(answer, body);
  const refreshToken = body?.refresh_token;
  if (refreshToken !== undefined && typeof refreshToken !== 'string') {
    throw unusable('has a refresh token that is not a string');
  }
  // If absent, the old one stays valid.
  return { kind: 'refreshed', ...issued, ...(refreshToken ? { refreshToken } : {}) };
}

function issuedIn({ text }: OutboundResponse, body: Reply | undefined): IssuedToken {
  const { access_token: accessToken, token_type, expires_in: life } = body ?? {};
  if (typeof accessToken !== 'string' || accessToken === '') {
    throw unusable(looksLikeHtml(text) ? 'is an HTML page' : 'has no access token');
  }
  const type = typeof token_type === 'string' ? token_type.trim().toLowerCase() : (token_type ?? '');
  if (type !== '' && type !== 'bearer') {
    throw new OutboundError('not_supported', `${TOKEN_PEER} issues tokens that are not bearer tokens`, {
      httpStatus: 200,
    });
  }
  const expiresIn = typeof life === 'string' && life.trim() !== '' ? Number(life) : life;
  const isKnown = typeof expiresIn === 'number' && Number.isFinite(expiresIn) && expiresIn > 0;
  return { accessToken, ...(isKnown ? { expiresIn } : {}) };
}

function unusable(what: string): OutboundError {
  return new OutboundError('upstream_error', `The reply of the token endpoint ${what}`, { httpStatus: 200 });
}

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
  const code = CLIENT_REFUSED.includes(errorOf(body)) ? 'auth_failed' : codeForStatus(status);
  throw refusal(answer, description === '' ? text : description, secrets, code);
}

function refusal({ status, headers }: OutboundResponse, text: string, secrets: Secrets, code: OutboundCode) {
  const retryAfter = retryAfterSeconds(headers['retry-after']);
  return refusalError({ status, text, retryAfter, secrets, peer: TOKEN_PEER }, code);
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

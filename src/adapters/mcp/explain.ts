import { OutboundError } from '../../contract/codes/outbound.ts';
import { redact } from '../../domain/net/redact.ts';
import { codeForStatus, peerReason, refusalError } from '../../domain/net/upstreamErrors.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { classify } from '../outbound/classify.ts';
import type { Journal, JournalRefusal } from './journal.ts';

const PEER = 'The MCP server';
export const A_WEB_PAGE = 'At this address there is a web page, not an MCP server';
/** JSON-RPC codes for an unsupported protocol version. */
const VERSION_CODES = new Set([-32022]);
const METHOD_NOT_FOUND = -32601;

export interface FailedContact {
  error: unknown;
  journal: Journal;
  deadline: Deadline;
  url: URL;
  secrets: readonly string[];
}

/** Prefers the recorded network traffic to the library's error. */
export function explain({ error, journal, deadline, url, secrets }: FailedContact): OutboundError {
  if (journal.failure !== undefined) return journal.failure;
  if (error instanceof OutboundError) return error;
  if (deadline.signal.aborted) return new OutboundError('timeout', `${PEER} did not answer in time`);
  if (/Endpoint origin does not match/.test(textOf(error))) {
    return new OutboundError(
      'blocked_by_policy',
      `${PEER} names a message address on another host; nothing was sent there`,
    );
  }
  if (journal.refusal !== undefined) return explainRefusal(journal.refusal, url, secrets);
  if (journal.html) return new OutboundError('upstream_error', A_WEB_PAGE, { httpStatus: journal.status ?? undefined });
  return explainLibrary(error, journal, secrets);
}

function explainRefusal(refusal: JournalRefusal, url: URL, secrets: readonly string[]): OutboundError {
  const { status, text, retryAfter } = refusal;
  const more = { httpStatus: status, retryAfter };
  const detail = peerReason(text, secrets);
  const reason = detail === '' ? '' : `: ${detail}`;
  switch (status) {
    case 401:
      return new OutboundError('auth_failed', `${PEER} did not accept the token (401)${reason}`, more);
    case 403:
      return new OutboundError('permission_denied', `${PEER} denies access with this token (403)${reason}`, more);
    case 404:
    case 405:
    case 410:
      return new OutboundError(
        'upstream_error',
        `No MCP server answers at this path (${status}).${sseHint(status, url)}${rootHint(url)}`,
        more,
      );
    default:
      return refusalError({ status, text, retryAfter, secrets, peer: PEER }, codeForStatus(status));
  }
}

/** HTTP+SSE is deprecated; servers that dropped it usually answer at /mcp. */
function sseHint(status: number, url: URL): string {
  if (status === 405 || !isSsePath(url)) return '';
  return ` The server may have moved from /sse to ${url.origin}${url.pathname.replace(/sse\/?$/, 'mcp')}.`;
}

/** A URL without the path is the most common mistake. */
function rootHint({ origin, pathname }: URL): string {
  return pathname === '/' ? ` Did you mean ${origin}/mcp or ${origin}/sse?` : '';
}

export function isSsePath(url: URL): boolean {
  return /\/sse\/?$/i.test(url.pathname);
}

function explainLibrary(error: unknown, journal: Journal, secrets: readonly string[]): OutboundError {
  const more = { httpStatus: journal.status ?? undefined, cause: error };
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const detail = redact(textOf(error), secrets);
  if (code === 'REQUEST_TIMEOUT') return new OutboundError('timeout', `${PEER} did not answer in time`, more);
  if ((typeof code === 'number' && VERSION_CODES.has(code)) || /protocol version is not supported/i.test(detail)) {
    return new OutboundError('not_supported', `${PEER} does not speak a protocol version that this app knows`, more);
  }
  // To a call of a tool it is an error like any other of the server.
  if (code === METHOD_NOT_FOUND && journal.rpcMethod !== 'tools/call') {
    return new OutboundError('not_supported', `${PEER} does not offer ${journal.rpcMethod ?? 'this'}`, more);
  }
  if (typeof code === 'number') {
    return new OutboundError('upstream_error', `${PEER} answered with the error ${code}: ${detail}`, more);
  }
  if (code === 'INVALID_RESULT') {
    return new OutboundError('upstream_error', `${PEER} breaks the protocol: ${detail}`, more);
  }
  if (journal.status !== null) {
    return new OutboundError('upstream_error', `${PEER} answered with something that is not MCP`, more);
  }
  return classify(error, { peer: PEER, secrets });
}

export function isMethodNotFound(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === METHOD_NOT_FOUND;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

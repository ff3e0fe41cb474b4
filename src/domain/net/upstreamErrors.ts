import { type OutboundCode, OutboundError } from '../../contract/codes/outbound.ts';
import { redact } from './redact.ts';

export interface Refusal {
  status: number;
  /** Raw body. */
  text: string;
  retryAfter?: number | undefined;
  secrets?: readonly (string | undefined)[] | undefined;
  /** Subject for the message: `The MCP server`. */
  peer?: string | undefined;
}

/** The code for an HTTP status without more precise information. */
export function codeForStatus(status: number): OutboundCode {
  if (status === 401) return 'auth_failed';
  if (status === 403) return 'permission_denied';
  if (status === 429) return 'rate_limited';
  if (status === 400 || status === 413 || status === 422) return 'bad_request';
  return 'upstream_error';
}

export function refusalError(refusal: Refusal, code = codeForStatus(refusal.status)): OutboundError {
  const reason = peerReason(refusal.text, refusal.secrets);
  const message = `${refusal.peer ?? 'The server'} answered ${refusal.status}${reason === '' ? '' : `: ${reason}`}`;
  return new OutboundError(code, message, { httpStatus: refusal.status, retryAfter: refusal.retryAfter });
}

/** The message in an upstream's error body: from the usual JSON fields or plain text, never an HTML page. */
export function peerReason(text: string, secrets: readonly (string | undefined)[] = []): string {
  const trimmed = text.trim();
  if (looksLikeHtml(trimmed)) return 'an HTML page';
  return redact(jsonReason(trimmed) ?? trimmed, secrets);
}

export function looksLikeHtml(text: string): boolean {
  return /^\s*<(!doctype html|html|head|body)\b/i.test(text);
}

function jsonReason(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const outer = asRecord(body);
  const inner = asRecord(outer.error);
  const candidates = [inner.message, outer.message, outer.error_description, outer.error, outer.detail];
  const reason = candidates.find((value) => typeof value === 'string' && value !== '');
  return typeof reason === 'string' ? reason : undefined;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

const MAX_RETRY_AFTER_S = 86_400;
/** A date of HTTP, or of ISO 8601 as some servers send it. */
const DATE = /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\dT)/i;

/** Whole seconds of `Retry-After`, at most a day: seconds, also with a fraction, or a date. A value that is neither is none. */
export function retryAfterSeconds(value: string | null | undefined, now = Date.now()): number | undefined {
  const text = value?.trim() ?? '';
  return bounded(numberIn(text) ?? (DATE.test(text) ? Math.max(0, (Date.parse(text) - now) / 1000) : undefined));
}

/** The same of all headers that say it: OpenAI and Azure also send milliseconds. */
export const retryAfterOf = (headers: Readonly<Record<string, string | undefined>>): number | undefined =>
  retryAfterSeconds(headers['retry-after']) ??
  bounded((numberIn(headers['retry-after-ms'] ?? '') ?? Number.NaN) / 1000);

const bounded = (seconds: number | undefined): number | undefined =>
  seconds === undefined || Number.isNaN(seconds) ? undefined : Math.min(Math.ceil(seconds), MAX_RETRY_AFTER_S);

const numberIn = (text: string): number | undefined =>
  /^\d+(?:\.\d*)?$|^\.\d+$/.test(text) ? Number(text) : undefined;

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Html } from './pages/html.ts';

/** A request to the web side, split and decoded. */
export interface WebRequest {
  method: string;
  /** Path and query, raw. */
  url: string;
  /** Raw path segments; the first is the locale. */
  raw: string[];
  /** Decoded path segments. */
  segments: string[];
  /** The raw query. */
  query: string;
  cookies: [string, string][];
  message: IncomingMessage;
  response: ServerResponse;
}

export interface WebReply {
  status: number;
  headers: [string, string][];
  body?: string;
}

const FRAMING = "frame-ancestors 'self'";

/** Headers of every reply: framing, cross-origin loading, no content sniffing. */
export const GUARDS: [string, string][] = [
  ['Content-Security-Policy', FRAMING],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['X-Content-Type-Options', 'nosniff'],
  // Another port of this host is another origin but gets the cookies, so it must not load scripts that name the user.
  ['Cross-Origin-Resource-Policy', 'same-origin'],
];

const NO_STORE: [string, string] = ['Cache-Control', 'no-store'];

/** @param page given the nonce that its own scripts must carry to run */
export function pageReply(status: number, page: (nonce: string) => Html, headers: [string, string][] = []): WebReply {
  const nonce = randomBytes(16).toString('base64url');
  const policy = `${FRAMING}; script-src 'self' 'nonce-${nonce}'; object-src 'none'; base-uri 'none'`;
  return {
    status,
    headers: [['Content-Type', 'text/html; charset=UTF-8'], ['Content-Security-Policy', policy], NO_STORE, ...headers],
    body: `<!doctype html>\n${page(nonce).text}\n`,
  };
}

export function scriptReply(body: string, cache: string = NO_STORE[1]): WebReply {
  return {
    status: 200,
    headers: [
      ['Content-Type', 'text/javascript; charset=UTF-8'],
      ['Cache-Control', cache],
    ],
    body,
  };
}

/** 303: the next request is a GET. */
export function redirect(location: string, headers: [string, string][] = []): WebReply {
  return { status: 303, headers: [['Location', location], NO_STORE, ...headers] };
}

/** Splunk Web's own error for a script, in the format of splunkd's messages. */
export function messageReply(status: number, text: string, headers: [string, string][] = []): WebReply {
  return {
    status,
    headers: [['Content-Type', 'application/json; charset=UTF-8'], NO_STORE, ...headers],
    body: JSON.stringify({ messages: [{ type: 'ERROR', text }] }),
  };
}

/** Answers a request with an error page. */
export class WebError extends Error {
  readonly status: number;
  readonly headers: [string, string][];
  constructor(status: number, text: string, headers: [string, string][] = []) {
    super(text);
    this.status = status;
    this.headers = headers;
  }
}

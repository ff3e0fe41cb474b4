import type { Deadline } from '../../ports/platform/clock.ts';
import type { Trust } from './agents.ts';
import { classify } from './classify.ts';
import { createWire, type OutboundPolicy, type Wire } from './exchange.ts';
import { createFetch } from './fetch.ts';
import { callableUrl } from './guard.ts';
import { collect, MAX_MESSAGE_BYTES } from './limit.ts';
import type { Send } from './send.ts';
import type { OutboundSession, SessionOptions } from './session.ts';

export type { OutboundPolicy } from './exchange.ts';

export interface OutboundRequest extends Trust {
  method: string;
  url: string;
  headers?: Readonly<Record<string, string>> | undefined;
  body?: string | Uint8Array | undefined;
  deadline: Deadline;
  /** Default 8 MiB. */
  maxBytes?: number | undefined;
  /** Values that must not appear in an error's message. */
  secrets?: readonly (string | undefined)[] | undefined;
  /** `answer`: a redirect is returned, not followed. Default: it is an error. */
  redirects?: 'refuse' | 'answer' | undefined;
}

export interface OutboundResponse {
  status: number;
  /** Lower-case names; repeated headers joined by a comma. */
  headers: Record<string, string>;
  body: Buffer;
  text: string;
}

export interface Outbound {
  /** Returns the complete reply for every status except redirects; throws OutboundError. */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  openSession(options: SessionOptions): OutboundSession;
}

/**
 * Outbound client of all families; enforces address policy, proxy, trust, size and time.
 * @param via how requests are sent
 */
export function createOutbound(policy: OutboundPolicy, userAgent = 'ml_extension', via?: Send): Outbound {
  return {
    async request(request) {
      let wire: Wire | undefined;
      let peer: string | undefined;
      let isAnswered = false;
      try {
        peer = callableUrl(request.url).host;
        wire = createWire(policy, request, via);
        request.deadline.signal.throwIfAborted();
        const answer = await wire.exchange({
          method: request.method,
          url: request.url,
          headers: { 'User-Agent': userAgent, ...request.headers },
          body: request.body,
          signal: request.deadline.signal,
          maxBytes: request.maxBytes ?? MAX_MESSAGE_BYTES,
          redirects: request.redirects,
        });
        isAnswered = true;
        const body = await collect(answer.body, request.maxBytes ?? MAX_MESSAGE_BYTES);
        // The decoder leaves a byte order mark out.
        const text = new TextDecoder().decode(body);
        return { status: answer.status, headers: flatten(answer.headers), body, text };
      } catch (error) {
        const { secrets, deadline, clientCertificate } = request;
        const hasClientCertificate = clientCertificate !== undefined;
        const failure = classify(error, { peer, secrets, signal: deadline.signal, hasClientCertificate });
        throw isAnswered ? failure.saying(failure.message, { isAnswered, cause: failure.cause }) : failure;
      } finally {
        wire?.close();
      }
    },

    openSession(options) {
      const wire = createWire(policy, options, via);
      return { fetch: createFetch(wire, options, userAgent), close: () => wire.close() };
    },
  };
}

function flatten(headers: Record<string, string | string[]>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return flat;
}

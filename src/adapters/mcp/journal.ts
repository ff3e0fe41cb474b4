import { OutboundError } from '../../contract/codes/outbound.ts';
import { looksLikeHtml, retryAfterSeconds } from '../../domain/net/upstreamErrors.ts';
import { plainUrlProblem } from '../../domain/net/url.ts';
import type { McpTransport } from '../../ports/mcp/mcpClient.ts';
import { failAtEnd, failWithoutAnswer } from './streams.ts';

/** An error reply of the server. */
export interface JournalRefusal {
  status: number;
  text: string;
  retryAfter?: number | undefined;
}

/** HTTP traffic of one attempt. Errors are classified by it, since the library's errors differ between transports. */
export interface Journal {
  /** Status of the last reply. */
  status: number | null;
  /** The JSON-RPC method of the last message sent. */
  rpcMethod: string | undefined;
  /** A `tools/call` was handed to the network. */
  wasCallSent: boolean;
  /** Status of the reply to the request with the `tools/call`, whatever came later. */
  callStatus?: number | undefined;
  /** Set while the last reply is an error. */
  refusal?: JournalRefusal | undefined;
  /** The last reply was a web page with a 2xx status. */
  html: boolean;
  resourceMetadataUrl?: string | undefined;
  /** The first failure of the network or the policy. */
  failure?: OutboundError | undefined;
}

export function emptyJournal(): Journal {
  return { status: null, rpcMethod: undefined, wasCallSent: false, html: false };
}

const MAX_REFUSAL_BYTES = 64 * 1024;

export interface Watch {
  journal: Journal;
  transport: McpTransport;
  /** Origin of the configured URL; no other origin is called. */
  origin: string;
  /** Ends the attempt, since the library would keep waiting for a reply. */
  fail(failure: OutboundError): void;
}

/** The client library's fetch: enforces the origin and records the traffic. */
export function watchedFetch(base: typeof fetch, watch: Watch): typeof fetch {
  const { journal, transport } = watch;
  let sentCount = 0;

  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const method = (init?.method ?? 'GET').toUpperCase();
    if (url.origin !== watch.origin) {
      // Every request carries the record's secrets.
      const failure = new OutboundError(
        'blocked_by_policy',
        `The MCP server names an address on another host (${url.host}).`,
      );
      journal.failure ??= failure;
      watch.fail(failure);
      throw failure;
    }
    if (method === 'GET' && transport === 'streamable_http' && !new Headers(init?.headers).has('last-event-id')) {
      // The optional server stream is not needed; 405 means that it is not offered.
      return new Response(null, { status: 405 });
    }
    sentCount += 1;
    const rpcMethod = method === 'POST' ? rpcMethodOf(init?.body) : undefined;
    journal.rpcMethod = rpcMethod ?? journal.rpcMethod;
    const isCall = rpcMethod === 'tools/call';
    if (isCall) journal.wasCallSent = true;
    const response = await base(input, init);
    if (isCall) journal.callStatus = response.status;
    if (method === 'DELETE') return response;
    return record(response, method);
  };

  async function record(response: Response, method: string): Promise<Response> {
    // 202 only confirms receipt; the result arrives in another reply.
    if (response.status !== 202) journal.status = response.status;
    journal.refusal = undefined;
    journal.html = false;
    if (response.ok) {
      journal.html = /^\s*(text\/html|application\/xhtml)/i.test(response.headers.get('content-type') ?? '');
      if (transport === 'sse') return method === 'GET' ? failAtEnd(response, watch.fail) : response;
      if (!/^\s*text\/event-stream/i.test(response.headers.get('content-type') ?? '')) return response;
      const at = sentCount;
      return failWithoutAnswer(response, () => sentCount !== at, watch.fail);
    }
    const text = await readText(response);
    journal.refusal = {
      status: response.status,
      text,
      retryAfter: retryAfterSeconds(response.headers.get('retry-after')),
    };
    journal.html = looksLikeHtml(text);
    if (response.status === 401)
      journal.resourceMetadataUrl = resourceMetadataUrl(response.headers.get('www-authenticate'));
    return new Response(text, { status: response.status, statusText: response.statusText, headers: response.headers });
  }
}

function rpcMethodOf(body: unknown): string | undefined {
  if (typeof body !== 'string') return undefined;
  // Serialised by the library, so it is valid JSON.
  const message = JSON.parse(body) as { method?: unknown };
  return typeof message.method === 'string' ? message.method : undefined;
}

/** The start of the body, which is enough for the reason. A truncated body is not an error. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // Use the part that arrived.
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_REFUSAL_BYTES);
}

/** `resource_metadata` of a `WWW-Authenticate: Bearer …` challenge (RFC 9728 section 5.1), if it is a usable address. */
function resourceMetadataUrl(challenge: string | null): string | undefined {
  if (challenge === null) return undefined;
  const found = /(?:^|[\s,])resource_metadata\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/i.exec(challenge);
  const address = (found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2])?.trim();
  return address === undefined || plainUrlProblem(address) !== undefined ? undefined : address;
}

import { OutboundError } from '../../contract/codes/outbound.ts';
import { looksLikeHtml, retryAfterSeconds } from '../../domain/net/upstreamErrors.ts';
import type { McpTransport } from '../../ports/mcp/mcpClient.ts';
import { resourceMetadataUrl } from './challenge.ts';
import { failAtEnd, failWithoutAnswer } from './streams.ts';

/** A refused request as the server answered it. */
export interface JournalRefusal {
  status: number;
  text: string;
  retryAfter?: number | undefined;
}

/**
 * What was seen on the wire during one attempt. The client library wraps statuses and errors differently per protocol
 * era and transport; what stands here is the same for all of them, so errors are classified by it.
 */
export interface Journal {
  /** Status of the last answer. */
  status: number | null;
  /** The JSON-RPC method of the last message sent. */
  rpcMethod: string | undefined;
  /** A `tools/call` was handed to the network. */
  wasCallSent: boolean;
  /** Set while the last answer is an error. */
  refusal?: JournalRefusal | undefined;
  /** The last answer was a web page with a 2xx status. */
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
  /** Origin of the configured URL: nothing is ever sent elsewhere. */
  origin: string;
  /** Ends the attempt: the library would wait for an answer that cannot come any more. */
  fail(failure: OutboundError): void;
}

/** The fetch the client library gets: binds the origin and writes the journal. */
export function watchedFetch(base: typeof fetch, watch: Watch): typeof fetch {
  const { journal, transport } = watch;
  let sentCount = 0;

  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const method = (init?.method ?? 'GET').toUpperCase();
    if (url.origin !== watch.origin) {
      // Every request carries the token and the secret headers of the record.
      const failure = new OutboundError(
        'blocked_by_policy',
        `The MCP server names an address on another host (${url.host}).`,
      );
      journal.failure ??= failure;
      watch.fail(failure);
      throw failure;
    }
    if (method === 'GET' && transport === 'streamable_http' && !new Headers(init?.headers).has('last-event-id')) {
      // The optional stream for messages of the server: a listing needs none, and "not offered" is what 405 says.
      return new Response(null, { status: 405 });
    }
    sentCount += 1;
    if (method === 'POST') {
      journal.rpcMethod = rpcMethodOf(init?.body) ?? journal.rpcMethod;
      if (journal.rpcMethod === 'tools/call') journal.wasCallSent = true;
    }
    const response = await base(input, init);
    if (method === 'DELETE') return response;
    return record(response, method);
  };

  async function record(response: Response, method: string): Promise<Response> {
    // 202 only says that a message was accepted; its outcome comes with another answer.
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
  // The message is ours and was just serialised by the library.
  const message = JSON.parse(body) as { method?: unknown };
  return typeof message.method === 'string' ? message.method : undefined;
}

/** The beginning of a refusal's body: enough for its reason. A body that breaks off is no failure of its own. */
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
    // What arrived is what there is.
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_REFUSAL_BYTES);
}

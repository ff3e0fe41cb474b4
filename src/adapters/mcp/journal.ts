import type { OutboundError } from '../../contract/codes/outbound.ts';
import { looksLikeHtml, retryAfterSeconds } from '../../domain/net/upstreamErrors.ts';
import { plainUrlProblem } from '../../domain/net/url.ts';

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

/** Notes a reply. @returns the same one; the body of a refusal is cut to what is enough for its reason */
export async function noteReply(journal: Journal, response: Response): Promise<Response> {
  // 202 only confirms receipt; the result arrives in another reply.
  if (response.status !== 202) journal.status = response.status;
  journal.refusal = undefined;
  journal.html = false;
  if (response.ok) return response;
  const { status, statusText, headers } = response;
  const text = await readText(response);
  journal.refusal = { status, text, retryAfter: retryAfterSeconds(headers.get('retry-after')) };
  journal.html = looksLikeHtml(text);
  if (status === 401) journal.resourceMetadataUrl = resourceMetadataUrl(headers.get('www-authenticate'));
  return new Response(text, { status, statusText, headers });
}

/** The start of the body, which is enough for the reason. A truncated body is not an error. */
export async function readText({ body }: Pick<Response, 'body'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
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
  const match = /(?:^|[\s,])resource_metadata\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/i.exec(challenge);
  const address = (match?.[1]?.replace(/\\(.)/g, '$1') ?? match?.[2])?.trim();
  return address === undefined || plainUrlProblem(address) !== undefined ? undefined : address;
}

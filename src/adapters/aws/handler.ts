import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { NodeHttpHandler } from '@smithy/node-http-handler';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { withFurtherHeaders } from '../../domain/secrets/secretHeaders.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { classify } from '../outbound/classify.ts';
import type { Exchange, Wire } from '../outbound/exchange.ts';
import { MAX_MESSAGE_BYTES } from '../outbound/limit.ts';
import type { ClientConfig } from './clients.ts';

type SdkRequest = Parameters<NodeHttpHandler['handle']>[0];
type Query = SdkRequest['query'];

/**
 * Sends SDK requests through our outbound client, so that address policy, proxy, trust and limits apply. HTTP/1.1, since
 * private endpoints and proxies often lack HTTP/2.
 */
export function awsHandler(
  wire: Wire,
  deadline: Deadline,
  peer: string,
  further?: Readonly<Record<string, string>>,
): ClientConfig['requestHandler'] {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request, { abortSignal } = {}) {
      const signal = abortSignal ? AbortSignal.any([deadline.signal, abortSignal as AbortSignal]) : deadline.signal;
      try {
        signal.throwIfAborted();
        const answer = await wire.exchange({
          method: request.method,
          url: addressOf(request),
          headers: withFurtherHeaders(request.headers, further),
          body: request.body as string | Uint8Array | undefined,
          signal,
          maxBytes: MAX_MESSAGE_BYTES,
        });
        const headers = Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
        );
        const body = await rejectHtml(answer, headers['content-type'], peer);
        return { response: { statusCode: answer.status, reason: answer.statusText, headers, body } };
      } catch (error) {
        throw classify(error, { peer, signal });
      }
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  };
}

/**
 * A web page comes from a captive portal, a proxy or a wrong address. The body decides, since AWS emulators send JSON as
 * text/html.
 */
async function rejectHtml(
  { status, body }: Exchange,
  contentType: string | undefined,
  peer: string,
): Promise<Readable> {
  if (!/^\s*(text\/html|application\/xhtml)/i.test(contentType ?? '')) return body;
  const bytes = await buffer(body);
  if (!/^\s*(<!doctype\s+html|<(html|head|body|title)\b)/i.test(bytes.toString('utf8', 0, 1024))) {
    return Readable.from([bytes], { objectMode: false });
  }
  const message = `${peer} answered ${status} with a web page: is this an address of AWS?`;
  throw new OutboundError('upstream_error', message, { httpStatus: status });
}

function addressOf({ protocol, hostname, port, path, query }: SdkRequest): string {
  const text = queryString(query);
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}${text === '' ? '' : `?${text}`}`;
}

/** Must be encoded as in the signature. */
function queryString(query: Query): string {
  return Object.keys(query)
    .sort()
    .flatMap((key) => {
      const value = query[key];
      if (value === null || value === undefined) return [escaped(key)];
      return [value].flat().map((item) => `${escaped(key)}=${escaped(item)}`);
    })
    .join('&');
}

const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

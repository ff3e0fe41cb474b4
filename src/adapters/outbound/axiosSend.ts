import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import type { AxiosError } from 'axios';
import { NoAnswer, type Send } from './send.ts';

/** Sends with axios. */
export const axiosSend: Send = async ({ method, headers, body, signal }, url, { httpAgent, httpsAgent, proxied }) => {
  // Loaded at the first call to keep the start fast.
  const { default: axios } = await import('axios');
  const { forward: proxy, login } = proxied ?? {};
  try {
    const response = await axios.request<Readable>({
      adapter: 'http',
      method,
      url: url.href,
      headers,
      data: body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body,
      transformRequest: [(data: unknown) => data],
      responseType: 'stream',
      signal,
      validateStatus: () => true,
      maxRedirects: 0,
      maxBodyLength: Number.POSITIVE_INFINITY,
      transport: abortableTransport(signal),
      httpAgent,
      httpsAgent,
      proxy: proxy
        ? {
            protocol: proxy.secure ? 'https' : 'http',
            host: proxy.host,
            port: proxy.port,
            ...(login && { auth: login }),
          }
        : false,
    });
    const { status, statusText } = response;
    return { status, statusText, headers: response.headers as Record<string, string | string[]>, body: response.data };
  } catch (error) {
    const { request } = error as AxiosError;
    throw new NoAnswer(error, { reusedSocket: request?.reusedSocket === true });
  }
};

/** Passes the request's signal to agents that connect in several steps. */
function abortableTransport(abandoned: AbortSignal): unknown {
  return {
    request: (options: https.RequestOptions, answered: (response: http.IncomingMessage) => void) =>
      (options.protocol === 'https:' ? https : http).request({ ...options, abandoned } as typeof options, answered),
  };
}

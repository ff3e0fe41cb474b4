import { certificateRemedy } from '../certificates.ts';
import { Answer, CheckFailure } from './answer.ts';

export interface CallOptions {
  body?: string | URLSearchParams;
  headers?: Readonly<Record<string, string>>;
  /** Without credentials. */
  isAnonymous?: boolean;
}

/** Calls without an answer: their kind, Node's error codes, and the remedy. The last row takes all other codes. */
const SILENCES: readonly (readonly [kind: string, codes: RegExp, remedy: string])[] = [
  ['timeout', /^TIMEOUT$/, 'Is a firewall or proxy in between, or the machine overloaded? See also --timeout.'],
  ['refused', /REFUSED|UNREACH|ETIMEDOUT/, 'Is splunkd running, and is this its management port (8089 by default)?'],
  ['unknown_host', /^(ENOTFOUND|EAI_AGAIN)$/, 'Compare the host name in --url with that of the site.'],
  [
    'certificate',
    /^CLIENT_CERTIFICATE$/,
    'Remove requireClientCert from [sslConfig] in server.conf: the port asks for a certificate that neither mlx nor the app has.',
  ],
  [
    'not_tls',
    /EPROTO|ERR_SSL|HPE_INVALID_CONSTANT/,
    'Only one side speaks TLS: change https:// to http:// in --url, or the reverse.',
  ],
  [
    'certificate',
    /CERT|SIGNATURE|SELF_SIGNED/,
    'Pass its authority with --ca <file>, or, for a test site, --insecure.',
  ],
  ['too_large', /^TOO_LARGE$/, 'This is no answer of a Splunk platform: compare --url with the address of the site.'],
  ['broken_off', /^/, 'Look at splunkd.log at this moment. https:// and http:// in --url must fit the port.'],
];
/** How a port refuses a client without a certificate: the code of the error depends on the version of TLS. */
const ASKED = /alert (handshake failure|certificate required|bad certificate|unknown ca)/i;
const MAX_BYTES = 32 * 1024 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/** Plain HTTP requests without redirects or retries. */
export class Site {
  readonly #base: string;
  readonly #fetch: typeof fetch;
  readonly #timeoutMs: number;
  /** Value of the Authorization header. */
  authorization: string | undefined;

  constructor({ origin, pathname }: URL, send: typeof fetch, timeoutMs: number) {
    this.#base = origin + pathname.replace(/\/+$/, '');
    this.#fetch = send;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws Failed without an answer */
  async call(method: string, path: string, { body, headers, isAnonymous = false }: CallOptions = {}): Promise<Answer> {
    const startedAt = Date.now();
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const type = body instanceof URLSearchParams ? FORM : 'application/json';
    try {
      const response = await this.#fetch(new URL(this.#base + path), {
        method,
        signal,
        headers: {
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': type }),
          ...(this.authorization && !isAnonymous ? { Authorization: this.authorization } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: String(body) }),
      });
      return new Answer(response, await textOf(response), startedAt);
    } catch (error) {
      const { cause = error } = error as { cause?: unknown };
      const { code = '', message = '' } = cause as { code?: string; message?: string };
      if (signal.aborted) throw silence('TIMEOUT', `no answer within ${this.#timeoutMs / 1000} seconds`);
      // The message of an untrusted certificate has names of the site; an AggregateError has none.
      throw silence(ASKED.test(message) ? 'CLIENT_CERTIFICATE' : code, code || message);
    }
  }
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) throw Object.assign(new Error(`more than ${MAX_BYTES} bytes`), { code: 'TOO_LARGE' });
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function silence(code: string, cause: string): CheckFailure {
  const [kind = '', , remedy] = SILENCES.find(([, codes]) => codes.test(code)) ?? [];
  return new CheckFailure(`A call was not answered (${kind})`, cause, certificateRemedy(code) ?? remedy);
}

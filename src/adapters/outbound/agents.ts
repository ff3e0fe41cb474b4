import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { addAbortSignal, type Duplex } from 'node:stream';
import tls from 'node:tls';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { certificatesIn, pastedPem } from '../../domain/net/certificates.ts';
import { classify } from './classify.ts';
import { basic, type ProxyCredentials, type ProxyServer, proxyRefusal, THE_PROXY } from './proxy.ts';

export interface Trust {
  verifyTls: boolean;
  /** One or more PEM certificates that replace the default anchors. */
  caCertificate?: string | undefined;
  /** Keeps the default anchors beside `caCertificate`, for servers that the record does not name. */
  keepDefaultAnchors?: boolean | undefined;
  /** False: the certificate must be trusted, but may be for another host name. Default true. */
  checkHostname?: boolean | undefined;
  /** PEM. */
  clientCertificate?: { cert: string; key: string } | undefined;
  /** Called with the SHA-256 of the server's certificate before the request is sent; false ends the connection. */
  pinned?: ((fingerprint: string) => boolean) | undefined;
}

export interface Agents {
  httpAgent: http.Agent;
  httpsAgent: https.Agent;
  /** For https targets through a proxy. */
  tunnel?: https.Agent;
}

/** Verification by certificates that an administrator named, of which each is trusted, be it a root or not. */
export const VERIFIED = { rejectUnauthorized: true, allowPartialTrustChain: true } as const;

export function tlsOptions(trust: Trust): tls.SecureContextOptions & { rejectUnauthorized: boolean } {
  const anyName = trust.checkHostname === false ? { checkServerIdentity: () => undefined } : {};
  const ours = { ...VERIFIED, rejectUnauthorized: trust.verifyTls, ...anyName, ...trust.clientCertificate };
  if (trust.caCertificate === undefined) return ours;
  const defaults = trust.keepDefaultAnchors ? tls.getCACertificates('default') : [];
  return { ...ours, ca: [...defaults, ...readable(trust.caCertificate)] };
}

/** Node skips unreadable certificates, and the failure would look like an untrusted server. */
function readable(text: string): string[] {
  const certificates = certificatesIn(pastedPem(text) ?? '', 'ignore');
  if (certificates === undefined) {
    throw new OutboundError('configuration_invalid', 'The CA certificate cannot be read: it must be PEM certificates');
  }
  return certificates;
}

/** Neither agent reads the proxy variables of the environment. */
export function directAgents(trust: Trust, lookup: LookupFunction, options: http.AgentOptions): Agents {
  const tlsAgentOptions = { ...options, lookup, ...tlsOptions(trust) };
  return {
    httpAgent: new http.Agent({ ...options, lookup }),
    httpsAgent: trust.pinned ? new PinningAgent(trust.pinned, tlsAgentOptions) : new https.Agent(tlsAgentOptions),
  };
}

/** Calls with different keys must not share a TLS connection. */
export function trustKey(trust: Trust): unknown {
  const { verifyTls, caCertificate, keepDefaultAnchors, checkHostname, clientCertificate } = trust;
  return [verifyTls, caCertificate, keepDefaultAnchors, checkHostname, clientCertificate];
}

/** Releases a connection after the certificate check, since earlier writes would be sent with the handshake. */
class PinningAgent extends https.Agent {
  readonly #pinned: (fingerprint: string) => boolean;

  constructor(pinned: (fingerprint: string) => boolean, options: https.AgentOptions) {
    super(options);
    this.#pinned = pinned;
  }

  override createConnection(options: ConnectOptions, connected: ConnectCallback): undefined {
    const socket = tls.connect(options);
    if (options.abandoned) addAbortSignal(options.abandoned, socket);
    socket.once('error', connected);
    socket.once('secureConnect', () => {
      socket.off('error', connected);
      if (this.#pinned(socket.getPeerX509Certificate()?.fingerprint256 ?? '')) return connected(null, socket);
      socket.destroy();
      connected(new OutboundError('tls_untrusted', 'The certificate is not the one that was seen before'));
    });
    return undefined;
  }
}

/**
 * `httpAgent` and `httpsAgent` connect to the proxy for http targets, `tunnel` uses CONNECT for https targets. The record's
 * trust applies to its server; the proxy is verified with the default anchors.
 */
export function proxyAgents(
  proxy: ProxyServer,
  credentials: ProxyCredentials | undefined,
  trust: Trust,
  options: http.AgentOptions,
): Required<Agents> {
  return {
    httpAgent: new http.Agent(options),
    httpsAgent: new https.Agent({ ...options, ...VERIFIED }),
    tunnel: new TunnelAgent(proxy, credentials, { ...options, ...tlsOptions(trust) }),
  };
}

type ConnectCallback = (error: Error | null, socket?: Duplex) => void;
/** `abandoned` aborts a CONNECT whose request was aborted. */
type ConnectOptions = tls.ConnectionOptions & { abandoned?: AbortSignal };

/** axios' own tunnel leaves the socket open when the proxy does not answer the CONNECT. */
class TunnelAgent extends https.Agent {
  readonly #proxy: ProxyServer;
  readonly #credentials: ProxyCredentials | undefined;

  constructor(proxy: ProxyServer, credentials: ProxyCredentials | undefined, options: https.AgentOptions) {
    super(options);
    this.#proxy = proxy;
    this.#credentials = credentials;
  }

  override createConnection(options: ConnectOptions, connected: ConnectCallback): undefined {
    let isDone = false;
    const done: ConnectCallback = (error, socket) => {
      if (isDone) return;
      isDone = true;
      connected(error, socket);
    };
    const host = options.host ?? '';
    const authority = `${host.includes(':') ? `[${host}]` : host}:${options.port}`;
    const { secure, host: proxyHost, port } = this.#proxy;
    const credentials = this.#credentials;
    const connect = (secure ? https : http).request({
      method: 'CONNECT',
      host: proxyHost,
      port,
      path: authority,
      agent: false,
      signal: options.abandoned,
      // For TLS to the proxy; explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
      ...VERIFIED,
      headers: {
        host: authority,
        ...(credentials === undefined ? {} : { 'proxy-authorization': `Basic ${basic(credentials)}` }),
      },
    });
    connect.once('error', (error) => done(classify(error, { peer: THE_PROXY })));
    connect.once('response', (response) => {
      response.resume();
      done(proxyRefusal(response.statusCode, credentials));
      connect.destroy();
    });
    connect.once('connect', (response, socket) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        done(proxyRefusal(response.statusCode, credentials));
        return;
      }
      const secured = tls.connect({ ...options, socket, servername: options.servername ?? host });
      // Returned before the handshake; its errors reach the request through the socket.
      done(null, secured);
    });
    connect.end();
    return undefined;
  }
}

import { request as send } from 'node:http';
import { type Peer, sendJson, startHttp } from '../listen.ts';

export interface BearerProxy extends Peer {
  /** The protected-resource metadata this proxy names in its challenges. */
  metadataUrl: string;
  /** The tokens that pass, to be changed while it runs. */
  tokens: Set<string>;
  /** `Authorization` of every request to the MCP path. */
  seen: (string | undefined)[];
}

export interface BearerProxyOptions {
  /** Full URL of the MCP endpoint behind. */
  target: string;
  tokens: string[];
  /** Issuer of the authorization server named in the metadata. */
  authorizationServer?: string;
  /** Asked for tokens that are not in `tokens`. */
  accepts?: (token: string) => boolean | Promise<boolean>;
}

const METADATA = '/.well-known/oauth-protected-resource';

/** A resource server as RFC 6750 and RFC 9728 have it, in front of any MCP server. */
export async function startBearerProxy(options: BearerProxyOptions): Promise<BearerProxy> {
  const target = new URL(options.target);
  const tokens = new Set(options.tokens);
  const seen: BearerProxy['seen'] = [];
  let metadataUrl = '';

  const peer = await startHttp(async (request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith('/.well-known/')) {
      const known = options.authorizationServer !== undefined && path === METADATA + target.pathname;
      const resource = { resource: peer.url + target.pathname, authorization_servers: [options.authorizationServer] };
      sendJson(response, known ? 200 : 404, known ? resource : { error: 'not_found' });
      return;
    }
    seen.push(request.headers.authorization);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const passes = token !== undefined && (tokens.has(token) || ((await options.accepts?.(token)) ?? false));
    if (!passes) {
      const challenge = `Bearer realm="mcp", error="invalid_token", resource_metadata="${metadataUrl}"`;
      sendJson(
        response,
        401,
        { error: 'invalid_token', error_description: 'The token is not known' },
        { 'www-authenticate': challenge },
      );
      return;
    }
    const onward = send(
      {
        host: target.hostname,
        port: target.port,
        method: request.method,
        path,
        headers: { ...request.headers, host: target.host },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  metadataUrl = `${peer.url}${METADATA}${target.pathname}`;
  return { url: peer.url + target.pathname, metadataUrl, tokens, seen, close: peer.close };
}

import type { PlatformRequest } from '../http/request.ts';
import type { ScriptEndpoint } from './restmap.ts';

/** The fields about the platform in the request block. */
export interface ServerFacts {
  rest_uri: string;
  hostname: string;
  servername: string;
  guid: string;
}

/** The request block for a driver. Handlers distinguish absent keys, so empty ones are left out. */
export function buildRequestBlock(
  endpoint: ScriptEndpoint,
  req: PlatformRequest,
  server: ServerFacts,
  systemToken: () => string,
): Record<string, unknown> {
  const block: Record<string, unknown> = {
    output_mode: req.outputMode,
    output_mode_explicit: req.outputModeExplicit,
    server,
  };
  if (endpoint.passConf) block.restmap = { name: endpoint.stanza, conf: endpoint.conf };
  const behindMatch = req.segments.slice(segmentCount(endpoint.match));
  if (behindMatch.length > 0) block.path_info = behindMatch.join('/');
  block.rest_path = `/${req.segments.join('/')}`;
  block.query = req.query;
  // An empty list means the body is not a form; no list, that the method has no body.
  if (req.method === 'POST' || req.method === 'PUT') block.form = req.form;
  if (req.body.length > 0 && endpoint.passPayload === 'text') block.payload = req.body.toString('utf8');
  if (req.body.length > 0 && endpoint.passPayload === 'base64') block.payload_base64 = req.body.toString('base64');
  if (endpoint.passHttpHeaders) block.headers = req.headerPairs;
  if (endpoint.passHttpCookies) block.cookies = req.cookies;
  block.connection = req.connection;
  if (endpoint.passSession && req.caller) {
    block.session = { user: req.caller.user, authtoken: req.caller.authtoken };
  }
  if (endpoint.passSystemAuth) block.system_authtoken = systemToken();
  if (req.namespaced) {
    const { app, user } = req.ns;
    block.ns = { ...(app === undefined ? {} : { app }), ...(user === undefined ? {} : { user }) };
  }
  block.method = req.method;
  return block;
}

function segmentCount(path: string): number {
  return path.split('/').filter((segment) => segment !== '').length;
}

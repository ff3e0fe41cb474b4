import { OutboundError } from '../../contract/codes/outbound.ts';
import { EngineFailure, type LoginServer } from '../../ports/engines/containerEngine.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Outbound, OutboundResponse } from '../outbound/outbound.ts';

const CLIENT = 'openshift-challenging-client';

interface ClusterAddress {
  url: string;
  ca: string | undefined;
}

interface Login {
  user: string;
  password: string;
  server: LoginServer;
}

/**
 * Exchanges user and password for a token at OpenShift's OAuth server. Its challenging client answers a Basic login with a
 * redirect whose fragment holds the token.
 * @throws OutboundError, EngineFailure
 */
export async function loginToken(
  outbound: Outbound,
  { url, ca }: ClusterAddress,
  { user, password, server }: Login,
  deadline: Deadline,
): Promise<string> {
  // Whoever can change the metadata decides where the password goes.
  if (new URL(url).protocol !== 'https:') {
    throw new OutboundError('configuration_invalid', 'cluster_url must begin with https:// for auth_mode user-login');
  }
  const trust = { verifyTls: true, caCertificate: ca };
  const secrets = [password, Buffer.from(`${user}:${password}`).toString('base64')];
  const metadataUrl = new URL('/.well-known/oauth-authorization-server', url).href;
  const metadata = await outbound.request({ method: 'GET', url: metadataUrl, deadline, ...trust });
  const endpoint = authorizationEndpoint(metadata);
  const login = new URL(endpoint);
  await assertKnown(login.host, server);
  login.searchParams.set('client_id', CLIENT);
  login.searchParams.set('response_type', 'token');
  const reply = await outbound.request({
    method: 'GET',
    url: login.href,
    headers: {
      Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      // Without it the server replies with a login page.
      'X-CSRF-Token': '1',
    },
    deadline,
    secrets,
    redirects: 'answer',
    ...trust,
    // The login server's certificate often has another issuer than the API's.
    ...(login.host === new URL(url).host ? {} : { keepDefaultAnchors: true }),
  });
  if (reply.status === 401)
    throw new OutboundError('auth_failed', 'The login server does not accept the user name and password');
  const location = reply.headers.location === undefined ? null : URL.parse(reply.headers.location, login);
  const answer = new URLSearchParams(location?.hash.slice(1) ?? '');
  const token = answer.get('access_token');
  if (token) return token;
  const why = location?.searchParams.get('error') ?? answer.get('error') ?? `it answered ${reply.status}`;
  throw new OutboundError('auth_failed', `The login server gave no token: ${why.slice(0, 100)}`);
}

/** @throws EngineFailure for another server than the first one */
async function assertKnown(host: string, server: LoginServer): Promise<void> {
  if (server.host === undefined && !(await server.keep(host))) {
    throw new EngineFailure('secret_required_for_new_host', 'The connection was changed during the login; try again');
  }
  if (server.host === undefined || server.host === host) return;
  throw new EngineFailure(
    'secret_required_for_new_host',
    `The cluster names the login server ${host.slice(0, 256)} in place of ${server.host}, so the password was not sent. Send user_password again to accept it`,
  );
}

function authorizationEndpoint({ status, text }: OutboundResponse): string {
  if (status !== 200) {
    throw new OutboundError(
      'not_supported',
      `The cluster has no login server (${status}). Use a token or a certificate instead of a password.`,
    );
  }
  try {
    const endpoint = (JSON.parse(text) as { authorization_endpoint?: unknown }).authorization_endpoint;
    if (typeof endpoint === 'string' && URL.parse(endpoint)?.protocol === 'https:') return endpoint;
  } catch {
    // Reported below.
  }
  throw new OutboundError('upstream_error', 'The OAuth metadata of the cluster has no https authorization endpoint');
}

import { PlatformError } from '../http/reply.ts';
import type { PlatformCaller, PlatformRequest } from '../http/request.ts';
import type { Identity } from './identity.ts';
import { SESSION_TIMEOUT_MS } from './sessions.ts';

type CredentialSource = Pick<PlatformRequest, 'headers' | 'cookies' | 'connection'>;

export interface Credentials {
  caller: PlatformCaller;
  /** Set if the cookie authenticated the call: the reply renews it. */
  cookie?: [string, string];
}

export function sessionCookie(connection: PlatformRequest['connection'], key: string): [string, string] {
  const secure = connection.ssl ? '; Secure' : '';
  const age = SESSION_TIMEOUT_MS / 1000;
  return [
    'Set-Cookie',
    `splunkd_${connection.listening_port}=${key}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`,
  ];
}

/** Missing and wrong credentials get splunkd's two different 401 bodies, which clients tell apart. */
export async function authenticate(identity: Identity, req: CredentialSource): Promise<Credentials> {
  const header = req.headers.authorization;
  if (header !== undefined && header.trim() !== '') return { caller: await byHeader(identity, header.trim()) };
  const name = `splunkd_${req.connection.listening_port}`;
  const key = req.cookies.find(([cookie]) => cookie === name)?.[1];
  if (key === undefined || key === '') throw unauthorized();
  const caller = identity.byToken(key);
  if (caller === undefined) throw notAuthenticated();
  return { caller, cookie: sessionCookie(req.connection, key) };
}

async function byHeader(identity: Identity, header: string): Promise<PlatformCaller> {
  const [scheme = ''] = header.split(/\s/, 1);
  const value = header.slice(scheme.length).trimStart();
  switch (scheme.toLowerCase()) {
    case 'basic': {
      const text = Buffer.from(value, 'base64').toString('utf8');
      const colon = text.indexOf(':');
      const user = text.slice(0, Math.max(colon, 0));
      const password = text.slice(colon + 1);
      if (user === '' || password === '') throw unauthorized();
      const caller = await identity.byPassword(user, password);
      if (caller === undefined) throw unauthorized();
      return caller;
    }
    case 'splunk':
    case 'bearer': {
      const caller = identity.byToken(value);
      if (caller === undefined) throw notAuthenticated();
      return caller;
    }
    default:
      throw unauthorized();
  }
}

function unauthorized(): PlatformError {
  return new PlatformError(401, 'Unauthorized', 'ERROR', [
    ['WWW-Authenticate', 'Basic realm="/splunk"'],
    ['Cache-Control', 'private'],
  ]);
}

function notAuthenticated(): PlatformError {
  return new PlatformError(401, 'call not properly authenticated', 'WARN', [
    ['Cache-Control', 'private'],
    ['Vary', 'Authorization'],
  ]);
}

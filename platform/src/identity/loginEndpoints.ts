import { systemAcl } from '../eai/entry.ts';
import { jsonReply, messagesReply, wantsJson, xmlReply } from '../eai/replies.ts';
import { eaiRoutes, requireCapability } from '../eai/routes.ts';
import { xmlText } from '../eai/xml.ts';
import { PlatformError, type PlatformReply } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import { sessionCookie } from './credentials.ts';
import type { Identity } from './identity.ts';
import { hashKey, SESSION_TIMEOUT_MS } from './sessions.ts';

export function loginRoutes(identity: Identity): Route[] {
  return [
    { method: 'POST', pattern: '/auth/login', auth: false, handle: (req) => login(identity, req) },
    ...sessionRoutes(identity),
  ];
}

async function login(identity: Identity, req: PlatformRequest): Promise<PlatformReply> {
  // Only from the body, since URLs end up in logs.
  const field = (name: string) => req.form.find(([key]) => key === name)?.[1];
  const username = field('username');
  const password = field('password');
  if (username === undefined || password === undefined) throw new PlatformError(400, 'Login failed', 'WARN');
  const user = username.trim();
  if (user === '' || password === '' || !(await identity.verify(user, password))) {
    return messagesReply(req, 401, [{ type: 'WARN', code: 'incorrect_username_or_password', text: 'Login failed' }]);
  }
  const key = identity.login(user);
  const headers: [string, string][] = field('cookie') === '1' ? [sessionCookie(req.connection, key)] : [];
  if (wantsJson(req)) return jsonReply(200, { sessionKey: key, message: '', code: '' }, headers);
  return xmlReply(
    200,
    `<response>\n  <sessionKey>${xmlText(key)}</sessionKey>\n  <messages>\n    <msg code=""></msg>\n  </messages>\n</response>\n`,
    headers,
  );
}

/** Sessions are listed by hash, since keys are not stored; DELETE accepts the key or the hash. */
function sessionRoutes(identity: Identity): Route[] {
  const list = (req: PlatformRequest) => {
    const mayListAll = req.caller?.system === true || req.caller?.capabilities.has('edit_httpauths') === true;
    const user = req.caller?.user;
    return identity.sessions
      .list()
      .filter((session) => mayListAll || session.user === user)
      .map((session) => ({
        name: session.hash,
        acl: systemAcl(true, true),
        content: {
          authString: session.hash,
          searchId: '',
          timeAccessed: new Date(session.used).toISOString(),
          timeCreated: new Date(session.created).toISOString(),
          timeoutSeconds: SESSION_TIMEOUT_MS / 1000,
          userName: session.user,
        },
      }));
  };
  return eaiRoutes({
    path: '/authentication/httpauth-tokens',
    title: 'httpauth-tokens',
    list,
    find: (req, name) => {
      const hash = hashKey(name);
      return list(req).find((entry) => entry.name === name || entry.name === hash);
    },
    remove: (req, entry) => {
      if (entry.content.userName !== req.caller?.user) requireCapability(req, 'edit_httpauths');
      identity.sessions.remove(entry.name);
      return [];
    },
  });
}

import { systemAcl } from '../eai/entry.ts';
import { eaiReply, requestBase } from '../eai/feed.ts';
import { PlatformError } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { Identity } from './identity.ts';
import { userContent } from './userEndpoints.ts';
import type { User } from './users.ts';

const PATH = '/authentication/current-context';

/** The caller's identity, for handlers that have the caller's token. */
export function contextRoutes(identity: Identity): Route[] {
  const handle: Route['handle'] = (req) => {
    const caller = req.caller;
    if (caller === undefined) throw new PlatformError(401, 'Unauthorized');
    const user: User = identity.users.get(caller.user) ?? {
      name: caller.user,
      realname: '',
      email: '',
      roles: caller.roles,
      settings: { tz: '', lang: '', defaultApp: 'launcher' },
      lastLogin: undefined,
    };
    const base = requestBase(req, PATH);
    const self = `${base}/context`;
    return eaiReply(req, {
      title: 'current-context',
      base,
      links: {},
      isReloadable: false,
      entries: [
        {
          name: 'context',
          acl: { ...systemAcl(false), app: '', perms: { read: ['*'], write: ['*'] } },
          links: { alternate: self, list: self },
          content: {
            ...userContent(user),
            capabilities: [...caller.capabilities].sort(),
            roles: caller.roles,
            username: caller.user,
          },
        },
      ],
    });
  };
  return [
    { method: 'GET', pattern: PATH, handle },
    { method: 'GET', pattern: `${PATH}/context`, handle },
  ];
}

import { PlatformError } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { Membership } from './membership.ts';

/** A route for other members only; everyone else gets 404. */
export function memberRoute(
  members: Membership,
  method: string | string[],
  path: string,
  handle: Route['handle'],
): Route {
  return {
    method,
    pattern: `/embedded/cluster${path}`,
    handle: (req, params) => {
      if (req.caller === undefined || !members.isKey(req.caller.authtoken)) throw new PlatformError(404, 'Not Found');
      return handle(req, params);
    },
  };
}

import { jsonReply } from '../eai/replies.ts';
import { PlatformError } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { Scheduler } from './runs/scheduler.ts';

/**
 * `POST /services/embedded/scheduler` for tests: runs every saved search that is due up to `now` (epoch seconds; the
 * clock by default), waits for its actions, and answers what was run.
 */
export function schedulerRoute(scheduler: Scheduler): Route {
  return {
    method: 'POST',
    pattern: '/embedded/scheduler',
    handle: async (req) => {
      if (!req.caller?.roles.includes('admin') && req.caller?.system !== true)
        throw new PlatformError(403, 'insufficient permission to access this resource', 'WARN');
      const text = req.arg('now');
      if (text !== undefined && !/^\d{1,10}$/.test(text))
        throw new PlatformError(400, 'Invalid value for argument "now": must be epoch seconds.');
      const runs = await scheduler.runUpTo(text === undefined ? undefined : Number(text) * 1000);
      return jsonReply(200, { runs });
    },
  };
}

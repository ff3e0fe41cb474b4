import type { PlatformCaller } from '../../http/request.ts';
import type { Identity } from '../../identity/identity.ts';
import { hashKey } from '../../identity/sessions.ts';
import { isIndexAllowed } from '../pipeline/internalIndex.ts';
import type { SearchJobsOptions } from './jobs.ts';

type Ports = Pick<SearchJobsOptions, 'openSession' | 'quota' | 'maySearch'>;

/** The identity functions that search jobs use. */
export function identityPorts(identity: Identity): Ports {
  const settings = (caller: PlatformCaller) =>
    caller.effectiveRoles.map((role) => identity.roles.get(role)?.settings ?? {});
  return {
    /** A session of the job, since a job outlives the caller's logout. It ends with the job or the user. */
    openSession: (caller) => {
      if (caller.system) return { key: caller.authtoken, close: () => {} };
      const key = identity.sessions.create(caller.user);
      return { key, close: () => void identity.sessions.remove(hashKey(key)) };
    },
    /** The largest `srchJobsQuota` of the caller's roles; 0 or less means no limit, as in authorize.conf. */
    quota: (caller) => {
      if (caller.system) return undefined;
      const quotas = settings(caller).map((role) => Number(role.srchJobsQuota ?? 0));
      return quotas.length === 0 || quotas.some((quota) => quota <= 0) ? undefined : Math.max(...quotas);
    },
    maySearch: (caller, index) =>
      caller.system ||
      settings(caller).some(
        (role) => Array.isArray(role.srchIndexesAllowed) && isIndexAllowed(role.srchIndexesAllowed, index),
      ),
  };
}

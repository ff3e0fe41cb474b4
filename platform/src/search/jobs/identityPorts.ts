import type { PlatformCaller } from '../../http/request.ts';
import type { Identity } from '../../identity/identity.ts';
import { hashKey } from '../../identity/sessions.ts';
import { type EventAccess, isIndexAllowed } from '../pipeline/events.ts';
import type { TimeRange } from '../pipeline/times.ts';
import type { RoleQuota } from './concurrency.ts';

/** The identity functions that search jobs use. */
export interface IdentityPorts {
  /** Opens a session of the job's owner for the duration of the job. */
  openSession(caller: PlatformCaller): { key: string; close(): void };
  /** The quotas of the caller's roles; none for the system user. */
  quotas(caller: PlatformCaller): RoleQuota[];
  eventAccess(caller: PlatformCaller): EventAccess;
  /** The part of a time range that the caller's roles let it search. @param now epoch seconds */
  limited(caller: PlatformCaller, range: TimeRange, now: number): TimeRange;
}

export function identityPorts(identity: Identity): IdentityPorts {
  const rolesOf = (caller: PlatformCaller) =>
    caller.effectiveRoles.map((role) => ({ role, settings: identity.roles.get(role)?.settings ?? {} }));
  const lists = (caller: PlatformCaller, key: string) =>
    rolesOf(caller).flatMap(({ settings }) => (Array.isArray(settings[key]) ? settings[key] : []));
  const numbers = (caller: PlatformCaller, key: string) =>
    rolesOf(caller).map(({ settings }) => Number(settings[key] ?? -1));
  return {
    /** A session of the job, since a job outlives the caller's logout. It ends with the job or the user. */
    openSession: (caller) => {
      if (caller.system) return { key: caller.authtoken, close: () => {} };
      const key = identity.sessions.create(caller.user);
      return { key, close: () => void identity.sessions.remove(hashKey(key)) };
    },
    quotas: (caller) =>
      caller.system
        ? []
        : rolesOf(caller).map(({ role, settings }) => ({
            role,
            jobs: Number(settings.srchJobsQuota ?? 0),
            cumulative: Number(settings.cumulativeSrchJobsQuota ?? 0),
          })),
    eventAccess: (caller) => {
      if (caller.system) return { isAllowed: () => true, defaults: ['main'], filters: [] };
      const [allowed, denied] = [lists(caller, 'srchIndexesAllowed'), lists(caller, 'srchIndexesDisallowed')];
      return {
        isAllowed: (index) => isIndexAllowed(allowed, index) && !isIndexAllowed(denied, index),
        defaults: lists(caller, 'srchIndexesDefault'),
        filters: rolesOf(caller).flatMap(({ settings }) => {
          const filter = String(settings.srchFilter ?? '').trim();
          return filter === '' ? [] : [filter];
        }),
      };
    },
    limited: (caller, range, now) => {
      if (caller.system) return range;
      const window = widest(numbers(caller, 'srchTimeWin'));
      const reach = widest(numbers(caller, 'srchTimeEarliest'));
      const latest = Math.min(range.latest, now);
      return {
        earliest: Math.max(
          range.earliest,
          window === undefined ? 0 : latest - window,
          reach === undefined ? 0 : now - reach,
        ),
        latest: range.latest,
      };
    },
  };
}

/** The least restrictive of the roles that set a limit, in seconds; 0 of any role lifts it. */
function widest(values: readonly number[]): number | undefined {
  const set = values.filter((value) => value >= 0);
  return set.length === 0 || set.includes(0) ? undefined : Math.max(...set);
}

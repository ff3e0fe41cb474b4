import type { UseQueryOptions } from '@tanstack/react-query';
import type { Acl, OperationId, Reply } from '../../client/src/index.ts';
import { ADMIN_CAPABILITY } from '../../src/contract/basics.ts';
import { RIGHTS } from '../generated/rights.ts';
import { ml } from './client.ts';
import { flagsPause } from './pauses.ts';
import { expandRoles, IS_FREE, readCurrentUser, type Who } from './platform.ts';
import { useRead } from './queries.ts';

const MINUTE = 60_000;

const WHO: UseQueryOptions<Who> = {
  queryKey: ['who'],
  queryFn: ({ signal }) => readCurrentUser(signal),
  staleTime: MINUTE,
};

const FLAGS: UseQueryOptions<Reply<'getFeatureFlags'>> = {
  queryKey: ['flags'],
  queryFn: ({ signal }) => ml.call('getFeatureFlags', {}, { signal }),
};

/** The only place that polls user and feature flags. */
export function useFreshRights(): void {
  useRead({ ...WHO, refetchInterval: MINUTE });
  useRead({ ...FLAGS, refetchInterval: ({ state }) => flagsPause(state.data?.flags) });
}

export const useWho = () => useRead(WHO);

/** The feature flags and their sources. @param pauseMs between reads while a change is expected */
export const useFlags = (pauseMs: number | false = false) =>
  useRead({ ...FLAGS, staleTime: Number.POSITIVE_INFINITY, refetchInterval: pauseMs });

/** The user's roles with imported ones. Administrators bypass access lists. */
const useRoles = (who: Who | undefined) =>
  useRead({
    queryKey: ['roles', 'of', who?.username, who?.roles],
    queryFn: ({ signal }) => expandRoles(who?.roles ?? [], signal),
    enabled: who !== undefined && !isAdmin(who),
    staleTime: MINUTE,
    retry: false,
  });

const isAdmin = (who: Who): boolean => who.capabilities.includes(ADMIN_CAPABILITY);

const FREE = 'Splunk Free gives nobody capabilities: this needs an Enterprise or a trial licence';

/**
 * The reason that the user may not call an operation, or undefined. Unknown permissions allow everything: the app decides anyway.
 * @param record whose access list must allow the change
 */
export type Refusal = (id: OperationId, record?: object) => string | undefined;

/** Only the owner and administrators may change the sharing of a record. */
export function useOwns(): (record: object) => boolean {
  const { data: who } = useWho();
  return (record) => {
    const { acl } = record as { acl?: Acl };
    return !who || !acl || isAdmin(who) || acl.owner === who.username;
  };
}

export function useRefusal(): Refusal {
  const { data: who } = useWho();
  const { data: roles } = useRoles(who);
  const owns = useOwns();
  const isWritable = (record: object): boolean => {
    const { acl } = record as { acl?: Acl };
    if (!acl || owns(record)) return true;
    if (acl.sharing === 'user') return false;
    return !roles || acl.perms.write.some((role) => role === '*' || roles.includes(role));
  };
  const flags = useFlags().data?.flags;
  return (id, record) => {
    const { all = [], any = [], flag } = RIGHTS[id] ?? {};
    const has = (name: string) => !who || who.capabilities.includes(name);
    const missing = all.filter((name) => !has(name));
    const isRefused = missing.length > 0 || (any.length > 0 && !any.some(has));
    if (isRefused && IS_FREE) return FREE;
    if (missing.length > 0)
      return `You need the ${missing.length > 1 ? 'capabilities' : 'capability'} ${missing.join(', ')}`;
    if (any.length > 0 && !any.some(has)) return `You need one of the capabilities ${any.join(', ')}`;
    if (record && !isWritable(record)) return 'The access list lets you read this but not change it';
    const value = flag === undefined ? true : (flags as Record<string, boolean> | undefined)?.[flag];
    return value === false ? `The feature ${flag} is switched off` : undefined;
  };
}

export function useSwitchedOff(ids: readonly OperationId[]): string[] {
  const flags = useFlags().data?.flags as Readonly<Record<string, boolean>> | undefined;
  const requested = new Set(ids.map((id) => RIGHTS[id]?.flag));
  return [...requested].filter((flag) => flag !== undefined && flags?.[flag] === false) as string[];
}

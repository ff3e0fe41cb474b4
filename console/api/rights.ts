import type { UseQueryOptions } from '@tanstack/react-query';
import type { Acl, OperationId, Reply } from '../../client/src/index.ts';
import { ADMIN_CAPABILITY } from '../../src/contract/basics.ts';
import { RIGHTS } from '../generated/rights.ts';
import { ml } from './client.ts';
import { flagsPause } from './pauses.ts';
import { expandRoles, readCurrentUser, type Who } from './platform.ts';
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

/** Keeps fresh what the whole page goes by. In one place: whatever else uses it would ask once more, in a rhythm of its own. */
export function useFreshRights(): void {
  useRead({ ...WHO, refetchInterval: MINUTE });
  useRead({ ...FLAGS, refetchInterval: ({ state }) => flagsPause(state.data?.flags) });
}

export const useWho = () => useRead(WHO);

/** The switches of features, and where each is set. @param pauseMs between looks by who waits for a change */
export const useFlags = (pauseMs: number | false = false) =>
  useRead({ ...FLAGS, staleTime: Number.POSITIVE_INFINITY, refetchInterval: pauseMs });

/** The user's roles with those that they import, which access lists go by; none stops an administrator. */
const useRoles = (who: Who | undefined) =>
  useRead({
    queryKey: ['roles', 'of', who?.username, who?.roles],
    queryFn: ({ signal }) => expandRoles(who?.roles ?? [], signal),
    enabled: who !== undefined && !isAdmin(who),
    staleTime: MINUTE,
    retry: false,
  });

const isAdmin = (who: Who): boolean => who.capabilities.includes(ADMIN_CAPABILITY);

/**
 * Why the user may not do something, as a sentence, or undefined if they may. While nothing is known everything may be tried:
 * the app decides anyway.
 * @param record what is changed by it: its access list has to let the user
 */
export type Refusal = (id: OperationId, record?: object) => string | undefined;

/** Whether the user owns a record, or is an administrator: nobody else may change who may use it. */
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
    const { all = [], any = [], flag } = RIGHTS[id];
    const has = (name: string) => !who || who.capabilities.includes(name);
    const missing = all.filter((name) => !has(name));
    if (missing.length > 0)
      return `You need the ${missing.length > 1 ? 'capabilities' : 'capability'} ${missing.join(', ')}`;
    if (any.length > 0 && !any.some(has)) return `You need one of the capabilities ${any.join(', ')}`;
    if (record && !isWritable(record)) return 'The access list lets you read this but not change it';
    const value = flag === undefined ? true : (flags as Record<string, boolean> | undefined)?.[flag];
    return value === false ? `The feature ${flag} is switched off` : undefined;
  };
}

/** The features of these operations that are switched off. */
export function useSwitchedOff(ids: readonly OperationId[]): string[] {
  const flags = useFlags().data?.flags as Readonly<Record<string, boolean>> | undefined;
  const requested = new Set(ids.map((id) => RIGHTS[id].flag));
  return [...requested].filter((flag) => flag !== undefined && flags?.[flag] === false) as string[];
}

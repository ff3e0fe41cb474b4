import type { OperationId } from '../../client/src/index.ts';
import { RIGHTS } from '../generated/rights.ts';
import { ml } from './client.ts';
import { flagsPause } from './pauses.ts';
import { whoAmI } from './platform.ts';
import { useRead } from './queries.ts';

const MINUTE = 60_000;

export const useWho = () =>
  useRead({ queryKey: ['who'], queryFn: ({ signal }) => whoAmI(signal), staleTime: MINUTE, refetchInterval: MINUTE });

const useFlags = () =>
  useRead({
    queryKey: ['flags'],
    queryFn: async ({ signal }) => (await ml.call('getFeatureFlags', {}, { signal })).flags,
    refetchInterval: ({ state }) => flagsPause(state.data),
  });

/**
 * Why the user may not do something, as a sentence, or undefined if they may. While nothing is known everything may be tried:
 * the app decides anyway.
 */
export type Refusal = (id: OperationId) => string | undefined;

export function useRefusal(): Refusal {
  const { data: who } = useWho();
  const { data: flags } = useFlags();
  return (id) => {
    const { all = [], any = [], flag } = RIGHTS[id];
    const has = (name: string) => !who || who.capabilities.includes(name);
    const missing = all.filter((name) => !has(name));
    if (missing.length > 0)
      return `You need the ${missing.length > 1 ? 'capabilities' : 'capability'} ${missing.join(', ')}`;
    if (any.length > 0 && !any.some(has)) return `You need one of the capabilities ${any.join(', ')}`;
    const value = flag === undefined ? true : (flags as Record<string, boolean> | undefined)?.[flag];
    return value === false ? `The feature ${flag} is switched off` : undefined;
  };
}

/** The features of these operations that are switched off. */
export function useSwitchedOff(ids: readonly OperationId[]): string[] {
  const flags = useFlags().data as Readonly<Record<string, boolean>> | undefined;
  const asked = new Set(ids.map((id) => RIGHTS[id].flag));
  return [...asked].filter((flag) => flag !== undefined && flags?.[flag] === false) as string[];
}

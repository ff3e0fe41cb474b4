import { focusManager, QueryCache, QueryClient, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { watchAttention } from './attention.ts';
import { pauseAfter } from './pauses.ts';
import { describeError } from './problems.ts';
import { sessionIsOver } from './session.ts';

/** What the pages have read. Nothing of it outlives the page, and secrets never come into it: the app masks them. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (describeError(error).isSessionOver) sessionIsOver();
    },
  }),
  defaultOptions: {
    queries: {
      // What passes is asked again by itself, quietly, until it has passed; the rest waits for a person.
      retry: (_tries, error) => describeError(error).isPassing,
      retryDelay: pauseAfter,
      refetchOnWindowFocus: true,
      staleTime: 2000,
      // A browser that takes itself for offline may be on the server's own machine.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Nothing is asked while nobody looks; whoever comes back sees what is new at once. */
export function pauseWhileInactive(): void {
  focusManager.setEventListener((tell) => watchAttention(document, tell));
}

const onAttention = (listener: () => void): (() => void) => focusManager.subscribe(listener);

/** Whether somebody may be looking at this page: it can be seen, and was touched not long ago. */
export const useIsPageActive = (): boolean => useSyncExternalStore(onAttention, () => focusManager.isFocused());

/** Reads. What goes wrong is told with the first try that fails, while others follow by themselves. */
export function useRead<T>(options: UseQueryOptions<T>) {
  const { data, failureReason, refetch, isPlaceholderData, isFetching, isPending, dataUpdatedAt } = useQuery(options);
  return { data, error: failureReason, refetch, isPlaceholderData, isFetching, isPending, dataUpdatedAt };
}

const failing = {
  predicate: ({ state }: { state: { fetchFailureReason: Error | null } }) => !!state.fetchFailureReason,
};

/** Asks for all that has failed, without waiting for the end of a pause. */
export async function retryFailed(): Promise<void> {
  const keys = queries
    .getQueryCache()
    .findAll({ ...failing, type: 'active' })
    .map(({ queryKey }) => queryKey);
  for (const queryKey of keys) {
    await queries.cancelQueries({ queryKey, exact: true });
    void queries.refetchQueries({ queryKey, exact: true });
  }
}

const onCache = (listener: () => void): (() => void) => queries.getQueryCache().subscribe(listener);

function temporaryFailure(): Error | null {
  for (const query of queries.getQueryCache().findAll({ ...failing, type: 'active' })) {
    const { fetchFailureReason: error } = query.state;
    if (error && describeError(error).isPassing) return error;
  }
  return null;
}

/** What keeps this page from reading for now, if anything does; it passes by itself. */
export const useTemporaryFailure = (): Error | null => useSyncExternalStore(onCache, temporaryFailure);

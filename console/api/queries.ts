import { focusManager, QueryCache, QueryClient, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { watchAttention } from './attention.ts';
import { pauseAfter } from './pauses.ts';
import { describeError } from './problems.ts';
import { sessionIsOver } from './session.ts';

/** The cache of this page. It has no secrets, since the app masks them. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (describeError(error).isSessionOver) sessionIsOver();
    },
  }),
  defaultOptions: {
    queries: {
      // Only temporary failures are retried.
      retry: (_tries, error) => describeError(error).isPassing,
      retryDelay: pauseAfter,
      refetchOnWindowFocus: true,
      staleTime: 2000,
      // An offline browser may run on the machine of the server.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Stops polling while nobody is active, and refreshes on return. */
export function pauseWhileInactive(): void {
  focusManager.setEventListener((tell) => watchAttention(document, tell));
}

const onAttention = (listener: () => void): (() => void) => focusManager.subscribe(listener);

/** Whether the page is visible and was used recently. */
export const useIsPageActive = (): boolean => useSyncExternalStore(onAttention, () => focusManager.isFocused());

/** Reports the first failure at once, while retries follow. */
export function useRead<T>(options: UseQueryOptions<T>) {
  const { data, failureReason, refetch, isPlaceholderData, isFetching, isPending, dataUpdatedAt } = useQuery(options);
  return { data, error: failureReason, refetch, isPlaceholderData, isFetching, isPending, dataUpdatedAt };
}

const failing = {
  predicate: ({ state }: { state: { fetchFailureReason: Error | null } }) => !!state.fetchFailureReason,
};

/** Retries all failed reads at once. */
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

/** A temporary failure of any read. */
export const useTemporaryFailure = (): Error | null => useSyncExternalStore(onCache, temporaryFailure);

import { QueryCache, QueryClient } from '@tanstack/react-query';
import { told } from './problems.ts';
import { sessionIsOver } from './session.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const MOST_TRIES = 5;

/** Pauses get longer, so that a server in trouble is left alone. */
const pauseAfter = (tries: number): number => Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);

/** What the pages have read. Nothing of it outlives the page, and secrets never come into it: the app masks them. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (told(error).isSessionOver) sessionIsOver();
    },
  }),
  defaultOptions: {
    queries: {
      // A browser that takes itself for offline would wait in silence: people are told what fails.
      networkMode: 'always',
      // What passes is asked again by itself, quietly; the rest waits for a person.
      retry: (tries, error) => tries < MOST_TRIES && told(error).isPassing,
      retryDelay: pauseAfter,
      refetchOnWindowFocus: true,
      staleTime: 2000,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

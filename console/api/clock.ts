import { useSyncExternalStore } from 'react';

/** The largest lag of times such as `10 seconds ago`. */
const STEP_MS = 10_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const notify of listeners) notify();
  }, STEP_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Renders its component again periodically. */
export const useTicking = (): number => useSyncExternalStore(subscribe, () => Math.floor(Date.now() / STEP_MS));

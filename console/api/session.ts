import { useSyncExternalStore } from 'react';

let isOver = false;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  if (isOver === value) return;
  isOver = value;
  for (const listener of listeners) listener();
}

/** The platform does not know this session any more. */
export const sessionIsOver = (): void => set(true);
/** Somebody has logged in again, here or in another tab. */
export const sessionIsBack = (): void => set(false);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useSessionIsOver = (): boolean => useSyncExternalStore(subscribe, () => isOver);

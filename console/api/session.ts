import { createStore } from './store.ts';

const isOver = createStore(false);

/** The platform does not know this session any more. */
export const sessionIsOver = (): void => isOver.set(true);
/** Somebody has logged in again, here or in another tab. */
export const sessionIsBack = (): void => isOver.set(false);

export const useSessionIsOver = isOver.use;

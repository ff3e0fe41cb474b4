import { createStore } from './store.ts';

const isOver = createStore(false);

export const sessionIsOver = (): void => isOver.set(true);
export const sessionIsBack = (): void => isOver.set(false);

export const useSessionIsOver = isOver.use;

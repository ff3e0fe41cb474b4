import { createStore } from '../api/store.ts';
import { Warnings } from './Warnings.tsx';

const NONE: readonly string[] = [];
const last = createStore(NONE);

/** Shows the warnings of a successful call until they are read or replaced. */
export function showWarnings<T extends { warnings?: readonly string[] }>(reply: T): T {
  last.set(reply.warnings ?? NONE);
  return reply;
}

export function LastWarnings() {
  return <Warnings texts={last.use()} onRead={() => last.set(NONE)} />;
}

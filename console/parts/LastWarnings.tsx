import { createStore } from '../api/store.ts';
import { Warnings } from './Warnings.tsx';

const NONE: readonly string[] = [];
const last = createStore(NONE);

/** What is worth knowing of a call although it was done, until somebody has read it or the next call says something else. */
export function showWarnings<T extends { warnings?: readonly string[] }>(reply: T): T {
  last.set(reply.warnings ?? NONE);
  return reply;
}

/** The warnings of the last call that could have had any. */
export function LastWarnings() {
  return <Warnings texts={last.use()} onRead={() => last.set(NONE)} />;
}

import { parentPort } from 'node:worker_threads';
import { createChecker } from './checker.ts';
import { type CheckOrder, READY } from './messages.ts';

/** Answers orders in this thread, one after the other, until its parent ends it. */
export function serveChecks(): void {
  const check = createChecker();
  parentPort?.on('message', (order: CheckOrder) => parentPort?.postMessage(check(order)));
  parentPort?.postMessage(READY);
}
